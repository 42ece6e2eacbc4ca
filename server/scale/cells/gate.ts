/**
 * Runs before everything else in a server if the installation has several cells: a request for another cell is
 * forwarded to it. The cell that responds counts the rate limits, because a forwarded request says who called.
 */
import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Carrier } from './carry.ts';
import { hostOf, wantsPage, writtenPage, type Written } from '../../kernel/pages/failing.ts';
import { Failure, MOVING } from '../../kernel/api/requests/refusals.ts';
import { HERE, Router, type Place } from './router.ts';
import { MARK } from './mark.ts';
import { mayNameInBody, namesIn, namesInBody, type RoutingWords } from './routing.ts';
import { peek } from './peek.ts';
import { refusal } from '../../kernel/api/requests/exchange.ts';
import type { Directory } from './directory.ts';
import type { Metrics } from '../../kernel/base/metrics.ts';
import type { Problem } from '../../kernel/base/problem.ts';
import type { CellNetwork } from './network.ts';

interface GateOptions {
  readonly ring: CellNetwork;
  readonly directory: Directory;
  /** finds the cell with a name that cells don't share with each other; null: none. @throws CellAway */
  readonly locate: (name: string) => Promise<number | null>;
  readonly words: RoutingWords;
  /** trust the X-Forwarded-* headers of a proxy */
  readonly trustProxy: boolean;
  readonly https: boolean;
  readonly metrics: Pick<Metrics, 'carried'>;
  readonly log: Pick<FastifyBaseLogger, 'debug'>;
}

/** Header with which a cell forwards a request: the number of hops, and the client's address, scheme and host. */
const FOR = 'rollcall-cell-for';
const FORWARDED = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-port'];
/** Statuses for a request whose business is not in the database: the token is invalid, or the object does not exist. */
const ABSENT: ReadonlySet<number> = new Set([401, 404]);
/** Headers that say who calls and what for: a mark that was intercepted is useless with other values. */
const BOUND = ['authorization', 'cookie', 'content-type', 'content-length', 'idempotency-key', 'origin'] as const;
const restOf = (said: string, headers: IncomingHttpHeaders): string =>
  hash('sha256', JSON.stringify([said, ...BOUND.map((name) => headers[name] ?? null)]), 'base64url');

/** From the cell that received the request to the one that the business left, and from there to its current one. */
const MAX_HOPS = 2;

export class Gate {
  readonly #o: GateOptions;
  readonly #router: Router;
  readonly #carrier = new Carrier();
  /** names in requests that this cell serves, and when they were admitted */
  readonly #entered = new WeakMap<FastifyRequest, { readonly names: readonly string[]; readonly at: number }>();

  constructor(options: GateOptions) {
    const { ring, directory, locate } = options;
    this.#o = options;
    this.#router = new Router(ring.own, ring.others, directory, locate);
  }

  /**
   * Mounts the gate. Must be called before anything else is added to the server, which must trust the headers about the
   * caller.
   */
  mount(http: FastifyInstance): void {
    http.addHook('onRequest', (request, reply) => this.#enter(request, reply));
    http.addHook('onSend', (request, reply, payload, done) => {
      if (!ABSENT.has(reply.statusCode)) return done(null, payload);
      this.#doubt(request, reply, payload).then((body) => done(null, body), done);
    });
    http.addHook('preClose', async () => this.#carrier.endStreams());
    http.addHook('onClose', async () => this.#carrier.close());
  }

  async #enter(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | void> {
    const hops = this.#whoAsked(request);
    const names = await this.#namesOf(request);
    const at = performance.now();
    const place = await this.#placeOf(names, hops);
    if (place.kind === 'here') return void (names.length > 0 && this.#entered.set(request, { names, at }));
    if (place.kind === 'unknown') return this.#refuse(request, reply, null);
    return this.#carry(request, reply, { cell: place.cell, hops: hops + 1 });
  }

  /** Restores the request to what it was on arrival; returns the number of hops so far. */
  #whoAsked({ raw }: FastifyRequest): number {
    const said = raw.headers[FOR];
    const isOurs =
      typeof said === 'string' &&
      this.#o.ring.senderOf({ headers: raw.headers, method: raw.method!, url: raw.url! }, restOf(said, raw.headers)) !==
        null;
    if (!isOurs) {
      if (!this.#o.trustProxy) for (const name of FORWARDED) delete raw.headers[name];
      return 0;
    }
    for (const name of FORWARDED) delete raw.headers[name];
    const [hops, ip, protocol, host] = said.split(' ');
    raw.headers['x-forwarded-for'] = ip;
    raw.headers['x-forwarded-proto'] = protocol;
    raw.headers.host = host;
    return Number(hops);
  }

  async #namesOf(request: FastifyRequest): Promise<string[]> {
    const { raw, method } = request;
    const url = raw.url!;
    const names = namesIn({ headers: raw.headers, url, host: hostOf(request) }, this.#o.words);
    if (mayNameInBody(method, url)) names.push(...namesInBody(await peek(raw), raw.headers['content-type']));
    return names;
  }

  async #placeOf(names: readonly string[], hops: number): Promise<Place> {
    if (hops === 0) return this.#router.find(names);
    return hops < MAX_HOPS ? this.#router.findOn(names) : HERE;
  }

  /**
   * Returns true if the request's business may have been absent at some time since the request was admitted: it has
   * just left, or is about to arrive, and this process had not been notified yet. A "not found" would then be a wrong
   * response.
   */
  async mayHaveBeenAway(request: FastifyRequest): Promise<boolean> {
    const entered = this.#entered.get(request);
    return entered !== undefined && (await this.#router.mayHaveBeenAway(entered.names, entered.at));
  }

  /** Responds to such a request with a refusal to retry. */
  async #doubt(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
    if (!(await this.mayHaveBeenAway(request))) return payload;
    const { status, headers, body } = this.#refusal(request, MOVING);
    // If a body was left unread, the connection still closes.
    for (const name of Object.keys(reply.getHeaders())) if (name !== 'connection') reply.removeHeader(name);
    void reply.code(status).headers(headers);
    return body;
  }

  async #carry(
    request: FastifyRequest,
    reply: FastifyReply,
    { cell, hops }: { readonly cell: number; readonly hops: number },
  ): Promise<FastifyReply> {
    const { ring, metrics, log } = this.#o;
    const { raw, ip, protocol, host } = request;
    const said = `${hops} ${ip} ${protocol} ${host}`;
    const mark = ring.markFor(cell, { method: raw.method!, url: raw.url!, rest: restOf(said, raw.headers) });
    try {
      const to = { address: ring.addressOf(cell), headers: { [MARK]: mark, [FOR]: said } };
      const answer = await this.#carrier.send(raw, reply.raw, to);
      metrics.carried(cell, 'answered');
      reply.hijack();
      await this.#carrier.give(answer, raw, reply.raw);
      log.debug({ request_id: request.id, cell, status: answer.statusCode }, 'carried to another cell');
      return reply;
    } catch (error) {
      metrics.carried(cell, 'away');
      return this.#refuse(request, reply, error);
    }
  }

  #refuse(request: FastifyRequest, reply: FastifyReply, cause: unknown): FastifyReply {
    const message = 'This part of the service is not responding right now. Try again.';
    // The rest of the request is not read.
    if (request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined)
      void reply.header('connection', 'close');
    const { status, headers, body } = this.#refusal(request, new Failure('unavailable', message, cause));
    return reply.code(status).headers(headers).send(body);
  }

  /** Returns a page for people, and JSON for programs. */
  #refusal(request: FastifyRequest, problem: Problem): Written {
    if (wantsPage(request)) return writtenPage(request, problem, this.#o.https);
    const { id } = request;
    const { status, headers, body } = refusal(problem, id, false, {});
    return { status, headers: { ...headers, 'request-id': id, 'x-content-type-options': 'nosniff' }, body };
  }
}
