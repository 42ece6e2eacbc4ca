/**
 * The row of a hold, and the only writer of `customer_membership_hold`. Rows of holds are only written while their
 * membership is locked.
 */
import { insertRow, updateRow, deleteRow } from '../../../../kernel/work/unit/row.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { addDays } from '../../../../kernel/base/values/date.ts';
import { startOfDay } from '../../../../kernel/base/values/zone.ts';
import type { Days } from './rules/hold.ts';
import type { Decided } from './rules/payment.ts';
import type { Row } from '../../../../kernel/base/db/rows.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** A row of `customer_membership_hold`. */
export type HoldRow = Row<'customer_membership_hold', { readonly resolution: Decided }>;

export const daysOf = ({ start_date: start, end_date: end }: Pick<HoldRow, 'start_date' | 'end_date'>): Days => ({
  start,
  end,
});

/** Returns when the first day begins and when the last day ends, in the time zone of the business. */
export const momentsOf = ({ start, end }: Days, zone: string) => ({
  begins_at: instant(startOfDay(start, zone)),
  over_at: end === null ? null : instant(startOfDay(addDays(end, 1), zone)),
});

type Values = Record<string, unknown>;

/** Inserts a hold and returns its id. */
export const insertHold = (work: Work, values: Values): Promise<number> =>
  insertRow(work, 'customer_membership_hold', values);

export async function changeHold(work: Work, hold: HoldRow, to: Values): Promise<void> {
  work.touch('customer_membership_hold', hold.id, hold);
  await updateRow(work, 'customer_membership_hold', hold.id, to);
}

export async function deleteHold(work: Work, hold: HoldRow): Promise<void> {
  work.touch('customer_membership_hold', hold.id, hold);
  await deleteRow(work, 'customer_membership_hold', hold.id);
}

/**
 * Moves the times of all holds after a change of the time zone. Their days stay, so this does not count as a change of
 * the hold.
 */
export async function moveMoments(work: Work): Promise<void> {
  const rows = await work.tx.rows<Pick<HoldRow, 'id' | 'start_date' | 'end_date'>>(
    sql`SELECT id, start_date, end_date FROM customer_membership_hold
      WHERE provider_id = ${work.providerId} AND resumed_at IS NULL`,
  );
  const moments = rows.map((row) => momentsOf(daysOf(row), work.tenant.zone));
  await work.tx.run(sql`UPDATE customer_membership_hold h SET begins_at = m.begins, over_at = m.over
    FROM unnest(${rows.map((row) => row.id)}::bigint[], ${moments.map((m) => m.begins_at)}::timestamptz[],
      ${moments.map((m) => m.over_at)}::timestamptz[]) AS m (id, begins, over)
    WHERE h.provider_id = ${work.providerId} AND h.id = m.id`);
}
