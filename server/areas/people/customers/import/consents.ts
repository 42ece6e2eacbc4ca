/** Consents to news that were given or withdrawn in another product, with their time and source. */
import { customerFeed } from '../feed.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { lockCustomers } from '../lock.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

export interface ImportedConsent {
  readonly customer: number;
  readonly granted: boolean;
  /** epoch milliseconds; null: now */
  readonly at: number | null;
}

interface Before extends Record<string, unknown> {
  readonly customer_id: number;
  readonly granted: boolean;
  readonly how: string;
}

/**
 * Records consents to news by email. A withdrawal always counts. A consent counts only for people about whom nothing
 * was recorded yet, here or by another import: a file never subscribes people again who unsubscribed.
 *
 * @param source product or file that recorded the consents
 * @returns the customers for whom something changed, and those whose consent doesn't count
 */
export async function importConsents(
  work: Work,
  consents: readonly ImportedConsent[],
  source: string,
): Promise<{ readonly changed: ReadonlySet<number>; readonly refused: ReadonlySet<number> }> {
  const [changed, refused] = [new Set<number>(), new Set<number>()];
  if (consents.length === 0) return { changed, refused };
  const { tx, providerId, now } = work;
  const ids = [...new Set(consents.map(({ customer }) => customer))].toSorted((a, b) => a - b);
  const rows = new Map((await lockCustomers(work, ids, 'UPDATE')).map((row) => [row.id, row]));
  const latest = await tx.rows<Before>(
    sql`SELECT DISTINCT ON (customer_id) customer_id, granted, how FROM consent_change
      WHERE provider_id = ${providerId} AND channel = 'email' AND customer_id = ANY(${ids}::bigint[])
      ORDER BY customer_id, id DESC`,
  );
  const before = new Map(latest.map((row) => [row.customer_id, row]));
  const counting = consents.filter(({ customer, granted }) => {
    const last = before.get(customer);
    const isNow = rows.get(customer)!.is_opted_into_broadcast_messages === true;
    if (granted && isNow) return false;
    if (granted && last) {
      refused.add(customer);
      return false;
    }
    // A withdrawal is kept with its day, also if there was no consent.
    return granted || isNow || last === undefined;
  });
  if (counting.length === 0) return { changed, refused };
  await tx.run(sql`
    INSERT INTO consent_change (provider_id, customer_id, channel, granted, how, actor, at)
    SELECT ${providerId}::bigint, c, 'email', g, 'import', ${source}, a
    FROM unnest(${counting.map((one) => one.customer)}::bigint[], ${counting.map((one) => one.granted)}::boolean[],
      ${counting.map(({ at }) => instant(at ?? now))}::timestamptz[]) AS k (c, g, a)`);
  const differing = counting.filter(
    ({ customer, granted }) => rows.get(customer)!.is_opted_into_broadcast_messages !== granted,
  );
  await tx.run(sql`
    UPDATE customer c SET is_opted_into_broadcast_messages = k.g, updated_at = ${instant(now)}
    FROM unnest(${differing.map((one) => one.customer)}::bigint[], ${differing.map((one) => one.granted)}::boolean[])
      AS k (i, g)
    WHERE c.provider_id = ${providerId} AND c.id = k.i`);
  for (const { customer } of differing)
    work.record(customerFeed.updated, customer, { customer, changed: ['is_opted_into_broadcast_messages'] });
  for (const { customer } of counting) changed.add(customer);
  return { changed, refused };
}
