/**
 * The row of a hold, and the only writer of `customer_membership_hold`. Rows of holds are only written while their
 * membership is locked.
 */
import { insertRow, updateRow, deleteRow } from '../../../../kernel/work/unit/row.ts';
import { instant, json, sql } from '../../../../kernel/base/db/sql.ts';
import { addDays } from '../../../../kernel/base/values/date.ts';
import { startOfDay, wallAt } from '../../../../kernel/base/values/zone.ts';
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

/**
 * Inserts holds from a day on, until somebody ends them, of memberships that were on hold elsewhere. They change
 * nothing that is paid. Returns the id of each, with that of its membership.
 */
export const insertOpenHolds = (
  work: Work,
  holds: readonly { readonly of: number; readonly start: string }[],
  resolution: Decided,
): Promise<{ id: number; of: number }[]> => {
  const [today, at] = [wallAt(work.now, work.tenant.zone).date, instant(work.now)];
  return work.tx.rows<{ id: number; of: number }>(sql`
    INSERT INTO customer_membership_hold (provider_id, customer_membership_id, start_date, prorate_usage,
      disable_prorates, extend_expirations, made_by, resolution, begins_at, held_at, created_at, updated_at)
    SELECT ${work.providerId}::bigint, r.id, r.starts, false, true, false, 'staff', ${json(resolution)}::jsonb,
      r.begins, CASE WHEN r.starts <= ${today}::date THEN ${at}::timestamptz END, ${at}::timestamptz, ${at}::timestamptz
    FROM unnest(${holds.map(({ of }) => of)}::bigint[], ${holds.map(({ start }) => start)}::date[],
      ${holds.map(({ start }) => momentsOf({ start, end: null }, work.tenant.zone).begins_at)}::timestamptz[])
      AS r (id, starts, begins)
    RETURNING id, customer_membership_id AS of`);
};

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
