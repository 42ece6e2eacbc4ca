/**
 * Phone numbers that a business imports from elsewhere: stored unverified, so that nothing but a code is sent to them.
 */
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { smsAccountFeed } from '../feed.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

export interface ImportedNumber {
  readonly customer: number;
  readonly phone: { readonly entered: string; readonly full: string; readonly country: string };
}

/**
 * Imports numbers. A number that its customer has verified remains. Resolves to the customers who got a number or a
 * different one.
 */
export async function importNumbers(work: Work, numbers: readonly ImportedNumber[]): Promise<ReadonlySet<number>> {
  const at = instant(work.now);
  const rows = await work.tx.rows<{ customer_id: number }>(sql`
    INSERT INTO sms_account AS a (provider_id, customer_id, country, phone_number, full_number, enabled, created_at,
      updated_at)
    SELECT ${work.providerId}::bigint, r.customer, r.country, r.entered, r.full_number, true, ${at}::timestamptz,
      ${at}::timestamptz
    FROM unnest(${numbers.map((n) => n.customer)}::bigint[], ${numbers.map((n) => n.phone.country)}::text[],
      ${numbers.map((n) => n.phone.entered)}::text[],
                ${numbers.map((n) => n.phone.full)}::text[]) AS r (customer, country, entered, full_number)
    ORDER BY r.customer
    ON CONFLICT (provider_id, customer_id) DO UPDATE SET country = excluded.country,
      phone_number = excluded.phone_number, full_number = excluded.full_number,
      updated_at = excluded.updated_at, code_hash = NULL
    WHERE a.verified_at IS NULL AND a.full_number <> excluded.full_number
    RETURNING customer_id`);
  for (const { customer_id: customer } of rows)
    work.record(smsAccountFeed.updated, customer, { customer, changed: ['full_number'] });
  return new Set(rows.map((row) => row.customer_id));
}
