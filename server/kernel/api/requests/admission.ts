/**
 * Admits a request: credential → rate limit → business and mode → permission → query. The result is final: who calls,
 * for which business, and what for.
 */
import {
  bearerToken,
  credentialMissing,
  modeHeader,
  providerHeader,
  resolveViewer,
  stranger,
  tokenRefused,
  viewerOfAll,
  type Grant,
} from '../../work/access/grant.ts';
import { checkAcceptable, type IncomingRequest } from './exchange.ts';
import { checkTrial, flatQuery, isPathText, pathId, QueryReader, querySchema, selectableFields } from './input.ts';
import { may, type Input, type Viewer } from '../../work/access/viewer.ts';
import { checkConcernsVenues } from '../venue-limit.ts';
import { DEFAULT_WORDS } from '../../base/values/words.ts';
import { notFound, Problem } from '../../base/problem.ts';
import { sideFor } from '../../base/values/wording.ts';
import type { Caller } from './internal-request.ts';
import type { CredentialCheck, Transaction } from '../../base/db/database.ts';
import type { Chosen, Reader } from '../reading/reader.ts';
import type { Checked, Credentials } from '../../work/access/credentials.ts';
import type { Endpoint } from '../acting.ts';
import type { Installation } from '../../work/unit/installation.ts';
import type { Registry } from '../registry.ts';
import type { Wire } from '../../base/fields/field.ts';
import { businessTime, type Tenant } from '../../work/unit/work.ts';
import type { Tenants } from '../../work/unit/tenants.ts';

export interface AdmissionOptions {
  registry: Registry;
  installation: Pick<Installation, 'box'>;
  tenants: Tenants;
  credentials: Credentials;
  /** counts one request against the credential's rate limit; returns headers, or throws the refusal */
  limit: (grant: Grant | null, ip: string) => Record<string, string>;
  /** counts one request against the limit that the callers of a business share, or throws the refusal */
  limitBusiness?: (viewer: Viewer) => void;
  /** the same for assistants, which have a limit of their own */
  limitAssistants?: (viewer: Viewer) => void;
  now: () => number;
  aliases?: Aliases;
}

/**
 * Alternative names that an operator may allow for integrations written against another base: prefixes of headers and
 * credentials.
 */
interface Aliases {
  /** for example `Service`, for Service-Request-Mode and Service-Provider-ID */
  readonly headers: readonly string[];
  /** for example `Bearer` */
  readonly credentials: readonly string[];
}

const NO_ALIASES: Aliases = { headers: ['service'], credentials: ['Bearer'] };

export interface Prepared {
  readonly endpoint: Endpoint;
  readonly request: IncomingRequest;
  readonly viewer: Viewer;
  readonly tenant: Tenant;
  readonly credential: string;
  readonly grant: Grant | null;
  /** the state at which the credential was checked; without one, nothing can end it */
  readonly standing: CredentialCheck | undefined;
  readonly query: Record<string, any>;
  /** unknown names are refused instead of ignored */
  readonly strict: boolean;
  /** the current time at the business */
  readonly now: number;
  readonly wire: Wire;
  readonly chosen: Chosen | null;
  readonly id: number | undefined;
  /** the transaction to act in; a new one if absent */
  readonly within?: Transaction;
  /** true if all writes will be rolled back, so that nothing is stored along with a change */
  readonly trial?: boolean;
}

/** The caller of a request that several operations answer. */
export interface Admitted {
  readonly caller: Caller;
  readonly grant: Grant;
  readonly standing: CredentialCheck | undefined;
}

/** The caller of a request; null for an anonymous one. */
export interface Identified {
  readonly checked: Checked | null;
}

/** Returns the values that fill this request's statements. */
export const inputOf = (p: Prepared): Input => ({ viewer: p.viewer, now: p.now, query: p.query, id: p.id });

export class Admission {
  readonly #o: AdmissionOptions;
  readonly #reader: Reader;
  readonly #queries = new Map<Endpoint, QueryReader>();
  readonly #aliases: Aliases;
  /**
   * the full names of each of the service's own headers, in the order of precedence; the names are those of the code
   */
  readonly #headers = new Map<string, readonly string[]>();

  constructor(options: AdmissionOptions, reader: Reader) {
    this.#o = options;
    this.#reader = reader;
    this.#aliases = options.aliases ?? NO_ALIASES;
    for (const endpoint of options.registry.endpoints)
      this.#queries.set(endpoint, new QueryReader(querySchema(endpoint)));
  }

  /**
   * Admits a request. `headers` receives the response headers that apply to any outcome. With `known`, the caller is
   * already identified and the request already counted.
   */
  async admit(
    endpoint: Endpoint,
    request: IncomingRequest,
    headers: Record<string, string>,
    known?: Identified,
  ): Promise<Prepared> {
    const { checked } = known ?? (await this.identify(endpoint, request, headers));
    return this.refusing(checked?.standing, () => this.#settle(endpoint, request, checked));
  }

  /**
   * Identifies the caller, and checks whether they may call at all. Needs no body, so that the body of a request
   * without permission is not read.
   */
  async identify(endpoint: Endpoint, request: IncomingRequest, headers: Record<string, string>): Promise<Identified> {
    checkAcceptable(request, endpoint);
    const checked = await this.#authenticate(request).catch((error) => {
      // An invalid credential counts against the rate limit of its address: guessing must have a cost.
      this.#o.limit(null, request.ip);
      throw error;
    });
    const grant = checked?.grant ?? null;
    if (grant) request.seen.caller = grant.credential;
    Object.assign(headers, this.#o.limit(grant, request.ip));
    if (!grant && !endpoint.who.unregistered) throw credentialMissing();
    return { checked };
  }

  /**
   * Runs checks that can refuse without a database query: a credential that has ended must get no other refusal than
   * its own.
   */
  async refusing<T>(standing: CredentialCheck | undefined, act: () => T | Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      if (standing !== undefined && error instanceof Problem) await this.#o.credentials.confirm(standing);
      throw error;
    }
  }

  /**
   * Returns the reason why a request that was admitted would no longer be, or would have another view; null if nothing
   * has changed.
   */
  async recheck({ endpoint, request, grant, viewer }: Prepared): Promise<Problem | null> {
    try {
      const checked = await this.#authenticate(request);
      if ((checked?.grant ?? null) === grant) return null;
      const { viewer: now } = await this.#atBusiness(endpoint, request, checked?.grant ?? null);
      const same = now.key === viewer.key && String(now.venues) === String(viewer.venues);
      return same ? null : new Problem('unavailable', 'The access of this credential has changed. Connect again.');
    } catch (error) {
      if (error instanceof Problem) return error;
      throw error;
    }
  }

  async #settle(endpoint: Endpoint, request: IncomingRequest, checked: Checked | null): Promise<Prepared> {
    const { now } = this.#o;
    const grant = checked?.grant ?? null;
    if (grant && !grant.writes && !onlyReads(endpoint)) throw readOnly();
    const { viewer, tenant } =
      endpoint.belongsTo === 'installation'
        ? ofTheInstallation(endpoint, grant)
        : await this.#atBusiness(endpoint, request, grant);
    if (endpoint.belongsTo !== 'installation') this.#o.limitBusiness?.(viewer);
    return this.#prepare(endpoint, request, {
      viewer,
      tenant,
      grant,
      standing: checked?.standing,
      now: businessTime(tenant, now()),
    });
  }

  /**
   * Identifies the caller of a request that several operations answer, and counts it. `headers` receives the response
   * headers that apply to any outcome. @throws Problem without a valid credential
   */
  async enter(request: IncomingRequest, headers: Record<string, string>): Promise<Admitted> {
    const checked = await this.#authenticate(request).catch((error) => {
      this.#o.limit(null, request.ip);
      throw error;
    });
    const grant = checked?.grant ?? null;
    Object.assign(headers, this.#o.limit(grant, request.ip));
    if (!checked || !grant) throw credentialMissing();
    request.seen.caller = grant.credential;
    const { tenants, now } = this.#o;
    const [named, mode] = [this.header(request, 'provider-id'), this.header(request, 'request-mode')];
    return this.refusing(checked.standing, async () => {
      const exists = async (id: number) => (await tenants.of(id)) !== null;
      const viewer = await resolveViewer(grant, providerHeader(named), modeHeader(mode) ?? usualMode(grant), exists);
      this.#o.limitAssistants?.(viewer);
      const tenant = await tenants.of(viewer.providerId);
      if (!tenant) throw tokenRefused();
      const { requestId, baseUrl, pagesUrl, ip } = request;
      const time = businessTime(tenant, now());
      return {
        caller: { viewer, tenant, now: time, requestId, baseUrl, pagesUrl, ip },
        grant,
        standing: checked.standing,
      };
    });
  }

  /** Admits a caller who is already identified: the page has counted the request and knows who they are. */
  call(endpoint: Endpoint, request: IncomingRequest, { viewer, tenant, now }: Caller): Prepared {
    checkWho(endpoint, viewer, this.#o.registry);
    return this.#prepare(endpoint, request, { viewer, tenant, grant: null, standing: undefined, now });
  }

  /** Reads the parameters of the request. */
  #prepare(
    endpoint: Endpoint,
    request: IncomingRequest,
    { viewer, tenant, grant, standing, now }: Pick<Prepared, 'viewer' | 'tenant' | 'grant' | 'standing' | 'now'>,
  ): Prepared {
    const strict = /(^|[,;\s])handling=strict\b/i.test(request.headers.prefer ?? '');
    const flat = flatQuery(request.query);
    checkTrial(endpoint, flat);
    const query = this.#queries.get(endpoint)!.read(flat, tenant.zone, strict);
    if (query.page_size !== undefined)
      query.page_size = Math.min(query.page_size, endpoint.acts === 'list' ? endpoint.pageSize : 100);
    const resource = 'resource' in endpoint.returns ? endpoint.returns.resource : null;
    const selected = selectableFields(endpoint);
    if (selected && strict) {
      const unknown = this.#reader.unknown(selected, query.fields, query.expand);
      const [first] = Object.entries(unknown);
      if (first) throw new Problem('parameter_invalid', `${first[0]}: ${first[1][0]}`, unknown);
    }
    if (Object.values(request.params).some((value) => !isPathText(value))) throw notFound();
    let id: number | undefined;
    if (endpoint.names) {
      if (!endpoint.names.includes(request.params.id)) throw notFound();
    } else if (request.params.id !== undefined && !endpoint.textId) {
      const known = pathId(request.params.id);
      if (known === null) throw notFound();
      id = known;
    }
    return {
      endpoint,
      request,
      viewer,
      tenant,
      credential: grant?.credential ?? `address:${request.ip}`,
      grant,
      standing,
      query,
      strict,
      now,
      wire: {
        zone: tenant.zone,
        baseUrl: request.baseUrl,
        pagesUrl: request.pagesUrl,
        currency: tenant.currency,
        now,
        accepts: request.headers['accept-language'],
        secrets: this.#o.installation.box,
      },
      chosen:
        resource &&
        this.#reader.choose(resource, query.fields, query.expand, endpoint.acts === 'write' ? endpoint.shows : []),
      id,
    };
  }

  async #atBusiness(
    endpoint: Endpoint,
    request: IncomingRequest,
    grant: Grant | null,
  ): Promise<{ viewer: Viewer; tenant: Tenant }> {
    const { tenants } = this.#o;
    const [named, mode] = [
      providerHeader(this.header(request, 'provider-id')),
      modeHeader(this.header(request, 'request-mode')),
    ];
    if (endpoint.acts === 'list' && endpoint.everywhere && grant && !grant.operator && named === null)
      return { viewer: viewerOfAll(grant, mode), tenant: NOWHERE };
    let tenant: Tenant | null = null;
    const viewer = await resolveViewer(
      grant,
      named,
      mode,
      async (providerId) => (tenant = await tenants.of(providerId)) !== null,
    );
    checkWho(endpoint, viewer, this.#o.registry);
    // A test business is read for each request, so don't read it twice.
    const found = tenant as Tenant | null;
    tenant = found?.providerId === viewer.providerId ? found : await tenants.of(viewer.providerId);
    if (!tenant) throw tokenRefused();
    return { viewer, tenant: this.#localizedFor(viewer, request, tenant) };
  }

  /** Customers get messages in their own language; staff and programs get English. */
  #localizedFor({ mode }: Viewer, { headers }: IncomingRequest, tenant: Tenant): Tenant {
    if (sideFor(mode) === 'staff') return tenant;
    const speaker = this.#o.registry.speakers.asked(headers['accept-language']);
    return speaker === null ? tenant : { ...tenant, words: tenant.words.spokenBy(speaker) };
  }

  /** Returns the value of one of the service's own headers, under its own name or an alias that the operator allows. */
  header(request: IncomingRequest, name: string): string | undefined {
    let names = this.#headers.get(name);
    if (!names) this.#headers.set(name, (names = this.#aliases.headers.map((prefix) => `${prefix}-${name}`)));
    for (const full of names) {
      const value = request.headers[full];
      if (value !== undefined) return value;
    }
    return undefined;
  }

  async #authenticate(request: IncomingRequest): Promise<Checked | null> {
    const token = bearerToken(request.headers.authorization, this.#aliases.credentials);
    if (token === null) return null;
    const checked = await this.#o.credentials.of(token);
    const { entrance = 'interface' } = request;
    if (!checked || (checked.grant.entrance ?? entrance) !== entrance) throw tokenRefused();
    return checked;
  }
}

/** Returns the mode of somebody who named none and is both: staff. Null: there is nothing to choose. */
const usualMode = ({ profiles }: Grant): 'provider' | null =>
  new Set(profiles.map(({ mode }) => mode)).size > 1 ? 'provider' : null;

/** No business: its id is never assigned. */
const NOWHERE: Tenant = { providerId: 0, zone: 'UTC', currency: 'USD', words: DEFAULT_WORDS };

function ofTheInstallation({ who }: Endpoint, grant: Grant | null): { viewer: Viewer; tenant: Tenant } {
  const onlyOperators = who.operator && !who.unregistered && !who.customer && who.provider === false;
  if (onlyOperators && !grant?.operator)
    throw new Problem('permission_denied', 'Only the operator of the installation may do this.');
  return { viewer: stranger(NOWHERE.providerId, grant), tenant: NOWHERE };
}

/** Returns true if the endpoint changes nothing, whatever its method. */
const onlyReads = (endpoint: Endpoint): boolean =>
  endpoint.method === 'GET' ||
  endpoint.acts === 'calculate' ||
  (endpoint.acts === 'write' && endpoint.changesNothing === true);

const readOnly = () =>
  new Problem('permission_denied', 'The token has the scope read. This operation needs read_write.');

function checkWho(endpoint: Endpoint, viewer: Viewer, registry: Registry): void {
  const { who } = endpoint;
  if (viewer.mode === 'provider') {
    if (who.provider === false) throw notForMode(viewer);
    if (who.provider !== true && !may(viewer, ...who.provider)) {
      throw new Problem(
        'permission_denied',
        `In provider mode, this needs the permission ${['super_admin', ...who.provider.filter((x) => x !== 'super_admin')].join(' or ')}.`,
      );
    }
  } else if (viewer.mode === 'operator' ? !who.operator : !who[viewer.mode]) throw notForMode(viewer);
  checkConcernsVenues(endpoint, viewer, registry);
}

const notForMode = (viewer: Viewer) =>
  new Problem('mode_not_allowed', `This operation is not available in ${viewer.mode} mode.`);
