/** Notes of imported customers. */
import { customerNoteFeed } from './feed.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { takeIds } from '../../../../kernel/work/unit/row.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

export interface ImportedNote {
  readonly customer: number;
  /** 1 to 10,000 characters */
  readonly text: string;
}

const keyOf = (customer: number, text: string): string => `${customer} ${text}`;

/** Adds the notes that a customer doesn't have yet, word for word. Returns the customers who got one. */
export async function importNotes(work: Work, notes: readonly ImportedNote[]): Promise<Set<number>> {
  if (notes.length === 0) return new Set();
  const { tx, providerId, now } = work;
  const stored = await tx.rows<{ customer_id: number; text: string }>(
    sql`SELECT customer_id, text FROM customer_note WHERE provider_id = ${providerId}
        AND customer_id = ANY(${notes.map(({ customer }) => customer)}::bigint[])`,
  );
  const known = new Set(stored.map((row) => keyOf(row.customer_id, row.text)));
  const fresh = notes.filter(({ customer, text }) => !known.has(keyOf(customer, text)));
  if (fresh.length === 0) return new Set();
  const ids = await takeIds(work, 'customer_note', fresh.length);
  const at = instant(now);
  await tx.run(sql`
    INSERT INTO customer_note (provider_id, id, customer_id, text, at, created_at, updated_at)
    SELECT ${providerId}::bigint, i, c, t, ${at}::timestamptz, ${at}::timestamptz, ${at}::timestamptz
    FROM unnest(${ids}::bigint[], ${fresh.map((n) => n.customer)}::bigint[], ${fresh.map((n) => n.text)}::text[])
      AS n (i, c, t)`);
  for (const [i, { customer }] of fresh.entries())
    work.record(customerNoteFeed.created, ids[i], { customer_note: ids[i], customer });
  return new Set(fresh.map(({ customer }) => customer));
}
