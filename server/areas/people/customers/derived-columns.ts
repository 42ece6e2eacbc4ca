/** Decisions of later areas that are stored on a customer: the status, the labels, a withdrawn consent. */
import { changeCustomer } from './writes.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { lockCustomers, type CustomerRow } from './lock.ts';
import { updateRow } from '../../../kernel/work/unit/row.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Sets the status. `before`: the customer, locked. The feed item belongs to the caller. */
export async function setCustomerStatus(work: Work, before: CustomerRow, status: number | null): Promise<void> {
  work.touch('customer', before.id, before);
  await updateRow(work, 'customer', before.id, { status_id: status });
}

/** Replaces one status with another for all customers who have it. Returns their ids. */
export async function replaceCustomerStatus(work: Work, from: number, to: number): Promise<number[]> {
  const rows = await work.tx.rows<{ id: number }>(
    sql`UPDATE customer SET status_id = ${to}, updated_at = ${instant(work.now)}
      WHERE provider_id = ${work.providerId} AND status_id = ${from} RETURNING id`,
  );
  return rows.map(({ id }) => id);
}

/** Records labels in the audit as a list of the customer, whichever area stores them. `row`: the customer, locked. */
export function noteCustomerLabels(
  work: Work,
  row: CustomerRow,
  { before, after }: { before: readonly number[]; after: readonly number[] },
): void {
  work.touch('customer', row.id, row);
  work.touchLinks('customer', row.id, { name: 'customer_label_ids', before, after });
}

/** Withdraws consent to news on a channel. Without consent, nothing changes. */
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
