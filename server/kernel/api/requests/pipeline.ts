/**
 * The steps of every request: credential → rate limit → business and mode → permission → query and body → the row
 * through its policy → run → read the changes again as the caller may see them → response.
 */
import type { FileToSend } from '../file.ts';
import { sendFile } from './send-file.ts';
import type { Database, Transaction } from '../../base/db/database.ts';
import { AccessChanged } from '../../base/db/standing.ts';
import { actOutside, write, type Sent } from './writing.ts';
import { Admission, type AdmissionOptions, type Admitted, type Identified, type Prepared } from './admission.ts';
import { Failure, translate } from './refusals.ts';
import { finish, Replay, plainResult } from './outcome.ts';
import { requestOf, type Caller } from './internal-request.ts';
import type { Asked } from '../calls.ts';
import { parseBody, readBody, shownBefore, type Parsed } from './input.ts';
import { Reader } from '../reading/reader.ts';
import { calculateValue, readOne, readPage, readValue } from './reading.ts';
import { refusal, wantsXml, type IncomingRequest, type Outgoing } from './exchange.ts';
import { sideFor } from '../../base/values/wording.ts';
import type { Endpoint, StreamEndpoint } from '../acting.ts';
import type { FeedTail } from '../../work/feed/tail.ts';
import type { Limits } from '../limits/limits.ts';
import type { Installation } from '../../work/unit/installation.ts';
import type { RequestContext } from './request-context.ts';
import type { Opening } from './streams.ts';
import type { SentBack, Shape } from '../../base/fields/field.ts';

interface PipelineOptions extends AdmissionOptions {
  db: Database;
  installation: Installation;
  feed: FeedTail;
  /** counts one request against a policy of the endpoint's own */
  charge: Limits['charge'];
}

export interface Entered extends Identified {
  /** headers of the response, regardless of the outcome */
  readonly headers: Readonly<Record<string, string>>;
}

/** Every retry means that something else changed in between. */
const ATTEMPTS = 4;

export class Pipeline {
  readonly #o: PipelineOptions;
  readonly #admission: Admission;
  readonly #means: RequestContext;
  readonly #shownBefore: ReadonlyMap<Endpoint, Shape | undefined>;

  constructor(options: PipelineOptions) {
    const { db, registry, installation, tenants, charge } = options;
    const reader = new Reader(registry);
    this.#o = options;
    this.#admission = new Admission(options, reader);
    this.#means = {
      db,
      registry,
      installation,
      reader,
      charge,
      tenants,
      admission: this.#admission,
      call: (...asked) => this.call(...asked),
    };
    const { endpoints } = registry;
    this.#shownBefore = new Map(endpoints.map((endpoint) => [endpoint, shownBefore(endpoint, endpoints)]));
  }

  /** Identifies the caller before the body of the request is read. Returns the caller, or the refusal. */
  async enter(endpoint: Endpoint, request: IncomingRequest): Promise<Entered | Outgoing> {
    const headers: Record<string, string> = {};
    try {
      return { ...(await this.#again(() => this.#admission.identify(endpoint, request, headers))), headers };
    } catch (error) {
      return this.#refusal(error, request, headers);
    }
  }

  /** Handles a request; `entered` is the result of `enter`. */
  async handle(
    endpoint: Endpoint,
    request: IncomingRequest,
    entered?: Entered,
  ): Promise<Outgoing<string | Buffer | AsyncIterable<string | Uint8Array>>> {
    const headers: Record<string, string> = { ...entered?.headers };
    try {
      const { prepared, answer } = await this.#settled(endpoint, request, headers, entered);
      if (endpoint.returns.kind === 'file') return await sendFile(answer as FileToSend, request, headers);
      return finish(prepared, answer, headers, wantsXml(request));
    } catch (error) {
      if (error instanceof Replay)
        return { ...error.answer, headers: { ...headers, ...error.answer.headers, 'idempotent-replayed': 'true' } };
      return this.#refusal(error, request, headers);
    }
  }

  /** Opens a stream: does everything until it begins. Returns the stream, or the refusal. */
  async open(
    endpoint: StreamEndpoint,
    request: IncomingRequest,
    headers: Record<string, string>,
  ): Promise<Opening | Outgoing> {
    try {
      const p = await this.#again(async () => {
        const prepared = await this.#admission.admit(endpoint, request, headers);
        // Nothing of the business has been read yet: a credential that has ended in the meantime is refused here.
        if (prepared.standing !== undefined) await this.#o.credentials.confirm(prepared.standing);
        return prepared;
      });
      const { db, feed } = this.#o;
      const { viewer, tenant, query } = p;
      const over = new AbortController();
      const events = endpoint.run({
        db,
        feed,
        viewer,
        tenant,
        query,
        signal: over.signal,
        lastEventId: request.headers['last-event-id'],
      });
      return {
        caller: p.credential,
        business: viewer.providerId,
        over,
        events,
        recheck: () => this.#admission.recheck(p),
      };
    } catch (error) {
      return this.#refusal(error, request, headers);
    }
  }

  /**
   * Identifies the caller of a request that several operations answer, such as one of an assistant. `headers` receives
   * the response headers. @throws Problem without a valid credential
   */
  admit(request: IncomingRequest, headers: Record<string, string>): Promise<Admitted> {
    return this.#again(async () => {
      const admitted = await this.#admission.enter(request, headers);
      if (admitted.standing !== undefined) await this.#o.credentials.confirm(admitted.standing);
      return admitted;
    });
  }

  /**
   * Calls an endpoint for a person on a page: with the same effects and refusals as a request of theirs through an
   * application. Returns the value that would be printed. With `within`, several calls share a transaction; after a
   * refusal, that transaction must roll back.
   * @throws the refusal, before it is translated
   */
  async call(endpoint: Endpoint, caller: Caller, asked: Asked, within?: Transaction): Promise<any> {
    const { trial } = asked;
    const p = { ...this.#admission.call(endpoint, requestOf(endpoint, caller, asked), caller), within, trial };
    return plainResult(await this.#act(p, async () => ({ value: asked.body ?? {}, text: false })));
  }

  #refusal(error: unknown, request: IncomingRequest, headers: Record<string, string>): Outgoing {
    const problem = translate(error, this.#o.registry.constraints);
    return refusal(problem, request.requestId, wantsXml(request), headers, request.pagesUrl);
  }

  /** Admits the request and acts; starts again if the credential's reach has changed in between. */
  #settled(
    endpoint: Endpoint,
    request: IncomingRequest,
    headers: Record<string, string>,
    entered?: Entered,
  ): Promise<{ prepared: Prepared; answer: unknown }> {
    let known: Identified | undefined = entered;
    return this.#again(async () => {
      // The caller identified before the body was read is valid for one attempt: the next one identifies the caller
      // again.
      const before = known;
      known = undefined;
      const prepared = await this.#admission.admit(endpoint, request, headers, before);
      const { mode } = prepared.viewer;
      const body = () => parseBody(request.headers['content-type'], request.body, endpoint.body);
      const answer = await this.#act(prepared, body).catch((error: unknown) => {
        const problem = translate(error, this.#o.registry.constraints);
        throw problem instanceof Failure ? error : problem.localizedFor(sideFor(mode), prepared.tenant.words);
      });
      return { prepared, answer };
    });
  }

  async #again<T>(act: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await act();
      } catch (error) {
        if (!(error instanceof AccessChanged) || attempt === ATTEMPTS) throw error;
        await this.#o.credentials.catchUp();
      }
    }
  }

  /** Acts in the way that the endpoint declares. */
  async #act(p: Prepared, body: () => Promise<Parsed>): Promise<unknown> {
    const { endpoint } = p;
    switch (endpoint.acts) {
      case 'list':
        return readPage(this.#means, endpoint, p);
      case 'get':
        return readOne(this.#means, endpoint, p);
      case 'read':
        return readValue(this.#means, endpoint, p);
      case 'calculate':
        return calculateValue(this.#means, endpoint, p, (await this.#sent(p, body)).body);
      case 'write':
        return write(this.#means, endpoint, p, await this.#sent(p, body));
      case 'outside':
        return actOutside(this.#means, endpoint, p, endpoint.method === 'GET' ? {} : (await this.#sent(p, body)).body);
      case 'stream':
        throw new Error(`${endpoint.path} is a stream, which cannot be called from within`);
    }
  }

  /** Returns the body as the endpoint reads it. */
  #sent(p: Prepared, body: () => Promise<Parsed>): Promise<Sent> {
    const shown = this.#shownBefore.get(p.endpoint);
    const back: SentBack | undefined = shown && { shown, strict: p.strict, currency: p.tenant.currency, nulls: [] };
    return this.#admission.refusing(p.standing, async () => ({
      body: readBody(p.endpoint.body ?? {}, await body(), p.tenant.zone, back),
      nulls: back?.nulls ?? [],
    }));
  }
}
