/** An endpoint is data: where it is, who may call it, what it takes, what it gives, and the one function that acts. */
import { allOptional, type Field, type Shape, type ValueOf } from './field.ts';
import { integer, listOf, oneOf, type Variants } from './kinds.ts';
import type { ProblemCode } from './problem.ts';
import type { Registry } from './registry.ts';
import type { Resource } from './resource.ts';
import type { Send } from '../db/batch.ts';
import type { Input } from '../access/viewer.ts';
import { raw, type Slot, type Sql } from '../db/sql.ts';
import type { Database, Standing } from '../db/database.ts';
import type { FeedTail } from '../feed/tail.ts';
import type { Grant } from '../access/grant.ts';
import type { Installation } from '../installation.ts';
import type { Permission } from '../access/permission.ts';
import type { StreamEvent } from './streams.ts';
import type { Work } from '../work.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Who {
  /** `true`: every staff member; a list: those with any of the permissions; `false`: none */
  readonly provider: boolean | readonly Permission[];
  readonly customer: boolean;
  /** anonymous callers and people without a profile at the business */
  readonly unregistered: boolean;
  /** whoever runs the installation */
  readonly operator?: boolean;
}

export const OPERATOR: Who = { provider: false, customer: false, unregistered: false, operator: true };
export const EVERYONE: Who = { provider: true, customer: true, unregistered: true };
export const STAFF: Who = { provider: true, customer: false, unregistered: false };
export const staffWith = (...permissions: Permission[]): Who => ({
  provider: permissions,
  customer: false,
  unregistered: false,
});

export interface Filter {
  readonly field: Field<any>;
  /** the condition over alias `t`; absent: the endpoint reads the parameter itself */
  readonly where?: (t: string, value: Slot) => Sql;
  readonly join?: (t: string) => Sql;
  /** a condition of its own for each value, where one text could not use an index for all of them */
  readonly cases?: Record<string, (t: string) => Sql>;
  /** looks up what `where` gets in place of the value that was sent, where one statement cannot say it */
  readonly resolve?: (input: Input, send: Send) => Promise<unknown>;
  /** the property that it tells of, where its name does not say it: to whoever is not shown that, it finds nothing */
  readonly reads?: string;
}

/** The filter, for those alone who are shown the property. */
export const telling = (reads: string, of: Filter): Filter => ({ ...of, reads });

/** A query parameter of few values, each with its own condition; absent and without a default it narrows nothing. */
export const choice = (field: Field<any>, cases: Record<string, (t: string) => Sql>): Filter => ({
  field: field.spec.fallback === undefined ? field.optional() : field,
  cases,
});

/** A query parameter that narrows a list. */
export const filter = (
  field: Field<any>,
  where: (t: string, value: Slot) => Sql,
  join?: (t: string) => Sql,
): Filter => ({
  field: field.optional(),
  where,
  join,
});

/**
 * A query parameter about something that does not exist in this service yet: whatever it names, no row belongs to it.
 */
export const matchesNothing = (field: Field<any>): Filter => filter(field, () => raw('false'));

export interface SortKey {
  readonly by: (t: string) => Sql;
  /** the property that it tells of, where its name does not say it: whoever is not shown that gets the usual order */
  readonly reads?: string;
  readonly join?: (t: string) => Sql;
}

/** What a handler gets besides the work itself. */
export interface Call<Q = any, B = any> {
  readonly work: Work;
  readonly query: Q;
  /** it is only tried: whatever is done is undone afterwards */
  readonly dryRun: boolean;
  readonly body: B;
  /** path parameters as text; `id` is checked to be a number */
  readonly params: Record<string, string>;
  /**
   * the row that the path names, as the caller may see it, locked when the call writes (but see `unlocked`); columns as
   * the database has them
   */
  readonly target: Record<string, any>;
  /**
   * where pages for people are, for links in the answer; for what leaves it (mails, tokens) the installation's own
   * address is right
   */
  readonly pagesUrl: string;
  /** address that the client called */
  readonly baseUrl: string;
  /** what the credential reaches; null: there is none */
  readonly grant: Grant | null;
  /** address of the client */
  readonly ip: string;
  /**
   * a header of the service's own: `direct-auth-key` is Service-Direct-Auth-Key, or what the operator lets stand for it
   */
  readonly header: (name: string) => string | undefined;
}

export type Returns =
  | { readonly kind: 'one'; readonly resource: Resource }
  | { readonly kind: 'page'; readonly resource: Resource }
  | { readonly kind: 'shape'; readonly shape: Shape | Variants }
  | { readonly kind: 'pageOf'; readonly shape: Shape | Variants }
  /** server-sent events, the data of each in this form */
  | { readonly kind: 'stream'; readonly shape: Shape }
  | { readonly kind: 'none' };

export interface Endpoint {
  readonly method: Method;
  /** without the prefix, parameters in braces */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly who: Who;
  /**
   * `installation`: acts for no business, so that neither business nor mode is chosen and no idempotency key counts.
   * Its transaction is one across tenants; of `who`, `unregistered` (nobody needs a credential) and `operator` matter.
   */
  readonly belongsTo?: 'installation';
  readonly query: Shape;
  readonly body?: Shape;
  readonly filters?: Record<string, Filter>;
  readonly sort?: Record<string, SortKey>;
  readonly defaultSort?: string;
  readonly pageSize?: number;
  /** resource whose row the path's `{id}` names */
  readonly target?: Resource;
  /**
   * The row of the path is looked at and not locked, although the call writes: what comes before it in the law of locks
   * is locked by `run`, which reads the row again then, and touches it.
   */
  readonly unlocked?: true;
  /** a list of businesses: without Service-Provider-ID it has all that the credential reaches */
  readonly everywhere?: true;
  /** for a list below a path's `{id}`: which rows belong to it */
  readonly within?: (t: string) => Sql;
  readonly returns: Returns;
  /** deferred fields that this answer shows, unless the caller chooses its fields */
  readonly shows?: readonly string[];
  readonly status: number;
  /** why a write cannot be tried with `?dry_run=true`; every write without such a reason can */
  readonly dryRun?: string;
  /** codes it may refuse with, besides those of every endpoint */
  readonly problems: readonly ProblemCode[];
  /** what takes the place of its own once all areas are known, because a port is part of it */
  readonly completed?: () => Partial<Pick<Endpoint, 'query' | 'body' | 'problems'>>;
  /** asks outside of this service what must be known of the body; runs before the transaction opens, and may refuse */
  readonly ahead?: (body: any, installation: Installation) => Promise<void>;
  /** returns the id of the resource to show, or the value of the declared shape */
  readonly run?: (call: Call) => Promise<unknown>;
  /** another way to the same effect for a plain call, which may share a transaction with its like */
  readonly together?: (call: TogetherCall) => Promise<unknown>;
  /** why a call that changed something tells nothing of it in the feed */
  readonly silent?: string;
  /** in place of `run`, for what must not hold a transaction open all the time: opens those that it needs */
  readonly outside?: (call: OutsideCall) => Promise<unknown>;
  /**
   * in place of `run`, for an answer that does not end: what is sent, in portions, until the signal says that it is
   * over
   */
  readonly stream?: (call: StreamCall) => AsyncIterable<readonly StreamEvent[]>;
}

/** Whether `?dry_run=true` is offered. */
export const canBeTried = ({ method, dryRun }: Pick<Endpoint, 'method' | 'dryRun'>): boolean =>
  method !== 'GET' && dryRun === undefined;

/** A call that is answered by a stream. */
export interface StreamCall<Q = any> extends Pick<TogetherCall, 'db' | 'viewer' | 'tenant'> {
  readonly query: Q;
  readonly feed: FeedTail;
  /** the `id` of the last event that the client has, where it connects again */
  readonly lastEventId: string | undefined;
  readonly signal: AbortSignal;
}

/** A call that opens no transaction of its own. */
export interface TogetherCall {
  readonly db: Database;
  readonly registry: Registry;
  /** the `{id}` of the path */
  readonly id: number;
  readonly viewer: Work['viewer'];
  readonly tenant: Work['tenant'];
  readonly now: number;
  readonly requestId: string;
  readonly body: any;
  /** of the caller's credential, for the transactions that it opens */
  readonly standing: Standing | undefined;
}

/** A call that opens what transactions it needs by itself. */
export interface OutsideCall<Q = any, B = any>
  extends Omit<TogetherCall, 'id' | 'body'>, Pick<Call, 'params' | 'pagesUrl' | 'baseUrl' | 'grant' | 'ip' | 'header'> {
  readonly query: Q;
  readonly body: B;
  readonly installation: Installation;
  /** runs `act` in a transaction of its own as the pipeline does with `run`: what it recorded is written with it */
  readonly transact: <T>(act: (work: Work) => Promise<T>) => Promise<T>;
}

type Common = Pick<Endpoint, 'path' | 'summary' | 'who' | 'silent' | 'unlocked' | 'everywhere' | 'completed'> & {
  description?: string;
  problems?: readonly ProblemCode[];
};

/** A list: filters narrow, `sort` orders (always ending in the id), pages are cut. */
export function list(
  resource: Resource,
  spec: Common & {
    filters?: Record<string, Filter>;
    sort?: Record<string, SortKey>;
    defaultSort?: string;
    pageSize?: number;
  },
): Endpoint {
  const { filters = {}, sort, problems = [], ...rest } = spec;
  const query: Shape = Object.fromEntries(Object.entries(filters).map(([name, f]) => [name, f.field]));
  if (sort)
    query.sort = listOf(oneOf(Object.keys(sort).flatMap((k) => [k, `-${k}`])))
      .optional()
      .describe('Comma-separated list. A minus sign reverses the order.');
  return {
    ...rest,
    method: 'GET',
    filters,
    sort,
    query: { ...query, ...paging(spec.pageSize) },
    returns: { kind: 'page', resource },
    status: 200,
    problems,
  };
}

export const paging = (most = 100) => ({
  page: integer({ min: 1, max: 1_000_000 }).default(1),
  page_size: integer({ min: 1 })
    .default(Math.min(most, 100))
    .describe(`At most ${most}. Larger values are reduced to ${most}.`),
});

/** One object by its id. */
export const get = (resource: Resource, spec: Common): Endpoint => ({
  problems: [],
  ...spec,
  method: 'GET',
  query: {},
  target: resource,
  returns: { kind: 'one', resource },
  status: 200,
});

type Writes<Q extends Shape, B extends Shape> = Common & {
  query?: Q;
  body?: B;
  ahead?: (body: Partial<ValueOf<B>>, installation: Installation) => Promise<void>;
  dryRun?: string;
  run: (call: Call<ValueOf<Q>, ValueOf<B>>) => Promise<unknown>;
};

/** Makes one: `run` returns its id. */
export const create = <B extends Shape, Q extends Shape = {}>(resource: Resource, spec: Writes<Q, B>): Endpoint =>
  ({ query: {}, problems: [], ...spec, method: 'POST', returns: { kind: 'one', resource }, status: 201 }) as Endpoint;

/** Changes one: PUT takes the body whole, PATCH any part of it; both run the same function. */
export function update<B extends Shape, Q extends Shape = {}>(
  resource: Resource,
  spec: Omit<Writes<Q, B>, 'run'> & { run: (call: Call<ValueOf<Q>, Partial<ValueOf<B>>>) => Promise<unknown> },
): Endpoint[] {
  const common = {
    query: {},
    problems: [],
    ...spec,
    target: resource,
    returns: { kind: 'one', resource } as const,
    status: 200,
  };
  return [
    { ...common, method: 'PUT' } as Endpoint,
    { ...common, method: 'PATCH', body: allOptional(spec.body!) } as Endpoint,
  ];
}

/** Acts on one object, or on none; answers `returns`. */
export const action = <B extends Shape = {}, Q extends Shape = {}>(
  spec: (
    | Writes<Q, B>
    | (Omit<Writes<Q, B>, 'run'> &
        (
          | { outside: (call: OutsideCall<ValueOf<Q>, ValueOf<B>>) => Promise<unknown> }
          | { stream: (call: StreamCall<ValueOf<Q>>) => AsyncIterable<readonly StreamEvent[]> }
        ))
  ) & {
    belongsTo?: 'installation';
    method?: Method;
    target?: Resource;
    returns: Returns;
    shows?: readonly string[];
    status?: number;
    together?: Endpoint['together'];
  },
): Endpoint =>
  ({ query: {}, problems: [], method: 'POST', status: spec.returns.kind === 'none' ? 204 : 200, ...spec }) as Endpoint;

export const one = (resource: Resource): Returns => ({ kind: 'one', resource });
export const page = (resource: Resource): Returns => ({ kind: 'page', resource });
export const answer = (shape: Shape | Variants): Returns => ({ kind: 'shape', shape });
export const pageOf = (shape: Shape | Variants): Returns => ({ kind: 'pageOf', shape });
export const stream = (shape: Shape): Returns => ({ kind: 'stream', shape });
export const nothing: Returns = { kind: 'none' };
