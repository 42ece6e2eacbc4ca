/**
 * The way of every request: credential → limit → business and mode → permission → query and body → the row through its
 * policy → run → what was written is read again under the caller's own eyes → answer.
 */
import { hash as digest } from 'node:crypto';
import { and, fill, raw, sql, statement } from '../db/sql.ts';
import { may, type Input, type Viewer } from '../access/viewer.ts';
import { credentialMissing, tokenRefused, bearerToken, modeHeader, providerHeader, resolveViewer, type Authenticator, type Grant } from '../access/grant.ts';
import { checkKey, claim, isStored, requestHash, store, type IdempotentRequest, type StoredAnswer } from './idempotency.ts';
import { flatQuery, isPathText, parseBody, pathId, querySchema, readBody, readQuery } from './input.ts';
import { Issues, notFound, Problem } from './problem.ts';
import { Reader, targetStatement, type Chosen, type Send } from './reader.ts';
import { Work, type Tenant } from '../work.ts';
import { visible, type Printed } from './compile.ts';
import { Failure, translate } from './refusals.ts';
import { printXml } from './xml.ts';
import type { Call, Endpoint } from './endpoint.ts';
import type { Database, Transaction } from '../db/database.ts';
import type { Registry } from './registry.ts';
import type { Resource } from './resource.ts';
import type { Shape, Wire } from './field.ts';
import type { Tenants } from '../access/tenants.ts';

export interface IncomingRequest {
  readonly method: string;
  /** path and query as the client wrote them */
  readonly url: string;
  readonly headers: Record<string, string | undefined>;
  readonly query: Record<string, string | string[] | undefined>;
  readonly params: Record<string, string>;
  readonly body: Buffer;
  readonly baseUrl: string;
  readonly ip: string;
  readonly requestId: string;
}

export interface Outgoing {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
  /** why the service failed, for the log only */
  readonly cause?: unknown;
}

export interface PipelineOptions {
  registry: Registry;
  db: Database;
  tenants: Tenants;
  authenticators: readonly Authenticator[];
  /** takes one request from the credential's allowance; returns headers, or throws the refusal */
  limit: (grant: Grant | null, ip: string) => Record<string, string>;
  now: () => number;
  aliases?: Aliases;
}

/** The words that an operator may add for integrations written against another base: header and credential prefixes. */
export interface Aliases {
  /** `Service` stands for Service-Request-Mode and Service-Provider-ID */
  readonly headers: readonly string[];
  /** `Bearer` */
  readonly credentials: readonly string[];
}

export const NO_ALIASES: Aliases = { headers: ['service'], credentials: ['Bearer'] };

class DryRun {
  readonly body: unknown;
  constructor(body: unknown) {
    this.body = body;
  }
}

interface Prepared {
  readonly endpoint: Endpoint;
  readonly request: IncomingRequest;
  readonly viewer: Viewer;
  readonly tenant: Tenant;
  readonly credential: string;
  readonly query: Record<string, any>;
  readonly now: number;
  readonly wire: Wire;
  readonly chosen: Chosen | null;
  readonly id: number | undefined;
}

export class Pipeline {
  readonly #o: PipelineOptions;
  readonly #reader: Reader;
  readonly #querySchemas = new Map<Endpoint, Shape>();
  readonly #aliases: Aliases;

  constructor(options: PipelineOptions) {
    this.#o = options;
    this.#aliases = options.aliases ?? NO_ALIASES;
    this.#reader = new Reader(options.registry);
    for (const endpoint of options.registry.endpoints) this.#querySchemas.set(endpoint, querySchema(endpoint));
  }

  async handle(endpoint: Endpoint, request: IncomingRequest): Promise<Outgoing> {
    const headers: Record<string, string> = {};
    const xml = wantsXml(request);
    try {
      const prepared = await this.#prepare(endpoint, request, headers);
      const answer = endpoint.method === 'GET' ? await this.#read(prepared) : await this.#write(prepared);
      return this.#finish(prepared, answer, headers, xml);
    } catch (error) {
      if (error instanceof Replay) return { ...error.answer, headers: { ...headers, ...error.answer.headers, 'idempotent-replayed': 'true' } };
      return refusal(translate(error, this.#o.registry.constraints), request.requestId, xml, headers);
    }
  }

  async #prepare(endpoint: Endpoint, request: IncomingRequest, headers: Record<string, string>): Promise<Prepared> {
    const { tenants, now } = this.#o;
    checkAcceptable(request);
    const grant = await this.#authenticate(request).catch((error) => {
      // A wrong credential is charged to its address: guessing one must not be free.
      this.#o.limit(null, request.ip);
      throw error;
    });
    Object.assign(headers, this.#o.limit(grant, request.ip));
    if (!grant && !endpoint.who.unregistered) throw credentialMissing();
    const viewer = await resolveViewer(
      grant,
      providerHeader(this.#header(request, 'provider-id')),
      modeHeader(this.#header(request, 'request-mode')),
      async (providerId) => (await tenants.of(providerId)) !== null,
    );
    checkWho(endpoint, viewer);
    const tenant = await tenants.of(viewer.providerId);
    if (!tenant) throw tokenRefused();
    const strict = /(^|[,;\s])handling=strict\b/i.test(request.headers.prefer ?? '');
    const query = readQuery(this.#querySchemas.get(endpoint)!, flatQuery(request.query), tenant.zone, strict);
    if (query.page_size !== undefined) query.page_size = Math.min(query.page_size, endpoint.pageSize ?? 100);
    const resource = 'resource' in endpoint.returns ? endpoint.returns.resource : null;
    if (resource && strict) {
      const unknown = this.#reader.unknown(resource, query.fields, query.expand);
      const [first] = Object.entries(unknown);
      if (first) throw new Problem('parameter_invalid', `${first[0]}: ${first[1][0]}`, unknown);
    }
    if (Object.values(request.params).some((value) => !isPathText(value))) throw notFound();
    let id: number | undefined;
    if (request.params.id !== undefined) {
      const known = pathId(request.params.id);
      if (known === null) throw notFound();
      id = known;
    }
    const at = now();
    return {
      endpoint,
      request,
      viewer,
      tenant,
      credential: grant?.credential ?? `address:${request.ip}`,
      query,
      now: at,
      wire: { zone: tenant.zone, baseUrl: request.baseUrl, currency: tenant.currency, now: at },
      chosen: resource && this.#reader.choose(resource, query.fields, query.expand),
      id,
    };
  }

  #header(request: IncomingRequest, name: string): string | undefined {
    for (const prefix of this.#aliases.headers) {
      const value = request.headers[`${prefix}-${name}`];
      if (value !== undefined) return value;
    }
    return undefined;
  }

  async #authenticate(request: IncomingRequest): Promise<Grant | null> {
    const token = bearerToken(request.headers.authorization, this.#aliases.credentials);
    if (token === null) return null;
    for (const authenticator of this.#o.authenticators) {
      const grant = await authenticator(token);
      if (grant) return grant;
    }
    throw tokenRefused();
  }

  // Reading ------------------------------------------------------------------------------------------------------------

  async #read(p: Prepared): Promise<unknown> {
    const { endpoint, viewer, query, id, now, wire, chosen } = p;
    if (endpoint.run) {
      return this.#o.db.transaction(p.tenant.providerId, async (tx) => {
        const target = endpoint.target ? await this.#target(tx, p, false) : {};
        const value = await endpoint.run!(this.#call(p, this.#work(tx, p), target, {}));
        return this.#shown(p, value, (commands) => tx.send(commands));
      });
    }
    const { kind, resource } = endpoint.returns as { kind: string; resource: Resource };
    const short: Send = (commands) => this.#o.db.readShort(viewer.providerId, commands);
    if (kind === 'one') return (await this.#reader.one(resource, chosen!, { viewer, now, query, id }, wire, short)) ?? raise(notFound());
    const send: Send = (commands) => this.#o.db.read(viewer.providerId, commands);
    const offset = (query.page - 1) * query.page_size;
    if (endpoint.target && !(await this.#isVisible(endpoint.target, p))) throw notFound();
    const { count, results } = await this.#reader.page(endpoint, chosen!, { viewer, now, query, id, offset }, wire, send);
    return envelope(p.request, query, count, results);
  }

  async #isVisible(resource: Resource, p: Prepared): Promise<boolean> {
    const s = statement(targetStatement(resource, p.viewer, false));
    const [answer] = await this.#o.db.read(p.viewer.providerId, [{ statement: s, values: fill(s.holes, inputOf(p)) }]);
    return answer.rows.length > 0;
  }

  // Writing ------------------------------------------------------------------------------------------------------------

  async #write(p: Prepared): Promise<unknown> {
    const { endpoint, request, now } = p;
    const parsed = parseBody(request.headers['content-type'], request.body);
    const body = readBody(endpoint.body ?? {}, parsed, p.tenant.zone);
    const key = request.headers['idempotency-key'];
    if (endpoint.together && key === undefined && !p.query.dry_run && request.headers['if-match'] === undefined) {
      const { viewer, tenant } = p;
      return endpoint.together({ db: this.#o.db, id: p.id!, viewer, tenant, now, requestId: request.requestId, body });
    }
    const idempotent: IdempotentRequest | null =
      key === undefined || p.query.dry_run
        ? null
        : {
            providerId: p.tenant.providerId,
            credential: `${p.credential}|${p.viewer.mode}`,
            key: checkKey(key),
            hash: requestHash(request.method, request.url, request.body),
          };
    try {
      return await this.#o.db.transaction(p.tenant.providerId, (tx) =>
        idempotent ? this.#once(tx, p, body, idempotent) : this.#change(tx, p, body),
      );
    } catch (error) {
      if (error instanceof DryRun) return error.body;
      throw error;
    }
  }

  async #once(tx: Transaction, p: Prepared, body: Record<string, any>, idempotent: IdempotentRequest): Promise<unknown> {
    const before = await claim(tx, idempotent);
    if (before) throw new Replay(before);
    const xml = wantsXml(p.request);
    try {
      const value = await tx.attempt(() => this.#change(tx, p, body));
      await store(tx, idempotent, this.#finish(p, value, {}, xml), p.now);
      return value;
    } catch (error) {
      const problem = translate(error, this.#o.registry.constraints);
      if (!(problem instanceof Problem) || !isStored(problem.status)) throw error;
      // Committed with the refusal as the stored answer; what the attempt wrote is undone.
      await store(tx, idempotent, refusal(problem, p.request.requestId, xml, {}), p.now);
      return new Refused(problem);
    }
  }

  async #change(tx: Transaction, p: Prepared, body: Record<string, any>): Promise<unknown> {
    const { endpoint, request, query } = p;
    const work = this.#work(tx, p);
    const target = endpoint.target ? await this.#target(tx, p, true) : {};
    if (request.headers['if-match'] !== undefined && endpoint.target) await this.#checkVersion(tx, p);
    await this.#checkReferences(tx, p, body);
    const value = await endpoint.run!(this.#call(p, work, target, body));
    await this.#auditChange(work, p, target, value);
    for (const record of work.takeRecords()) await tx.run(record);
    const shown = await this.#shown(p, value, (commands) => tx.send(commands));
    if (query.dry_run) throw new DryRun({ ...(shown as object), effects: work.effects });
    return shown;
  }

  #work(tx: Transaction, { tenant, viewer, now, request }: Prepared): Work {
    return new Work({ tx, tenant, viewer, now, requestId: request.requestId });
  }

  #call(p: Prepared, work: Work, target: Record<string, any>, body: Record<string, any>): Call {
    return { work, query: p.query, body, params: p.request.params, target, baseUrl: p.request.baseUrl };
  }

  async #target(tx: Transaction, p: Prepared, lock: boolean): Promise<Record<string, any>> {
    const found = await tx.one(targetStatement(p.endpoint.target!, p.viewer, lock), inputOf(p));
    return found ?? raise(notFound());
  }

  async #checkVersion(tx: Transaction, p: Prepared): Promise<void> {
    const target = p.endpoint.target!;
    const { returns } = p.endpoint;
    // The selection of the call is one of what it answers, which need not be what the path names.
    const chosen = returns.kind === 'one' && returns.resource === target ? p.chosen! : this.#reader.choose(target, undefined, undefined);
    const current = await this.#reader.one(target, chosen, inputOf(p), p.wire, (commands) => tx.send(commands));
    const wanted = p.request.headers['if-match']!.split(',').map((tag) => tag.trim());
    if (wanted.includes('*') || wanted.includes(etag(JSON.stringify(current)))) return;
    throw new Problem('version_mismatch', 'The resource has changed since; read it again.');
  }

  /** Every id in the body must be of something that the caller may see. */
  async #checkReferences(tx: Transaction, p: Prepared, body: Record<string, any>): Promise<void> {
    const issues = new Issues();
    const wanted = references(p.endpoint.body ?? {}, body);
    for (const { path, target, ids } of wanted) {
      const resource = this.#o.registry.resourceOf(target);
      const all = and([sql`t.provider_id = ${p.viewer.providerId}`, sql`t.${raw(resource.idColumn)} = ANY(${ids}::bigint[])`, ...visible(resource, 't', p.viewer)]);
      const found = await tx.rows<{ id: number }>(sql`SELECT t.${raw(resource.idColumn)} AS id FROM ${raw(resource.table)} t WHERE ${all}`, inputOf(p));
      const known = new Set(found.map((row) => row.id));
      for (const id of ids) if (!known.has(id)) issues.add(path, `There is no ${target.replaceAll('_', ' ')} with the id ${id}.`);
    }
    issues.throwIfAny();
  }

  /** The row before and after, of what the path names or of what the call made. */
  async #auditChange(work: Work, p: Prepared, before: Record<string, any>, value: unknown): Promise<void> {
    const { target, returns, method, path } = p.endpoint;
    const resource = target ?? (returns.kind === 'one' ? returns.resource : null);
    if (!resource) return;
    const id = target ? p.id! : (value as number);
    const { table, idColumn, secret, name } = resource;
    const after = await work.tx.one(sql`SELECT * FROM ${raw(table)} WHERE provider_id = ${work.providerId} AND ${raw(idColumn)} = ${id}`);
    const strip = (row: Record<string, any> | undefined) =>
      row === undefined ? null : Object.fromEntries(Object.entries(row).filter(([column]) => !secret.includes(column)));
    work.audit({ action: `${method} ${path}`, object: name, objectId: id, before: target ? strip(before) : null, after: strip(after) });
  }

  /** What a handler returned, as the caller sees it. */
  async #shown(p: Prepared, value: unknown, send: Send): Promise<unknown> {
    const { returns } = p.endpoint;
    if (returns.kind === 'none') return null;
    if (returns.kind === 'one') {
      return (await this.#reader.one(returns.resource, p.chosen!, { ...inputOf(p), id: value as number }, p.wire, send)) ?? raise(notFound());
    }
    if (returns.kind === 'pageOf') {
      const { count, results } = value as { count: number; results: Printed[] };
      return envelope(p.request, p.query, count, results);
    }
    return value;
  }

  #finish(p: Prepared, value: unknown, headers: Record<string, string>, xml: boolean): Outgoing {
    if (value instanceof Refused) return refusal(value.problem, p.request.requestId, xml, headers);
    const { endpoint, request } = p;
    if (endpoint.returns.kind === 'none') return { status: 204, headers, body: '' };
    const body = JSON.stringify(value);
    headers.vary = 'Authorization, Accept, Service-Provider-ID, Service-Request-Mode';
    headers['cache-control'] = 'private, no-cache';
    if (endpoint.returns.kind === 'one' && !p.query.dry_run) {
      headers.etag = etag(body);
      if (endpoint.method === 'GET' && request.headers['if-none-match']?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === headers.etag)) {
        return { status: 304, headers, body: '' };
      }
      if (endpoint.status === 201) headers.location = `${request.baseUrl}/api/v2${endpoint.path}/${(value as { id?: number }).id ?? ''}`.replace(/\/$/, '');
    }
    headers['content-type'] = xml ? 'application/xml; charset=utf-8' : 'application/json; charset=utf-8';
    return { status: p.query.dry_run ? 200 : endpoint.status, headers, body: xml ? printXml(value) : body };
  }
}

class Replay {
  readonly answer: StoredAnswer;
  constructor(answer: StoredAnswer) {
    this.answer = answer;
  }
}

/** A refusal that was committed as the answer to its key. */
class Refused {
  readonly problem: Problem;
  constructor(problem: Problem) {
    this.problem = problem;
  }
}

function raise(error: Error): never {
  throw error;
}

const inputOf = (p: Prepared): Input => ({ viewer: p.viewer, now: p.now, query: p.query, id: p.id });

function checkWho({ who }: Endpoint, viewer: Viewer): void {
  if (viewer.mode === 'provider') {
    if (who.provider === false) throw notForMode(viewer);
    if (who.provider !== true && !may(viewer, ...who.provider)) {
      throw new Problem('permission_denied', `In provider mode this needs the permission ${['super_admin', ...who.provider.filter((x) => x !== 'super_admin')].join(' or ')}.`);
    }
  } else if (!who[viewer.mode]) throw notForMode(viewer);
}

const notForMode = (viewer: Viewer) => new Problem('mode_not_allowed', `This operation is not available in ${viewer.mode} mode.`);

const JSON_TYPES = ['application/json', 'application/*', '*/*'];
const XML_TYPES = ['application/xml', 'text/xml'];

/** The form that the client likes best; the order of its list decides between equals. */
function wantsXml(request: IncomingRequest): boolean {
  if (request.query.format !== undefined) return request.query.format === 'xml';
  const { accept } = request.headers;
  if (accept === undefined || accept === '*/*') return false;
  const types = accept.toLowerCase().split(',').map((part) => part.split(';')[0].trim());
  const first = types.find((type) => JSON_TYPES.includes(type) || XML_TYPES.includes(type));
  return first !== undefined && XML_TYPES.includes(first) && !types.some((type) => type === '*/*' && types.includes('text/html'));
}

function checkAcceptable(request: IncomingRequest): void {
  const { accept } = request.headers;
  if (accept === undefined || accept.trim() === '' || request.query.format !== undefined) return;
  const types = accept.toLowerCase().split(',').map((part) => part.split(';')[0].trim());
  if (!types.some((type) => JSON_TYPES.includes(type) || XML_TYPES.includes(type))) {
    throw new Problem('not_acceptable', 'The service answers application/json or application/xml.');
  }
}

const etag = (body: string): string => `"${digest('sha1', body, 'base64url')}"`;

function envelope(request: IncomingRequest, query: Record<string, any>, count: number, results: unknown[]) {
  const { page, page_size: size } = query;
  const at = (n: number) => {
    const [path, search = ''] = request.url.split('?');
    const parameters = new URLSearchParams(search);
    parameters.set('page', String(n));
    return `${request.baseUrl}${path}?${parameters}`;
  };
  return { count, next: page * size < count ? at(page + 1) : null, previous: page > 1 ? at(page - 1) : null, results };
}

export function refusal(problem: Problem, requestId: string, xml: boolean, headers: Record<string, string>): Outgoing {
  const body = problem.body(requestId);
  return {
    status: problem.status,
    headers: { ...headers, ...problem.headers, 'content-type': xml ? 'application/xml; charset=utf-8' : 'application/json; charset=utf-8', 'cache-control': 'no-store' },
    body: xml ? printXml(body) : JSON.stringify(body),
    cause: problem instanceof Failure ? problem.cause : undefined,
  };
}

/** The ids in a body that stand for other resources. */
function references(shape: Shape, body: Record<string, any>): { path: string; target: string; ids: number[] }[] {
  const found: { path: string; target: string; ids: number[] }[] = [];
  for (const [name, { spec }] of Object.entries(shape)) {
    const value = body[name];
    if (!spec.relation || value === undefined || value === null) continue;
    found.push({ path: name, target: spec.relation.target, ids: [value].flat() });
  }
  return found;
}

