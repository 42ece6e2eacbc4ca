/**
 * The way of every request: credential → limit → business and mode → permission → query and body → the row through its
 * policy → run → what was written is read again under the caller's own eyes → answer.
 */
import { Admission, inputOf, type AdmissionOptions, type Identified, type Prepared } from './admission.ts';
import { and, fill, raw, sql, statement } from '../db/sql.ts';
import {
  addressWith,
  answerOf,
  envelope,
  etag,
  refusal,
  wantsXml,
  type IncomingRequest,
  type Outgoing,
} from './exchange.ts';
import { auditTouched } from '../audit.ts';
import {
  checkKey,
  claim,
  isStored,
  requestHash,
  store,
  type IdempotentRequest,
  type StoredAnswer,
} from './idempotency.ts';
import { AccessChanged, type Database, type Transaction } from '../db/database.ts';
import { invalid, Issues, notFound, Problem, Refused } from './problem.ts';
import { parseBody, readBody, shownBefore } from './input.ts';
import { Reader, targetStatement } from './reader.ts';
import { Failure, translate } from './refusals.ts';
import { sideOf } from '../values/told.ts';
import { checkTouched, checkWithin, isBound, isPlaced } from './venue-limit.ts';
import { visible, type Printed } from './compile.ts';
import { Work, type Effect } from '../work.ts';
import type { Call, Endpoint, OutsideCall } from './endpoint.ts';
import type { FeedTail } from '../feed/tail.ts';
import type { Installation } from '../installation.ts';
import type { Opening } from './streams.ts';
import type { Send } from '../db/batch.ts';
import type { Resource } from './resource.ts';
import type { SentBack, Shape } from './field.ts';

export interface PipelineOptions extends AdmissionOptions {
  db: Database;
  installation: Installation;
  feed: FeedTail;
}

export interface Entered extends Identified {
  /** what belongs to the answer whatever comes of the request */
  readonly headers: Readonly<Record<string, string>>;
}

/** Whatever comes before a page is read and thrown away: so many entries at most. */
const DEEPEST = 100_000;

/** Each time something else must have changed in between. */
const ATTEMPTS = 4;

class DryRun {
  readonly body: unknown;
  constructor(body: unknown) {
    this.body = body;
  }
}

export class Pipeline {
  readonly #o: PipelineOptions;
  readonly #reader: Reader;
  readonly #admission: Admission;
  readonly #shownBefore: ReadonlyMap<Endpoint, Shape | undefined>;

  constructor(options: PipelineOptions) {
    this.#o = options;
    this.#reader = new Reader(options.registry);
    this.#admission = new Admission(options, this.#reader);
    const { endpoints } = options.registry;
    this.#shownBefore = new Map(endpoints.map((endpoint) => [endpoint, shownBefore(endpoint, endpoints)]));
  }

  /** Who calls, before the body of the request is read; or the refusal. */
  async enter(endpoint: Endpoint, request: IncomingRequest): Promise<Entered | Outgoing> {
    const headers: Record<string, string> = {};
    try {
      return { ...(await this.#again(() => this.#admission.identify(endpoint, request, headers))), headers };
    } catch (error) {
      return refusal(translate(error, this.#o.registry.constraints), request.requestId, wantsXml(request), headers);
    }
  }

  /** `entered`: what `enter` has said of the request. */
  async handle(endpoint: Endpoint, request: IncomingRequest, entered?: Entered): Promise<Outgoing> {
    const headers: Record<string, string> = { ...entered?.headers };
    const xml = wantsXml(request);
    try {
      const { prepared, answer } = await this.#settled(endpoint, request, headers, entered);
      return this.#finish(prepared, answer, headers, xml);
    } catch (error) {
      if (error instanceof Replay)
        return { ...error.answer, headers: { ...headers, ...error.answer.headers, 'idempotent-replayed': 'true' } };
      return refusal(translate(error, this.#o.registry.constraints), request.requestId, xml, headers);
    }
  }

  /** The same for an endpoint that answers with a stream, up to the moment in which it begins; or the refusal. */
  async open(
    endpoint: Endpoint,
    request: IncomingRequest,
    headers: Record<string, string>,
  ): Promise<Opening | Outgoing> {
    try {
      const p = await this.#again(async () => {
        const prepared = await this.#admission.admit(endpoint, request, headers);
        // Nothing of the business was read for this yet: a credential that has ended meanwhile is refused here.
        if (prepared.standing !== undefined) await this.#o.credentials.confirm(prepared.standing);
        return prepared;
      });
      const { db, feed } = this.#o;
      const { viewer, tenant, query } = p;
      const over = new AbortController();
      const events = endpoint.stream!({
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
      return refusal(translate(error, this.#o.registry.constraints), request.requestId, wantsXml(request), headers);
    }
  }

  /** Admits the request and acts; again from the start when what its credential reaches has changed in between. */
  #settled(
    endpoint: Endpoint,
    request: IncomingRequest,
    headers: Record<string, string>,
    entered?: Entered,
  ): Promise<{ prepared: Prepared; answer: unknown }> {
    let known: Identified | undefined = entered;
    return this.#again(async () => {
      // What was known before the body was read holds for one attempt: the next one asks again.
      const before = known;
      known = undefined;
      const prepared = await this.#admission.admit(endpoint, request, headers, before);
      const { mode } = prepared.viewer;
      const answer = await (endpoint.method === 'GET' ? this.#read(prepared) : this.#write(prepared)).catch(
        (error: unknown) => {
          const problem = translate(error, this.#o.registry.constraints);
          throw problem instanceof Failure ? error : problem.heardBy(sideOf(mode));
        },
      );
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

  /** The transaction of a request: of its business, or across them for what belongs to none. */
  #open<T>({ endpoint, tenant, standing }: Prepared, act: (tx: Transaction) => Promise<T>): Promise<T> {
    if (endpoint.method === 'GET') {
      return endpoint.belongsTo === 'installation'
        ? this.#o.db.lookingAcross('the endpoint reads for no business', act, standing)
        : this.#o.db.looking(tenant.providerId, act, standing);
    }
    return endpoint.belongsTo === 'installation'
      ? this.#o.db.acrossTenants('the endpoint acts for no business', act, standing)
      : this.#o.db.transaction(tenant.providerId, act, standing);
  }

  // Reading
  // ------------------------------------------------------------------------------------------------------------

  async #read(p: Prepared): Promise<unknown> {
    const { endpoint, viewer, query, id, now, wire, chosen, standing } = p;
    if (endpoint.outside) return endpoint.outside(this.#outside(p, {}));
    if (endpoint.run) {
      return this.#open(p, async (tx) => {
        const target = endpoint.target ? await this.#target(tx, p, false) : {};
        if (isBound(endpoint, viewer)) await checkWithin(tx, endpoint.target!, [id!], inputOf(p));
        const value = await endpoint.run!(this.#call(p, this.#work(tx, p), target, {}));
        return this.#shown(p, value, (commands) => tx.send(commands));
      });
    }
    const { kind, resource } = endpoint.returns as { kind: string; resource: Resource };
    const short: Send = (commands) => this.#o.db.readShort(viewer.providerId, commands, standing);
    if (kind === 'one')
      return (await this.#reader.one(resource, chosen!, { viewer, now, query, id }, wire, short)) ?? raise(notFound());
    const send: Send = (commands) =>
      viewer.reached
        ? this.#o.db.acrossTenants(
            'the list is of every business that the credential reaches',
            (tx) => tx.send(commands),
            standing,
          )
        : this.#o.db.readList(viewer.providerId, commands, standing);
    const offset = (query.page - 1) * query.page_size;
    if (endpoint.target && !(await this.#isVisible(endpoint.target, p))) throw notFound();
    if (query.page * query.page_size > DEEPEST && query.page > 1) return this.#tooDeep(p, offset, send);
    const { count, results } = await this.#reader.page(
      endpoint,
      chosen!,
      { viewer, now, query, id, offset },
      wire,
      send,
    );
    return envelope(p.request, query, count, results);
  }

  /** A page behind the last one is empty however far; one that has entries takes too long to get to. */
  async #tooDeep(p: Prepared, offset: number, send: Send): Promise<unknown> {
    const count = await this.#reader.count(p.endpoint, p.chosen!, inputOf(p), send);
    if (count > offset)
      throw invalid(
        'page',
        `Pages reach the first ${DEEPEST.toLocaleString('en')} entries of a list, and this one has ${count.toLocaleString('en')}. Narrow it with filters.`,
      );
    return envelope(p.request, p.query, count, []);
  }

  async #isVisible(resource: Resource, p: Prepared): Promise<boolean> {
    const s = statement(targetStatement(resource, p.viewer, false));
    const [answer] = await this.#o.db.read(
      p.viewer.providerId,
      [{ statement: s, values: fill(s.holes, inputOf(p)) }],
      p.standing,
    );
    return answer.rows.length > 0;
  }

  // Writing
  // ------------------------------------------------------------------------------------------------------------

  async #write(p: Prepared): Promise<unknown> {
    const { endpoint, request, now } = p;
    const shown = this.#shownBefore.get(endpoint);
    const back: SentBack | undefined = shown && { shown, strict: p.strict, currency: p.tenant.currency, nulls: [] };
    const { zone } = p.tenant;
    const body = await this.#admission.refusing(p.standing, async () =>
      readBody(endpoint.body ?? {}, await parseBody(request.headers['content-type'], request.body), zone, back),
    );
    const nulls = back?.nulls ?? [];
    if (endpoint.outside) return endpoint.outside(this.#outside(p, body));
    if (endpoint.ahead) await this.#admission.refusing(p.standing, () => endpoint.ahead!(body, this.#o.installation));
    const key = endpoint.belongsTo === 'installation' ? undefined : request.headers['idempotency-key'];
    // Who is limited to venues goes the way on which the limit is looked at.
    if (
      endpoint.together &&
      p.viewer.venues === null &&
      key === undefined &&
      !p.query.dry_run &&
      request.headers['if-match'] === undefined
    ) {
      const { viewer, tenant, standing } = p;
      return endpoint.together({
        db: this.#o.db,
        registry: this.#o.registry,
        id: p.id!,
        viewer,
        tenant,
        now,
        requestId: request.requestId,
        body,
        standing,
      });
    }
    const idempotent: IdempotentRequest | null =
      key === undefined || p.query.dry_run
        ? null
        : {
            providerId: p.tenant.providerId,
            credential: `${p.credential}|${p.viewer.mode}`,
            key: checkKey(key),
            hash: requestHash(this.#o.installation.box, request.method, request.url, request.body),
          };
    try {
      return await this.#open(p, (tx) =>
        idempotent ? this.#once(tx, p, { body, nulls }, idempotent) : this.#change(tx, p, { body, nulls }),
      );
    } catch (error) {
      if (error instanceof DryRun) return error.body;
      throw error;
    }
  }

  async #once(tx: Transaction, p: Prepared, sent: Sent, idempotent: IdempotentRequest): Promise<unknown> {
    const before = await claim(tx, idempotent);
    if (before) throw new Replay(before);
    const xml = wantsXml(p.request);
    try {
      const value = await tx.attempt(() => this.#change(tx, p, sent));
      await store(tx, idempotent, this.#finish(p, value instanceof Revealed ? value.concealed : value, {}, xml), p.now);
      return value;
    } catch (error) {
      const problem = translate(error, this.#o.registry.constraints).heardBy(sideOf(p.viewer.mode));
      if (!(problem instanceof Problem) || !isStored(problem.status)) throw error;
      // Committed with the refusal as the stored answer; what the attempt wrote is undone.
      await store(tx, idempotent, refusal(problem, p.request.requestId, xml, {}), p.now);
      return new Refused(problem);
    }
  }

  async #change(tx: Transaction, p: Prepared, { body, nulls }: Sent): Promise<unknown> {
    const { endpoint, request, query } = p;
    const work = this.#work(tx, p);
    const target = endpoint.target ? await this.#target(tx, p, !endpoint.unlocked) : {};
    if (isBound(endpoint, p.viewer)) await checkWithin(tx, endpoint.target!, [p.id!], inputOf(p));
    if (request.headers['if-match'] !== undefined && endpoint.target) await this.#checkVersion(tx, p);
    if (nulls.length > 0) await this.#checkNothing(tx, p, nulls);
    await this.#checkReferences(tx, p, body);
    if (endpoint.target && !endpoint.unlocked) work.touch(endpoint.target.table, p.id!, target);
    const value = await endpoint.run!(this.#call(p, work, target, body));
    await this.#keep(work, p);
    if (value instanceof Refused) {
      // What a refusal keeps is not kept by a trial.
      if (query.dry_run) throw value.problem;
      return value;
    }
    const shown = await this.#shown(p, value, (commands) => tx.send(commands));
    if (query.dry_run) throw new DryRun({ ...(shown as object), effects: effectsOf(work) });
    return work.revealed ? new Revealed(shown as object, work.revealed) : shown;
  }

  /** Writes what the work wants kept beside its change. */
  async #keep(work: Work, p: Prepared): Promise<void> {
    const { endpoint } = p;
    for (const each of work.all) {
      await checkTouched(each, this.#o.registry, { ...inputOf(p), viewer: each.viewer });
      await auditTouched(each, this.#o.registry, `${endpoint.method} ${endpoint.path}`);
      const records = each.takeRecords();
      if (records.length > 0 && each.providerId === 0)
        throw new Error(`${endpoint.method} ${endpoint.path} belongs to no business and leaves records of one`);
      for (const record of records) await each.tx.run(record);
    }
  }

  #outside(p: Prepared, body: Record<string, any>): OutsideCall {
    const { viewer, tenant, now, standing, request, query } = p;
    const { params, pagesUrl, baseUrl, grant, ip, header } = this.#given(p);
    return {
      db: this.#o.db,
      registry: this.#o.registry,
      viewer,
      tenant,
      now,
      requestId: request.requestId,
      body,
      standing,
      query,
      params,
      pagesUrl,
      baseUrl,
      grant,
      ip,
      header,
      installation: this.#o.installation,
      transact: (act) =>
        this.#open(p, async (tx) => {
          const work = this.#work(tx, p);
          const result = await act(work);
          await this.#keep(work, p);
          return result;
        }),
    };
  }

  #work(tx: Transaction, { tenant, viewer, now, request }: Prepared): Work {
    const { registry, installation } = this.#o;
    return new Work({ tx, registry, tenant, viewer, now, requestId: request.requestId, installation });
  }

  #call(p: Prepared, work: Work, target: Record<string, any>, body: Record<string, any>): Call {
    return { ...this.#given(p), work, query: p.query, dryRun: p.query.dry_run === true, body, target };
  }

  #given({ request, grant }: Prepared): Pick<Call, 'params' | 'pagesUrl' | 'baseUrl' | 'grant' | 'ip' | 'header'> {
    const { params, pagesUrl, baseUrl, ip } = request;
    return { params, pagesUrl, baseUrl, ip, grant, header: (name) => this.#admission.header(request, name) };
  }

  async #target(tx: Transaction, p: Prepared, lock: boolean): Promise<Record<string, any>> {
    const found = await tx.one(targetStatement(p.endpoint.target!, p.viewer, lock), inputOf(p));
    return found ?? raise(notFound());
  }

  async #checkVersion(tx: Transaction, p: Prepared): Promise<void> {
    const target = p.endpoint.target!;
    const { returns } = p.endpoint;
    // The selection of the call is one of what it answers, which need not be what the path names.
    const chosen =
      returns.kind === 'one' && returns.resource === target
        ? p.chosen!
        : this.#reader.choose(target, undefined, undefined);
    const current = await this.#reader.one(target, chosen, inputOf(p), p.wire, (commands) => tx.send(commands));
    const wanted = p.request.headers['if-match']!.split(',').map((tag) => tag.trim());
    if (wanted.includes('*') || wanted.includes(etag(JSON.stringify(current)))) return;
    throw new Problem('version_mismatch', 'The resource has changed since; read it again.');
  }

  /** What must not become null may be sent as null where it is null already. */
  async #checkNothing(tx: Transaction, p: Prepared, names: readonly string[]): Promise<void> {
    const { target } = p.endpoint;
    const send: Send = (commands) => tx.send(commands);
    const chosen = target && this.#reader.choose(target, names.join(), undefined);
    const now = chosen && (await this.#reader.one(target, chosen, inputOf(p), p.wire, send));
    const issues = new Issues();
    for (const name of names) if (now?.[name] !== null) issues.add(name, 'This field may not be null.');
    issues.throwIfAny();
  }

  /** Every id in the body must be of something that the caller may see. */
  async #checkReferences(tx: Transaction, p: Prepared, body: Record<string, any>): Promise<void> {
    const issues = new Issues();
    const wanted = references(p.endpoint.body ?? {}, body);
    for (const { path, target, ids } of wanted) {
      const resource = this.#o.registry.resourceOf(target);
      const all = and([
        sql`t.provider_id = ${p.viewer.providerId}`,
        sql`t.${raw(resource.idColumn)} = ANY(${ids}::bigint[])`,
        ...visible(resource, 't', p.viewer),
      ]);
      const found = await tx.rows<{ id: number }>(
        sql`SELECT t.${raw(resource.idColumn)} AS id FROM ${raw(resource.table)} t WHERE ${all}`,
        inputOf(p),
      );
      const known = new Set(found.map((row) => row.id));
      for (const id of ids)
        if (!known.has(id)) issues.add(path, `There is no ${target.replaceAll('_', ' ')} with the id ${id}.`);
    }
    issues.throwIfAny();
    if (p.viewer.venues === null || !isPlaced(p.endpoint)) return;
    for (const { target, ids } of wanted) {
      const resource = this.#o.registry.resourceOf(target);
      if (resource.place) await checkWithin(tx, resource, ids, inputOf(p));
    }
  }

  /** What a handler returned, as the caller sees it. */
  async #shown(p: Prepared, value: unknown, send: Send): Promise<unknown> {
    const { returns } = p.endpoint;
    if (returns.kind === 'none') return null;
    if (returns.kind === 'one') {
      return (
        (await this.#reader.one(returns.resource, p.chosen!, { ...inputOf(p), id: value as number }, p.wire, send)) ??
        raise(notFound())
      );
    }
    if (returns.kind === 'pageOf') {
      const { count, results, next } = value as PageOf;
      if (next === undefined) return envelope(p.request, p.query, count, results);
      return { count, next: next && addressWith(p.request, next), previous: null, results };
    }
    return value;
  }

  #finish(
    { endpoint, request, query, viewer }: Prepared,
    value: unknown,
    headers: Record<string, string>,
    xml: boolean,
  ): Outgoing {
    if (value instanceof Refused)
      return refusal(value.problem.heardBy(sideOf(viewer.mode)), request.requestId, xml, headers);
    if (!(value instanceof Revealed)) return answerOf(endpoint, request, query.dry_run === true, value, headers, xml);
    const answer = answerOf(endpoint, request, false, value.shown, headers, xml);
    // The version is that of what can be read again, and nothing in between may keep a secret.
    const { etag: _, ...rest } = answer.headers;
    return { ...answer, headers: { ...rest, 'cache-control': 'no-store' } };
  }
}

/**
 * What a trial says of itself: the consequences that the operation names, else what staff would read of it in the feed.
 */
const effectsOf = (work: Work): readonly Effect[] =>
  work.effects.length > 0 || work.viewer.mode !== 'provider' ? work.effects : work.recorded;

/** A body, and the names in it that say nothing where there is nothing. */
interface Sent {
  readonly body: Record<string, any>;
  readonly nulls: readonly string[];
}

/**
 * What a handler of a page returns; `next`: the parameters with which the list goes on, where pages have no numbers.
 */
interface PageOf {
  readonly count: number;
  readonly results: Printed[];
  readonly next?: Record<string, string> | null;
}

class Replay {
  readonly answer: StoredAnswer;
  constructor(answer: StoredAnswer) {
    this.answer = answer;
  }
}

/** An answer with values that are shown once. */
class Revealed {
  readonly shown: object;
  /** as it is kept for a repetition */
  readonly concealed: object;
  constructor(shown: object, secrets: Record<string, unknown>) {
    this.shown = { ...shown, ...secrets };
    this.concealed = { ...shown, ...Object.fromEntries(Object.keys(secrets).map((name) => [name, null])) };
  }
}

function raise(error: Error): never {
  throw error;
}

/** The ids in a body that stand for other resources. */
function references(
  shape: Shape,
  body: Record<string, any>,
  within = '',
): { path: string; target: string; ids: number[] }[] {
  const found: { path: string; target: string; ids: number[] }[] = [];
  for (const [name, { spec }] of Object.entries(shape)) {
    const value = body[name];
    if (value === undefined || value === null) continue;
    if (spec.shape) found.push(...references(spec.shape, value, `${within}${name}.`));
    if (spec.relation)
      found.push({
        path: within + name,
        target: spec.relation.target,
        ids: [value].flat().filter((one) => typeof one !== 'string'),
      });
  }
  return found;
}
