/** What the function of an endpoint gets, for each way of acting. */
import type { Asked } from './internal-request.ts';
import type { Database, Reads, CredentialCheck } from '../base/db/database.ts';
import type { FeedTail } from '../work/feed/tail.ts';
import type { Grant } from '../work/access/grant.ts';
import type { Limits } from './limits.ts';
import type { Installation } from '../work/unit/installation.ts';
import type { Registry } from './registry.ts';
import type { Work } from '../work/unit/work.ts';

/** What is known of the request itself. */
export interface RequestInfo {
  /** path parameters as text; `id` is checked to be a number */
  readonly params: Record<string, string>;
  /**
   * where pages for people are, for links in the answer; for what leaves it (mails, tokens) the installation's own
   * address is right
   */
  readonly pagesUrl: string;
  /** address that the client called */
  readonly baseUrl: string;
  /** the address of this call, with these parameters in place of its own */
  readonly addressWith: (parameters: Record<string, string>) => string;
  /** what the credential reaches; null: there is none */
  readonly grant: Grant | null;
  /** address of the client */
  readonly ip: string;
  /**
   * a header of the service's own: `direct-auth-key` is Service-Direct-Auth-Key, or what the operator lets stand for it
   */
  readonly header: (name: string) => string | undefined;
}

/** Calls an operation by its name, for example `POST /events/{id}/register`. Returns what would be printed. */
export type Ask = (operation: string, asked: Asked) => Promise<any>;

/** A read in one transaction. */
export interface ReadCall<Q = any> extends RequestInfo {
  readonly registry: Registry;
  readonly work: Work;
  readonly query: Q;
  /**
   * the row that the path names, as the caller may see it, locked when the call writes (but see `unlocked`); columns as
   * the database has them
   */
  readonly target: Record<string, any>;
  /** calls another operation in the same transaction, in the eyes of the same caller */
  readonly ask: Ask;
}

/** A calculation: what it reads, it reads by single statements. */
export interface CalculateCall<B = any> {
  readonly reads: Reads;
  readonly tenant: Work['tenant'];
  readonly body: B;
}

/** A write in one transaction. */
export interface Call<Q = any, B = any> extends ReadCall<Q> {
  readonly body: B;
  /** it is only tried: whatever is done is undone afterwards */
  readonly dryRun: boolean;
  /** takes one request from what a caller has under a policy of the endpoint's own; a trial and a refusal undo nothing of it */
  readonly charge: Limits['charge'];
}

/** Who acts when no transaction is open. */
interface Apart {
  readonly db: Database;
  readonly viewer: Work['viewer'];
  readonly tenant: Work['tenant'];
}

/** A write that may share its transaction with others of its kind. */
export interface TogetherCall<B = any> extends Apart {
  readonly registry: Registry;
  readonly installation: Installation;
  /** the `{id}` of the path */
  readonly id: number;
  readonly params: Record<string, string>;
  readonly now: number;
  readonly requestId: string;
  readonly body: B;
  /** of the caller's credential, for the transactions that it opens */
  readonly standing: CredentialCheck | undefined;
}

/** A write whose change is committed. */
export interface AfterCall extends Apart {
  readonly registry: Registry;
  readonly installation: Installation;
  /** the `{id}` of the path */
  readonly id: number;
  readonly now: number;
  readonly requestId: string;
}

/** A call that opens what transactions it needs by itself. */
export interface OutsideCall<Q = any, B = any> extends RequestInfo, Omit<TogetherCall<B>, 'id' | 'params'> {
  readonly query: Q;
  /** takes one request from what a caller has under a policy of the endpoint's own */
  readonly charge: Limits['charge'];
  /** runs `act` in a transaction of its own as the pipeline does for a write: what it recorded is written with it */
  readonly transact: <T>(act: (work: Work) => Promise<T>) => Promise<T>;
}

/** A call that is answered by a stream. */
export interface StreamCall<Q = any> extends Apart {
  readonly query: Q;
  readonly feed: FeedTail;
  /** the `id` of the last event that the client has, where it connects again */
  readonly lastEventId: string | undefined;
  readonly signal: AbortSignal;
}
