/** The argument of an endpoint's function, for each way of acting. */
import type { Database, Reads, CredentialCheck } from '../base/db/database.ts';
import type { FeedTail } from '../work/feed/tail.ts';
import type { Grant } from '../work/access/grant.ts';
import type { Limits } from './limits/limits.ts';
import type { Installation } from '../work/unit/installation.ts';
import type { Resources } from './resource.ts';
import type { Declarations, Work } from '../work/unit/work.ts';

/** Declarations of the areas that operations need. */
export interface OperationDeclarations extends Declarations, Resources {}

/** Facts about the request itself. */
export interface RequestInfo {
  /** path parameters as text; `id` is checked to be a number */
  readonly params: Record<string, string>;
  /**
   * base URL of pages for people, for links in the response; for links that leave it (emails, tokens) use the
   * installation's own address
   */
  readonly pagesUrl: string;
  /** base URL that the client called */
  readonly baseUrl: string;
  /** returns the URL of this call, with these parameters replaced */
  readonly addressWith: (parameters: Record<string, string>) => string;
  /** the credential's reach; null: there is none */
  readonly grant: Grant | null;
  /** address of the client */
  readonly ip: string;
  /** its `accept-language` */
  readonly accepts: string | undefined;
  /** a header of the service: `direct-auth-key` is Service-Direct-Auth-Key, or the operator's alias for it */
  readonly header: (name: string) => string | undefined;
}

/** The input of a call by the program. */
export interface Asked {
  /** by the names between the braces of the path */
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  /** as in JSON */
  readonly body?: Readonly<Record<string, unknown>>;
  /** the caller rolls back all writes, so nothing is stored along with them: no audit entry, no feed item, no job */
  readonly trial?: boolean;
}

/**
 * Calls an operation by its name, for example `POST /events/{id}/register`. Returns the value that would be printed.
 */
export type Ask = (operation: string, asked: Asked) => Promise<any>;

/** A read in one transaction. */
export interface ReadCall<Q = any> extends RequestInfo {
  readonly registry: OperationDeclarations;
  readonly work: Work;
  readonly query: Q;
  /**
   * the row that the path names, as the caller may see it, locked if the call writes (but see `unlocked`); columns as
   * the database returns them
   */
  readonly target: Record<string, any>;
  /** calls another operation in the same transaction, on behalf of the same caller */
  readonly ask: Ask;
  /** true if `prepares` of the endpoint brought everything up to date */
  readonly prepared?: boolean;
}

/** A calculation; it reads by single statements. */
export interface CalculateCall<B = any> {
  readonly reads: Reads;
  readonly tenant: Work['tenant'];
  readonly body: B;
}

/** A write in one transaction. */
export interface Call<Q = any, B = any> extends ReadCall<Q> {
  readonly body: B;
  /** true for a dry run: all changes are rolled back afterwards */
  readonly dryRun: boolean;
  /** counts one request against a policy of the endpoint's own; a dry run or a refusal does not undo it */
  readonly charge: Limits['charge'];
}

/** The caller, for calls without an open transaction. */
interface Apart {
  readonly db: Database;
  readonly viewer: Work['viewer'];
  readonly tenant: Work['tenant'];
}

/** A write that may share its transaction with others of its kind. */
export interface TogetherCall<B = any> extends Apart {
  readonly registry: OperationDeclarations;
  readonly installation: Installation;
  /** the `{id}` of the path */
  readonly id: number;
  readonly params: Record<string, string>;
  readonly now: number;
  readonly requestId: string;
  readonly body: B;
  /** state of the caller's credential, for the transactions that it opens */
  readonly standing: CredentialCheck | undefined;
}

/** A write whose change is committed. */
export interface AfterCall extends Apart {
  readonly registry: OperationDeclarations;
  readonly installation: Installation;
  /** the `{id}` of the path */
  readonly id: number;
  readonly now: number;
  readonly requestId: string;
}

/** A call that opens its own transactions. */
export interface OutsideCall<Q = any, B = any> extends RequestInfo, Omit<TogetherCall<B>, 'id' | 'params'> {
  readonly query: Q;
  /** counts one request against a policy of the endpoint's own */
  readonly charge: Limits['charge'];
  /** runs `act` in a transaction of its own as the pipeline does for a write: records of the work are stored with it */
  readonly transact: <T>(act: (work: Work) => Promise<T>) => Promise<T>;
  /** reads the object that the endpoint returns, as the caller may see it, within a transaction of `transact` */
  readonly show: (work: Work, id: number) => Promise<unknown>;
}

/** A call whose response is a stream. */
export interface StreamCall<Q = any> extends Apart {
  readonly query: Q;
  readonly feed: FeedTail;
  /** the `id` of the last event that the client received, if it reconnects */
  readonly lastEventId: string | undefined;
  readonly signal: AbortSignal;
}
