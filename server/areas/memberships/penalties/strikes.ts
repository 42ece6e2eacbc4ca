/** Keeps the strikes consistent with the bookings. */
import { addDays, startOfDay, wallAt } from '../../../kernel/base/values/zone.ts';
import {
  broken,
  readBookings,
  readJudging,
  describeStrike,
  type Booking,
  type KnownStrike,
  type RuleOf,
} from './facts.ts';
import { insertRow, updateRow } from '../../../kernel/work/unit/row.ts';
import { instant, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { membershipStrikeFeed } from './feed.ts';
import { touchStrikes } from './settle.ts';
import type { Infraction } from './rules/sequences.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

type EndReason = 'forgiven' | 'voided' | 'corrected' | 'event_cancelled' | 'booking_dropped';

interface StrikeRow {
  readonly id: number;
  readonly customer_membership_id: number;
  readonly rule_id: number;
  readonly attendance_id: number | null;
  readonly type: Infraction;
  readonly penalty_id: number | null;
  readonly ended_at: number | null;
  readonly end_reason: EndReason | null;
  readonly message_ids: number[];
  readonly times: number;
  /** customer who was booked, or the holder of the membership */
  readonly customer: number;
  /** days of its rule */
  readonly days: number;
}

/** Reads strikes, selected by `which` with the alias `s`. */
export const readStrikes = ({ tx, providerId }: Work, which: Sql): Promise<StrikeRow[]> =>
  tx.rows<StrikeRow>(sql`SELECT s.*, r.days, coalesce(a.customer_id, cm.customer_id) AS customer
    FROM membership_strike s
    JOIN membership_penalty_rule r ON r.provider_id = s.provider_id AND r.id = s.rule_id
    JOIN customer_membership cm ON cm.provider_id = s.provider_id AND cm.id = s.customer_membership_id
    LEFT JOIN attendance a ON a.provider_id = s.provider_id AND a.id = s.attendance_id
    WHERE s.provider_id = ${providerId} AND ${which} ORDER BY s.id`);

const payloadOf = (row: StrikeRow) => ({
  membership_strike: row.id,
  customer_membership: row.customer_membership_id,
  customer: row.customer,
  attendance: row.attendance_id,
  type: row.type,
});

/** Ends strikes, and cancels their pending messages. */
export async function endStrikes(
  work: Work,
  rows: readonly StrikeRow[],
  reason: EndReason,
  note?: string,
): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map((row) => row.id);
  await touchStrikes(work, sql`id = ANY(${ids}::bigint[])`);
  await work.tx.run(sql`UPDATE membership_strike SET ended_at = ${instant(work.now)}, end_reason = ${reason},
      note = ${note ?? null}, updated_at = ${instant(work.now)}
    WHERE provider_id = ${work.providerId} AND id = ANY(${ids}::bigint[])`);
  await work.registry.notifier.withdraw(
    work,
    rows.flatMap((row) => row.message_ids),
  );
  for (const row of rows) {
    if (reason === 'forgiven') work.record(membershipStrikeFeed.forgiven, row.id, payloadOf(row));
    else work.record(membershipStrikeFeed.removed, row.id, { ...payloadOf(row), reason });
    work.effect(reason === 'forgiven' ? 'strike_forgiven' : 'strike_removed', 'membership_strike', row.id, {
      ...payloadOf(row),
      reason,
    });
  }
}

const expiresAt = (work: Work, rule: Pick<RuleOf, 'days'>, startsAt: number): Sql =>
  sql`
    ${instant(startOfDay(addDays(wallAt(startsAt, work.tenant.zone).date, rule.days), work.tenant.zone))}::timestamptz`;

interface NewStrike {
  readonly booking: Booking;
  readonly rule: RuleOf;
  /** an ended strike that applies again */
  readonly again: StrikeRow | null;
}

/**
 * Returns the infractions of the bookings that have no strike yet. Forgiven strikes stay forgiven, and those that staff
 * voided stay void.
 */
export async function newStrikes(
  work: Work,
  bookings: readonly Booking[],
  known: readonly StrikeRow[],
): Promise<NewStrike[]> {
  const rules = await readJudging(work, [
    ...new Set(bookings.flatMap((b) => (b.infraction === null ? [] : (b.membership ?? [])))),
  ]);
  const found: NewStrike[] = [];
  for (const booking of bookings) {
    const strikes = known.filter((strike) => strike.attendance_id === booking.attendance);
    if (strikes.some(({ end_reason: reason }) => reason === 'forgiven' || reason === 'voided')) continue;
    for (const rule of broken(booking, rules, work.now)) {
      const strike = strikes.find(({ rule_id: id }) => id === rule.id) ?? null;
      if (strike === null || strike.ended_at !== null) found.push({ booking, rule, again: strike });
    }
  }
  return found;
}

async function record(work: Work, { booking, rule, again }: NewStrike): Promise<KnownStrike> {
  const { attendance, infraction, customer_membership: membership, customer, starts_at: startsAt } = booking;
  const values = {
    customer_membership_id: membership!,
    type: infraction!,
    expires_at: expiresAt(work, rule, startsAt),
    occurred_at: instant(infraction === 'no_show' ? startsAt : (booking.cancelled_at ?? work.now)),
  };
  let id = again?.id;
  if (id === undefined)
    id = await insertRow(work, 'membership_strike', { ...values, rule_id: rule.id, attendance_id: attendance });
  else {
    await touchStrikes(work, sql`id = ${id}`);
    await updateRow(work, 'membership_strike', id, {
      ...values,
      ended_at: null,
      end_reason: null,
      penalty_id: null,
      message_ids: sql`'{}'::bigint[]`,
      times: again!.times + 1,
    });
  }
  work.record(membershipStrikeFeed.recorded, id, {
    membership_strike: id,
    customer_membership: membership!,
    customer,
    attendance,
    type: infraction!,
  });
  return describeStrike(work, id, rule, booking);
}

/** Returns the reason why strikes of a booking no longer count; null if they do. */
const overBy = (booking: Booking, strike: StrikeRow): EndReason | null => {
  if (booking.cancelled) return 'event_cancelled';
  return booking.infraction === strike.type ? null : 'corrected';
};

interface Change {
  /** customer memberships whose penalties have to be settled */
  readonly memberships: readonly number[];
  readonly recorded: readonly KnownStrike[];
}

/** Returns the changes for the strikes of these bookings and events, and for those without a booking. Reads only. */
export async function findChanges(work: Work, attendances: readonly number[], movedEvents: readonly number[]) {
  // Three ways to find them, each with an index of its own: hundreds of bookings are read, and hardly any has a strike.
  const known = await readStrikes(
    work,
    sql`s.id IN (
    SELECT x.id FROM membership_strike x WHERE x.provider_id = ${work.providerId}
      AND x.attendance_id = ANY(${attendances}::bigint[])
    UNION ALL SELECT x.id FROM attendance y JOIN membership_strike x ON x.provider_id = y.provider_id
      AND x.attendance_id = y.id WHERE y.provider_id = ${work.providerId} AND y.event_id = ANY(${movedEvents}::bigint[])
    UNION ALL SELECT x.id FROM membership_strike x
    WHERE x.provider_id = ${work.providerId} AND x.attendance_id IS NULL AND x.ended_at IS NULL)`,
  );
  const standing = known.filter((strike) => strike.ended_at === null);
  const answering = standing.flatMap((strike) => strike.attendance_id ?? []);
  const bookings = await readBookings(
    work,
    sql`a.id = ANY(${[...attendances, ...answering]}::bigint[])
      AND (a.status IN ('late_cancelled', 'no_show') OR a.id = ANY(${answering}::bigint[]))`,
  );
  const byId = new Map(bookings.map((booking) => [booking.attendance, booking]));
  const over = standing.flatMap((strike) => {
    const booking = strike.attendance_id === null ? null : byId.get(strike.attendance_id)!;
    const reason = booking === null ? 'booking_dropped' : overBy(booking, strike);
    return reason === null ? [] : [{ strike, reason }];
  });
  const ended = new Map(over.map(({ strike, reason }) => [strike.id, reason]));
  const fresh = await newStrikes(
    work,
    bookings,
    known.map((strike) =>
      ended.has(strike.id) ? { ...strike, ended_at: work.now, end_reason: ended.get(strike.id)! } : strike,
    ),
  );
  const moved = standing.filter(
    (strike) =>
      strike.attendance_id !== null &&
      movedEvents.includes(byId.get(strike.attendance_id)!.event) &&
      !ended.has(strike.id),
  );
  const memberships = [
    ...new Set([
      ...over.map(({ strike }) => strike.customer_membership_id),
      ...fresh.map(({ booking }) => booking.customer_membership!),
      ...moved.map((s) => s.customer_membership_id),
    ]),
  ];
  return { over, fresh, moved, bookings: byId, memberships: memberships.toSorted((a, b) => a - b) };
}

/** Applies the changes; the customer memberships are locked. */
export async function applyChanges(
  work: Work,
  { over, fresh, moved, bookings, memberships }: Awaited<ReturnType<typeof findChanges>>,
): Promise<Change> {
  for (const [reason, rows] of Map.groupBy(over, (one) => one.reason))
    await endStrikes(
      work,
      rows.map(({ strike }) => strike),
      reason,
    );
  const recorded: KnownStrike[] = [];
  for (const one of fresh) recorded.push(await record(work, one));
  for (const strike of moved) await moveStrike(work, strike, bookings.get(strike.attendance_id!)!.starts_at);
  return { memberships, recorded };
}

/** Moves a strike whose event takes place at another time: its days count from there. */
async function moveStrike(work: Work, strike: StrikeRow, startsAt: number): Promise<void> {
  await work.tx.run(
    sql`UPDATE membership_strike SET expires_at = ${expiresAt(work, strike, startsAt)}
      WHERE provider_id = ${work.providerId} AND id = ${strike.id}`,
  );
}
