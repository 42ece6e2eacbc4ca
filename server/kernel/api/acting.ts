/**
 * Endpoints are data: the path, who may call it, its input, its response, and the one way in which it acts. `acts`
 * names that way, and each way has the properties that it needs and no others.
 */
import type { AfterCall, CalculateCall, Call, OutsideCall, ReadCall, StreamCall, TogetherCall } from './calls.ts';
import type { Database } from '../base/db/database.ts';
import type { Filter, SortKey } from './filter.ts';
import type { Whose } from '../base/apart/one-at-a-time.ts';
import type { Installation } from '../work/unit/installation.ts';
import type { Refusable } from '../base/problem.ts';
import type { Resource } from './resource.ts';
import type { Shape } from '../base/fields/field.ts';
import type { Sql } from '../base/db/sql.ts';
import type { Tenant } from '../work/unit/work.ts';
import type { Variants } from '../base/fields/kinds.ts';
import type { Who } from './who.ts';

/** The time zone of a business, and its time in epoch milliseconds. */
export interface BusinessClock {
  readonly zone: string;
  readonly now: number;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface One {
  readonly kind: 'one';
  readonly resource: Resource;
}
interface Page {
  readonly kind: 'page';
  readonly resource: Resource;
}
/** A response with a shape of its own. */
export interface Answer {
  readonly kind: 'shape';
  readonly shape: Shape | Variants;
  /** what its schema is called where the interface is described; none: after the operation */
  readonly name?: string;
  /** the form that `fields` and `expand` select from, as for resources; if absent, the response is always complete */
  readonly selects?: Shape;
  /** the response as a table, for callers who ask for CSV; absent if there is none */
  readonly csv?: (value: any) => string;
}
export interface PageOf {
  readonly kind: 'pageOf';
  readonly shape: Shape | Variants;
  readonly selects?: Shape;
}
/** Server-sent events whose data has this form. */
interface Events {
  readonly kind: 'stream';
  readonly shape: Shape;
}
/** A document in one of these media types; a query parameter of the endpoint chooses the type. */
export interface File {
  readonly kind: 'file';
  readonly types: readonly string[];
}
export interface Nothing {
  readonly kind: 'none';
}
export type Returns = One | Page | Answer | PageOf | Events | File | Nothing;

interface Declaration {
  /** without the prefix, parameters in braces */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly who: Who;
  readonly query: Shape;
  readonly status: number;
  /** the `{id}` of the path is not a number but a text that `run` interprets */
  readonly textId?: true;
  /** acts at a venue although its path names no row there: the rows that it touches determine the venue */
  readonly atVenue?: true;
  /** values of the path's `{id}`, if it is a name instead of a number */
  readonly names?: readonly string[];
  /** refusals in addition to those of every endpoint */
  readonly problems: readonly Refusable[];
}

interface Reading extends Declaration {
  readonly method: 'GET';
  readonly body?: undefined;
}

export interface Writing extends Declaration {
  readonly method: Exclude<Method, 'GET'>;
  readonly body?: Shape;
  /** the reason why `?dry_run=true` is not offered; every write without one offers it */
  readonly dryRun?: string;
}

interface OfABusiness {
  readonly belongsTo?: undefined;
}

/**
 * `installation`: acts for no business, so that no business or mode is selected and idempotency keys have no effect.
 * Its transaction spans tenants. Of `who`, only `unregistered` (no credential needed) and `operator` matter.
 */
interface OfAnybody {
  readonly belongsTo?: 'installation';
}

interface Aimed {
  /** resource of the row that the path's `{id}` names */
  readonly target?: Resource;
}

interface Unaimed {
  readonly target?: undefined;
}

/** Rows of a resource, read by the kernel: filters limit them, `sort` orders them, and they are returned in pages. */
export interface ListEndpoint extends Reading, OfABusiness, Aimed {
  readonly acts: 'list';
  readonly returns: Page;
  readonly filters: Record<string, Filter>;
  readonly sort: Record<string, SortKey>;
  readonly defaultSort?: string;
  readonly pageSize: number;
  /** for a list below a path's `{id}`: condition for the rows that belong to it */
  readonly within?: (t: string) => Sql;
  /** a list of businesses: without Service-Provider-ID it contains all that the credential reaches */
  readonly everywhere?: true;
}

/** One row of a resource, read by the kernel. */
export interface GetEndpoint extends Reading, OfABusiness {
  readonly acts: 'get';
  readonly target: Resource;
  readonly returns: One;
}

/**
 * A value that a function computes in one read-only transaction; for `One`, the function returns the id of the row to
 * show.
 */
export interface ReadEndpoint extends Reading, OfAnybody, Aimed {
  readonly acts: 'read';
  readonly returns: Answer | PageOf | One | File;
  /**
   * A replica may run it, as it may every list: its function takes far longer than asking the primary for its position.
   * If the replica fails, the function runs again on the primary.
   */
  readonly replica?: true;
  /**
   * Brings what the function reads up to date before its transaction opens, and returns whether it did: see `prepared`
   * of the call. Not called if the call came within a transaction.
   */
  readonly prepares?: (db: Database, tenant: Tenant) => Promise<boolean>;
  readonly run: (call: ReadCall) => Promise<unknown>;
}

/** A value that a function computes from a body and single statements, without a transaction. Changes nothing. */
export interface CalculateEndpoint extends Writing, OfABusiness, Unaimed {
  readonly acts: 'calculate';
  readonly method: 'POST';
  readonly dryRun: string;
  readonly returns: Answer;
  readonly run: (call: CalculateCall) => Promise<unknown>;
}

/** A change in one transaction, with everything that is stored along with it. */
export interface WriteEndpoint extends Writing, OfAnybody, Aimed {
  readonly acts: 'write';
  readonly returns: One | Answer | Nothing;
  /** deferred fields that this response shows, unless the caller chooses its fields */
  readonly shows?: readonly string[];
  /**
   * The row of the path is read without a lock, although the call writes. `run` first locks the rows that precede it in
   * the lock order, then reads the row again and touches it.
   */
  readonly unlocked?: true;
  /** changes the cached properties of the business, which are read again */
  readonly changesBusiness?: true;
  /** the reason why a call that changed something records no feed item */
  readonly silent?: string;
  /** it only computes an answer, so callers with read access only may call it too */
  readonly changesNothing?: true;
  /** notifies people; its dry run says how many get which message */
  readonly tells?: true;
  /** queries systems outside the service about the body; runs before the transaction opens, and may refuse */
  readonly ahead?: (body: any, installation: Installation, whose: Whose, clock: BusinessClock) => Promise<void>;
  /** returns the id of the resource to show, or the value of the declared shape */
  readonly run: (call: Call) => Promise<unknown>;
  /**
   * Runs after the commit and may wait for systems outside the database; never in a dry run, nor in a call within
   * another transaction. A process may die before it, so a job must do the same work. The row that the path names is
   * read again for the response, unless this refuses.
   */
  readonly afterwards?: (call: AfterCall) => Promise<void>;
  /** an alternative with the same effect for a plain call, which may share a transaction with other such calls */
  readonly together?: (call: TogetherCall) => Promise<unknown>;
}

/**
 * An endpoint that must not hold a transaction open for its whole duration: it opens the ones that it needs, which no
 * dry run could roll back.
 */
export type OutsideEndpoint = (Reading | (Writing & { readonly dryRun: string })) &
  OfAnybody &
  Unaimed & {
    readonly acts: 'outside';
    readonly returns: Answer | File | One;
    /** for `One`, returns what `show` of the call returned */
    readonly run: (call: OutsideCall) => Promise<unknown>;
  };

/** One event. Without data, it only moves the position from which the client continues when it reconnects. */
export interface StreamEvent {
  readonly id: string;
  readonly data?: unknown;
}

/** A response that does not end: events are sent in batches until the signal aborts. */
export interface StreamEndpoint extends Reading, OfABusiness, Unaimed {
  readonly acts: 'stream';
  readonly returns: Events;
  readonly run: (call: StreamCall) => AsyncIterable<readonly StreamEvent[]>;
}

export type Endpoint =
  | ListEndpoint
  | GetEndpoint
  | ReadEndpoint
  | CalculateEndpoint
  | WriteEndpoint
  | OutsideEndpoint
  | StreamEndpoint;

/**
 * Returns the list at a path.
 * @throws Error if there is none
 */
export function listAt<E extends Endpoint>(endpoints: readonly E[], path: string): E & ListEndpoint {
  const found = endpoints.find((e): e is E & ListEndpoint => e.acts === 'list' && e.path === path);
  if (!found) throw new Error(`there is no list ${path}`);
  return found;
}
