/** What areas after this one decide of a customer, and this one keeps: the status, the labels, an end of consent. */
import { changeCustomer } from './writes.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { lockCustomers, type CustomerRow } from './lock.ts';
import { updateRow } from '../../../kernel/work/unit/row.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** `before`: the customer, locked. The feed item is of whoever decided. */
export async function setCustomerStatus(work: Work, before: CustomerRow, status: number | null): Promise<void> {
  work.touch('customer', before.id, before);
  await updateRow(work, 'customer', before.id, { status_id: status });
}

/** All who have one status get another one. Returns their ids. */
export async function replaceCustomerStatus(work: Work, from: number, to: number): Promise<number[]> {
  const rows = await work.tx.rows<{ id: number }>(
    sql`UPDATE customer SET status_id = ${to}, updated_at = ${instant(work.now)} WHERE provider_id = ${work.providerId} AND status_id = ${from} RETURNING id`,
  );
  return rows.map(({ id }) => id);
}

/** The audit shows labels as a list of the customer, whoever keeps them. `row`: the customer, locked. */
export function noteCustomerLabels(
  work: Work,
  row: CustomerRow,
  { before, after }: { before: readonly number[]; after: readonly number[] },
): void {
  work.touch('customer', row.id, row);
  work.touchLinks('customer', row.id, { name: 'customer_label_ids', before, after });
}

/** Of news by a channel. Where there is none, nothing changes. */
export async function endConsent(
  work: Work,
  id: number,
  to: 'is_opted_into_broadcast_messages' | 'is_opted_into_sms_marketing',
): Promise<void> {
  const [before] = await lockCustomers(work, [id], 'UPDATE');
  if (before?.[to] !== true) return;
  work.touch('customer', id, before);
  await changeCustomer(work, id, { [to]: false });
}
