/**
 * Writes of the ledger. Every change of money is posted here, in the transaction that makes it. The database refuses a
 * transaction that does not balance, one that was already posted, and credit that a customer does not have.
 */
import { instant, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import type { Account } from './accounts.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** One side of a posting: a debit is more than zero, a credit less. */
export interface LedgerLine {
  readonly account: Account;
  /** minor units; a line of 0 is left out */
  readonly amount: number;
  /** id of the customer, for customers' accounts only */
  readonly customer?: number;
  /** selects one of several accounts with this name */
  readonly detail?: string;
}

export interface Posting {
  /** type of the event, which an object has at most once, for example `invoice_issued` */
  readonly kind: string;
  /** name of a resource, and the id of an object */
  readonly about: { readonly object: string; readonly id: number };
  /** for people who read the ledger */
  readonly explanation: string;
  readonly lines: readonly LedgerLine[];
}

export const post = (work: Work, posting: Posting): Promise<void> => postAll(work, [posting]);

/**
 * Posts all transactions in one statement. A transaction whose lines are all 0 is left out. To post for several
 * customers in one transaction, lock their accounts first, or post everything in one call: balances are changed in the
 * order of customers.
 */
export async function postAll(work: Work, postings: readonly Posting[]): Promise<void> {
  const insert = insertOf(work, postings);
  if (insert !== null) await work.tx.run(insert);
}

/** Posts with the next statement, which throws the error if the database refuses it. */
export function postLater(work: Work, postings: readonly Posting[]): void {
  const insert = insertOf(work, postings);
  if (insert !== null) work.tx.later(insert);
}

function insertOf(work: Work, postings: readonly Posting[]): Sql | null {
  const lines = postings.flatMap((posting) =>
    posting.lines.filter(({ amount }) => amount !== 0).map((line) => ({ ...line, posting })),
  );
  if (lines.length === 0) return null;
  const posted = [...new Set(lines.map(({ posting }) => posting))];
  const each = <T>(of: (posting: Posting) => T): T[] => posted.map(of);
  const line = <T>(of: (one: (typeof lines)[number]) => T): T[] => lines.map(of);
  const today = wallAt(work.now, work.tenant.zone).date;
  return sql`
    WITH posted AS (
      INSERT INTO ledger_transaction (provider_id, kind, object, object_id, explanation, posted_at, posted_on)
      SELECT ${work.providerId}, kind, object, object_id, explanation, ${instant(work.now)}, ${today}::date
      FROM unnest(${each((p) => p.kind)}::text[], ${each((p) => p.about.object)}::text[],
        ${each((p) => p.about.id)}::bigint[],
        ${each((p) => p.explanation)}::text[]) WITH ORDINALITY AS p (kind, object, object_id, explanation, nth)
      ORDER BY nth
      RETURNING id, kind, object, object_id
    )
    INSERT INTO ledger_line (provider_id, transaction_id, account, detail, customer_id, amount_minor)
    SELECT ${work.providerId}, t.id, l.account, l.detail, l.customer, l.amount
    FROM unnest(${line((l) => l.posting.kind)}::text[], ${line((l) => l.posting.about.object)}::text[],
      ${line((l) => l.posting.about.id)}::bigint[], ${line((l) => l.account)}::text[],
      ${line((l) => l.detail ?? null)}::text[],
      ${line((l) => l.customer ?? null)}::bigint[], ${line((l) => l.amount)}::bigint[]) WITH ORDINALITY
      AS l (kind, object, object_id, account, detail, customer, amount, place)
    JOIN posted t USING (kind, object, object_id) ORDER BY l.place`;
}

/**
 * Locks the accounts of customers, each by id. Call this before reading credit to decide on it, and before posting for
 * several customers one after the other in one transaction. It comes after every other lock except those of account
 * entries.
 */
export async function lockAccounts({ tx, providerId }: Work, customers: readonly number[]): Promise<void> {
  if (customers.length > 0) await tx.run(sql`SELECT lock_accounts(${providerId}, ${customers}::bigint[])`);
}

/**
 * Returns the credit that a customer can spend, in minor units: 0 or more. Without `lockAccounts`, it may have changed
 * immediately afterwards.
 */
export async function creditOf({ tx, providerId }: Pick<Work, 'tx' | 'providerId'>, customer: number): Promise<number> {
  const balance = await tx.one<{ credit: number }>(
    sql`SELECT -amount_minor AS credit FROM customer_balance
      WHERE provider_id = ${providerId} AND customer_id = ${customer} AND account = 'credit'`,
  );
  return balance?.credit ?? 0;
}
