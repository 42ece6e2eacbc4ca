/**
 * An endpoint is data: where it is, who may call it, what it takes, what it gives, and the one way in which it acts.
 * `acts` says which, and each way has what it needs and nothing else.
 */
import type { AfterCall, CalculateCall, Call, OutsideCall, ReadCall, StreamCall, TogetherCall } from './calls.ts';
import type { Filter, SortKey } from './filter.ts';
import type { Whose } from '../base/apart/one-at-a-time.ts';
import type { Installation } from '../work/unit/installation.ts';
import type { Refusable } from '../base/problem.ts';
import type { Resource } from './resource.ts';
import type { Shape } from '../base/fields/field.ts';
import type { Sql } from '../base/db/sql.ts';
import type { StreamEvent } from './streams.ts';
import type { Variants } from '../base/fields/kinds.ts';
import type { Who } from './who.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface One {
  readonly kind: 'one';
  readonly resource: Resource;
}
export interface Page {
  readonly kind: 'page';
  readonly resource: Resource;
}
/** a value of a shape of its own */
export interface Answer {
  readonly kind: 'shape';
  readonly shape: Shape | Variants;
  /** what its schema is called where the interface is described; none: after the operation */
  readonly name?: string;
  /** the form by which `fields` and `expand` choose, as they do for resources; none: it is always whole */
  readonly selects?: Shape;
  /** the answer as a table, for callers who ask for CSV; none: there is no such form */
  readonly csv?: (value: any) => string;
}
export interface PageOf {
  readonly kind: 'pageOf';
  readonly shape: Shape | Variants;
  readonly selects?: Shape;
}
/** server-sent events, the data of each in this form */
export interface Events {
  readonly kind: 'stream';
  readonly shape: Shape;
}
/** a document in one of these media types, which a query parameter of the endpoint chooses */
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
  /** the `{id}` of the path is no number: a text that `run` reads for itself */
  readonly textId?: true;
  /** it names no row at a venue, and yet acts at one: rows that it touches say at which */
  readonly atVenue?: true;
  /** what the `{id}` of the path may be, where it is a name and no number */
  readonly names?: readonly string[];
  /** what it may refuse with, besides what every endpoint may */
  readonly problems: readonly Refusable[];
}

interface Reading extends Declaration {
  readonly method: 'GET';
  readonly body?: undefined;
}

export interface Writing extends Declaration {
  readonly method: Exclude<Method, 'GET'>;
  readonly body?: Shape;
  /** why it cannot be tried with `?dry_run=true`; every write without such a reason can */
  readonly dryRun?: string;
}

interface OfABusiness {
  readonly belongsTo?: undefined;
}

/**
 * `installation`: acts for no business, so that neither business nor mode is chosen and no idempotency key counts. Its
 * transaction is one across tenants; of `who`, `unregistered` (nobody needs a credential) and `operator` matter.
 */
interface OfAnybody {
  readonly belongsTo?: 'installation';
}

interface Aimed {
  /** resource whose row the path's `{id}` names */
  readonly target?: Resource;
}

interface Unaimed {
  readonly target?: undefined;
}

/** Rows of a resource, read by the kernel: filters narrow, `sort` orders, pages are cut. */
export interface ListEndpoint extends Reading, OfABusiness, Aimed {
  readonly acts: 'list';
  readonly returns: Page;
  readonly filters: Record<string, Filter>;
  readonly sort: Record<string, SortKey>;
  readonly defaultSort?: string;
  readonly pageSize: number;
  /** of a list below a path's `{id}`: which rows belong to it */
  readonly within?: (t: string) => Sql;
  /** a list of businesses: without Service-Provider-ID it has all that the credential reaches */
  readonly everywhere?: true;
}

/** One row of a resource, read by the kernel. */
export interface GetEndpoint extends Reading, OfABusiness {
  readonly acts: 'get';
  readonly target: Resource;
  readonly returns: One;
}

/** A value that a function computes in one transaction that only reads; of `One`, it returns the id of the row to show. */
export interface ReadEndpoint extends Reading, OfAnybody, Aimed {
  readonly acts: 'read';
  readonly returns: Answer | PageOf | One | File;
  /**
   * A replica may answer it, as it may answer every list: it takes far longer than asking the primary how far it is. Its
   * function runs again at the primary if the replica fails.
   */
  readonly replica?: true;
  readonly run: (call: ReadCall) => Promise<unknown>;
}

/** A value that a function computes from a body and from single statements, without a transaction. Nothing is changed. */
export interface CalculateEndpoint extends Writing, OfABusiness, Unaimed {
  readonly acts: 'calculate';
  readonly method: 'POST';
  readonly dryRun: string;
  readonly returns: Answer;
  readonly run: (call: CalculateCall) => Promise<unknown>;
}

/** A change in one transaction, with everything that is written beside it. */
export interface WriteEndpoint extends Writing, OfAnybody, Aimed {
  readonly acts: 'write';
  readonly returns: One | Answer | Nothing;
  /** deferred fields that this answer shows, unless the caller chooses its fields */
  readonly shows?: readonly string[];
  /**
   * The row of the path is looked at and not locked, although the call writes: what comes before it in the law of locks
   * is locked by `run`, which reads the row again then, and touches it.
   */
  readonly unlocked?: true;
  /** what is remembered of the business changes with it, and is read again */
  readonly changesBusiness?: true;
  /** why a call that changed something tells nothing of it in the feed */
  readonly silent?: string;
  /** people are told of it, and its dry run says how many get which message */
  readonly tells?: true;
  /** asks outside of this service what must be known of the body; runs before the transaction opens, and may refuse */
  readonly ahead?: (body: any, installation: Installation, whose: Whose) => Promise<void>;
  /** returns the id of the resource to show, or the value of the declared shape */
  readonly run: (call: Call) => Promise<unknown>;
  /**
   * What has to wait for something outside of the database, once the change is committed; never in a trial, and not in a
   * call from within another transaction. A process may die before it: a job must do the same. The row that the path names
   * is read again for the answer, unless this refuses.
   */
  readonly afterwards?: (call: AfterCall) => Promise<void>;
  /** another way to the same effect for a plain call, which may share a transaction with its like */
  readonly together?: (call: TogetherCall) => Promise<unknown>;
}

/** What must not hold a transaction open all the time: it opens those that it needs, which no dry run could undo. */
export type OutsideEndpoint = (Reading | (Writing & { readonly dryRun: string })) &
  OfAnybody &
  Unaimed & {
    readonly acts: 'outside';
    readonly returns: Answer | File;
    readonly run: (call: OutsideCall) => Promise<unknown>;
  };

/** An answer that does not end: what is sent, in portions, until the signal says that it is over. */
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

/** @throws Error where there is no list at the path */
export function listAt<E extends Endpoint>(endpoints: readonly E[], path: string): E & ListEndpoint {
  const found = endpoints.find((e): e is E & ListEndpoint => e.acts === 'list' && e.path === path);
  if (!found) throw new Error(`there is no list ${path}`);
  return found;
}
