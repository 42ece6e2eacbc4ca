/** The customer's part of an erasure: identifiers of the person, and the deletion of the record. */
import { customerFeed } from './feed.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import type { CustomerRow } from './lock.ts';
import type { OfPerson } from '../../../kernel/base/db/table.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Returns the identifiers of the person. `row`: as stored. Later areas add their own. */
export async function ofPerson(
  { tx, providerId }: Pick<Work, 'tx' | 'providerId'>,
  row: CustomerRow,
): Promise<Omit<OfPerson, 'phones'>> {
  const merged = await tx.rows<{ customer_id: number }>(
    sql`SELECT customer_id FROM customer_merge WHERE provider_id = ${providerId} AND into_id = ${row.id} ORDER BY 1`,
  );
  const { email, first_name: first, last_name: last } = row;
  return {
    customer: row.id,
    ids: [row.id, ...merged.map((one) => one.customer_id)],
    emails: email === null ? [] : [String(email).toLowerCase()],
    fullName: first && last ? `${first} ${last}` : null,
    names: [first, last].flatMap((name) => (name ? [String(name)] : [])),
  };
}

/**
 * Marks the customer as erased for good; the identifying values of the row are already removed. Returns the time of the
 * first erasure in epoch milliseconds. The row is not touched for the audit, which would keep the values to be
 * forgotten.
 */
export async function setErased(work: Work, row: CustomerRow): Promise<number> {
  const now = instant(work.now);
  await work.tx.run(sql`UPDATE customer SET deleted_at = coalesce(deleted_at, ${now}::timestamptz),
    erased_at = coalesce(erased_at, ${now}::timestamptz), updated_at = ${now}
    WHERE provider_id = ${work.providerId} AND id = ${row.id}`);
  if (row.erased_at !== null) return row.erased_at;
  if (row.deleted_at === null) work.record(customerFeed.deleted, row.id, { customer: row.id });
  work.record(customerFeed.erased, row.id, { customer: row.id });
  return work.now;
}
