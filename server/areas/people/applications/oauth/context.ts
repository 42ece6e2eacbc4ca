/** The part of the library's request that the code in this folder reads. */
import type { Database, Transaction } from '../../../../kernel/base/db/database.ts';
import type { ClientApplication } from './clients.ts';

/** Properties that the provider's own types omit. */
interface Oidc {
  readonly params: Record<string, any>;
  readonly client: { readonly clientId: string; readonly application: ClientApplication };
  readonly session: { accountId?: string };
  readonly requestParamScopes: Set<string>;
  readonly entities: Record<string, any>;
  readonly result?: Record<string, unknown>;
  readonly route: string;
}
export const oidcOf = (ctx: unknown): Oidc => (ctx as { oidc: Oidc }).oidc;

export const across = <T>(db: Database, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  db.acrossTenants('an application that asks for a log-in names itself, not a business', work);
