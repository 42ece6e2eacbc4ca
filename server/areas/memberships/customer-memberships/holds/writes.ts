/**
 * The writes of holds. Whoever calls them has locked the memberships by `lockDisplaced`; the rows of holds are written
 * under that lock alone. What a dry run tells is what these functions do.
 */
import { addAdjustment, voidAdjustments, type NewAdjustment } from '../adjustment.ts';
import { todayOf } from '../writes.ts';
import { addDays } from '../../../../kernel/values/date.ts';
import { daysOf, otherHold, readHoldings, type Holding, type HoldRow } from './facts.ts';
import { decide, explain, type Decided, type PeriodFacts } from './rules/payment.ts';
import { holdCreated, holdEnded, holdDeleted, holdUpdated, membershipHeld, membershipResumed } from './feed.ts';
import { insertRow, updateRow } from '../../../../kernel/db/row.ts';
import { instant, json, sql } from '../../../../kernel/db/sql.ts';
import { isDeepStrictEqual } from 'node:util';
import { lengthOf, stateOn, type Days } from './rules/hold.ts';
import { periodAt, periodStart } from '../../../../kernel/values/cycle.ts';
import { startOfDay } from '../../../../kernel/values/zone.ts';
import type { Work } from '../../../../kernel/work.ts';

/** How a hold is meant, beside its days. */
export interface Manner {
  readonly prorateUsage: boolean;
  readonly disableProrates: boolean;
  readonly extendExpirations: boolean;
}

const mannerOf = (row: HoldRow): Manner => ({
  prorateUsage: row.prorate_usage,
  disableProrates: row.disable_prorates,
  extendExpirations: row.extend_expirations,
});

/** The first moments of the first day and of the one after the last, by the clock of the business. */
export const momentsOf = ({ start, end }: Days, zone: string) => ({
  begins_at: instant(startOfDay(start, zone)),
  over_at: end === null ? null : instant(startOfDay(addDays(end, 1), zone)),
});

/** Days by which the last day of the membership moves. */
const extensionOf = (days: Days, { extendExpirations }: Manner, end: string | null): number =>
  extendExpirations && end !== null ? (lengthOf(days) ?? 0) : 0;

interface Deciding {
  /** the last day of the membership as it is with the hold */
  readonly end: string | null;
  /** the hold as it is, which is not one of the others */
  readonly replaces?: HoldRow;
}

/** What is paid and given back for a hold of these days. */
function decideFor(
  work: Work,
  holding: Holding,
  days: Days,
  { disableProrates, prorateUsage }: Manner,
  { end, replaces }: Deciding,
): Decided {
  const { cycle, price, usage, start, holds } = holding;
  // What was paid for the period in which it begins stays, whatever the price has become since.
  const paid =
    cycle !== null &&
    replaces !== undefined &&
    periodAt(cycle, replaces.start_date) === periodAt(cycle, days.start) &&
    periodStart(cycle, periodAt(cycle, days.start)) <= todayOf(work);
  return decide({
    cycle,
    price,
    usage,
    disableProrates,
    prorateUsage,
    end,
    startPrice: paid ? replaces.resolution.price : price,
    currency: work.tenant.currency,
    hold: days,
    start: start!,
    others: holds.filter((hold) => hold.id !== replaces?.id).map(otherHold),
  });
}

const movedBy = (end: string | null, days: number): string | null =>
  end === null || days === 0 ? end : addDays(end, days);

/**
 * Puts a membership on hold and returns the id of the hold. Its money is decided by `decideHolds`, when its bookings
 * are settled.
 */
export async function writeHold(work: Work, holding: Holding, days: Days, manner: Manner): Promise<number> {
  const today = todayOf(work);
  const extended = extensionOf(days, manner, holding.end);
  const end = movedBy(holding.end, extended);
  const decided = decideFor(work, holding, days, manner, { end });
  const id = await insertRow(work, 'customer_membership_hold', {
    customer_membership_id: holding.id,
    start_date: days.start,
    end_date: days.end,
    prorate_usage: manner.prorateUsage,
    disable_prorates: manner.disableProrates,
    extend_expirations: manner.extendExpirations,
    made_by: work.viewer.mode === 'customer' ? 'customer' : 'staff',
    previous_expiration_date: extended > 0 ? holding.end : null,
    extended_days: extended,
    resolution: json(decided),
    ...momentsOf(days, work.tenant.zone),
    held_at: stateOn(days, today) === 'active' ? instant(work.now) : null,
  });
  work.record(holdCreated, id, told(holding, id, days));
  work.effect('hold_created', 'customer_membership_hold', id, {
    customer_membership: holding.id,
    start_date: days.start,
    end_date: days.end,
  });
  const rests = stateOn(days, today) === 'active';
  await changeHolding(work, holding, { end, status: rests ? 'hold' : holding.status });
  if (rests) tellRest(work, holding, id);
  return id;
}

/**
 * Gives a hold other days, and returns the last day that the membership has then; its money is decided by
 * `decideHolds`. `ended`: somebody ends it; `added`: days by which it becomes longer.
 */
export async function rewriteHold(
  work: Work,
  holding: Holding,
  hold: HoldRow,
  days: Days,
  { ended = false, added = 0 } = {},
): Promise<string | null> {
  const today = todayOf(work);
  const manner = mannerOf(hold);
  const extended = extensionOf(days, manner, holding.end);
  const end = movedBy(holding.end, extended - hold.extended_days);
  const decided = decideFor(work, holding, days, manner, { end, replaces: hold });
  const changed = [
    ...(days.start !== hold.start_date ? ['start_date'] : []),
    ...(days.end !== hold.end_date ? ['end_date'] : []),
    ...(added > 0 ? ['days_to_add'] : []),
  ];
  if (changed.length === 0 && !ended) return holding.end;
  const [before, after] = [stateOn(daysOf(hold), today), stateOn(days, today)];
  const begins = after !== 'upcoming' && hold.held_at === null;
  work.touch('customer_membership_hold', hold.id, hold);
  await updateRow(work, 'customer_membership_hold', hold.id, {
    start_date: days.start,
    end_date: days.end,
    days_to_add: added > 0 ? (hold.days_to_add ?? 0) + added : undefined,
    previous_expiration_date: extended > 0 ? (hold.previous_expiration_date ?? holding.end) : null,
    extended_days: extended,
    resolution: json(decided),
    ...momentsOf(days, work.tenant.zone),
    ...(ended && { ended_at: instant(work.now) }),
    ...(begins && { held_at: instant(work.now) }),
    ...(after === 'ended' && { resumed_at: instant(work.now) }),
  });
  await changeHolding(work, holding, {
    end,
    status: after === 'active' ? 'hold' : before === 'active' ? 'active' : holding.status,
  });
  if (begins) tellRest(work, holding, hold.id);
  if (after === 'ended') {
    work.record(holdEnded, hold.id, told(holding, hold.id, days));
    work.effect('hold_ended', 'customer_membership_hold', hold.id, {
      customer_membership: holding.id,
      start_date: days.start,
      end_date: days.end,
    });
    tellBack(work, holding, hold.id);
  } else {
    work.record(holdUpdated, hold.id, { ...told(holding, hold.id, days), changed });
    work.effect('hold_updated', 'customer_membership_hold', hold.id, {
      customer_membership: holding.id,
      start_date: days.start,
      end_date: days.end,
    });
  }
  return end;
}

/**
 * Decides what holds that were made or changed give back and charge, once the bookings of their days are settled: a use
 * that came back was not used.
 */
export async function decideHolds(work: Work, memberships: readonly number[], ids: readonly number[]): Promise<void> {
  for (const holding of (await readHoldings(work, memberships)).values()) {
    for (const hold of holding.holds.filter((one) => ids.includes(one.id))) {
      const decided = decideFor(work, holding, daysOf(hold), mannerOf(hold), { end: holding.end, replaces: hold });
      const kept = await settleMoney(work, holding, daysOf(hold), decided, hold);
      const { resolution, credit_adjustment_id, charge_adjustment_id } = hold;
      if (
        isDeepStrictEqual({ resolution: decided, ...kept }, { resolution, credit_adjustment_id, charge_adjustment_id })
      )
        continue;
      work.touch('customer_membership_hold', hold.id, hold);
      await updateRow(work, 'customer_membership_hold', hold.id, { resolution: json(decided), ...kept });
    }
  }
}

/**
 * Decides anew what the holds of memberships cost that are on or to come, after the price or the last day of the
 * memberships changed. Whoever did that has locked them; what was paid for a period in which a hold has begun stays.
 */
export async function decideHoldsOf(work: Work, memberships: readonly number[]): Promise<void> {
  const rows = await work.tx.rows<{ id: number; membership: number }>(
    sql`SELECT id, customer_membership_id AS membership FROM customer_membership_hold WHERE provider_id = ${work.providerId} AND customer_membership_id = ANY(${memberships}::bigint[]) AND resumed_at IS NULL ORDER BY id`,
  );
  if (rows.length > 0)
    await decideHolds(
      work,
      [...new Set(rows.map((row) => row.membership))],
      rows.map((row) => row.id),
    );
}

/**
 * Takes a hold out of which not a day has passed: everything is as if it had never been. Returns the last day that the
 * membership has then.
 */
export async function removeHold(work: Work, holding: Holding, hold: HoldRow): Promise<string | null> {
  await takeOut(work, holding, hold);
  const end = movedBy(holding.end, -hold.extended_days);
  const rested = hold.held_at !== null && hold.resumed_at === null;
  await changeHolding(work, holding, { end, status: rested ? 'active' : holding.status });
  if (rested) tellBack(work, holding, hold.id);
  return end;
}

async function takeOut(work: Work, holding: Holding, hold: HoldRow): Promise<void> {
  work.touch('customer_membership_hold', hold.id, hold);
  await work.tx.run(
    sql`DELETE FROM customer_membership_hold WHERE provider_id = ${work.providerId} AND id = ${hold.id}`,
  );
  await voidAdjustments(
    work,
    [hold.credit_adjustment_id, hold.charge_adjustment_id].filter((id) => id !== null),
  );
  work.record(holdDeleted, hold.id, told(holding, hold.id, daysOf(hold)));
  work.effect('hold_removed', 'customer_membership_hold', hold.id, {
    customer_membership: holding.id,
    start_date: hold.start_date,
    end_date: hold.end_date,
  });
}

/**
 * Ends what a membership that ends has of holds: none reaches the day `on`, and those that begin then or later are
 * taken out. Its days and its state are the caller's, who has locked it and written its last day before: no charge is
 * made for a time after that.
 */
export async function endHoldsOf(work: Work, customerMembership: number, on: string): Promise<void> {
  const holding = (await readHoldings(work, [customerMembership])).get(customerMembership);
  for (const hold of holding?.holds ?? []) {
    if (hold.end_date !== null && hold.end_date < on) continue;
    if (hold.start_date >= on) await takeOut(work, holding!, hold);
    else await cut(work, holding!, hold, { start: hold.start_date, end: addDays(on, -1) });
  }
}

async function cut(work: Work, holding: Holding, hold: HoldRow, days: Days): Promise<void> {
  const decided = decideFor(work, holding, days, mannerOf(hold), { end: holding.end, replaces: hold });
  const over = stateOn(days, todayOf(work)) === 'ended';
  work.touch('customer_membership_hold', hold.id, hold);
  await updateRow(work, 'customer_membership_hold', hold.id, {
    end_date: days.end,
    resolution: json(decided),
    ended_at: instant(work.now),
    ...momentsOf(days, work.tenant.zone),
    ...(over && hold.held_at === null && { held_at: instant(work.now) }),
    ...(over && hold.resumed_at === null && { resumed_at: instant(work.now) }),
    ...(await settleMoney(work, holding, days, decided, hold)),
  });
  if (over) work.record(holdEnded, hold.id, told(holding, hold.id, days));
  else work.record(holdUpdated, hold.id, { ...told(holding, hold.id, days), changed: ['end_date'] });
  work.effect('hold_ended', 'customer_membership_hold', hold.id, {
    customer_membership: holding.id,
    start_date: days.start,
    end_date: days.end,
  });
}

/** Tells what the calendar has brought to the holds of a membership: which began, which are over. */
export async function settleCalendar(work: Work, holding: Holding): Promise<void> {
  const today = todayOf(work);
  const due = holding.holds.filter((hold) => isDue(hold, today));
  const ids = {
    begun: due.filter((h) => h.held_at === null).map((h) => h.id),
    over: due.filter((h) => stateOn(daysOf(h), today) === 'ended').map((h) => h.id),
  };
  const now = instant(work.now);
  await work.tx
    .run(sql`UPDATE customer_membership_hold SET updated_at = ${now}, held_at = CASE WHEN id = ANY(${ids.begun}::bigint[]) THEN ${now} ELSE held_at END,
    resumed_at = CASE WHEN id = ANY(${ids.over}::bigint[]) THEN ${now} ELSE resumed_at END WHERE provider_id = ${work.providerId} AND id = ANY(${due.map((h) => h.id)}::bigint[])`);
  for (const hold of due) {
    work.touch('customer_membership_hold', hold.id, hold);
    if (ids.begun.includes(hold.id)) tellRest(work, holding, hold.id);
    if (!ids.over.includes(hold.id)) continue;
    work.record(holdEnded, hold.id, told(holding, hold.id, daysOf(hold)));
    tellBack(work, holding, hold.id);
  }
  const rests = holding.holds.some((hold) => stateOn(daysOf(hold), today) === 'active');
  await changeHolding(work, holding, {
    end: holding.end,
    status: rests ? 'hold' : holding.status === 'hold' ? 'active' : holding.status,
  });
}

const isDue = (hold: HoldRow, today: string): boolean => {
  const state = stateOn(daysOf(hold), today);
  return (hold.held_at === null && state !== 'upcoming') || (hold.resumed_at === null && state === 'ended');
};

const told = (holding: Holding, id: number, { start, end }: Days) => ({
  customer_membership_hold: id,
  customer_membership: holding.id,
  customer: holding.customer,
  start_date: start,
  end_date: end,
});

const whose = (holding: Holding, hold: number) => ({
  customer_membership: holding.id,
  customer: holding.customer,
  customer_membership_hold: hold,
});

function tellRest(work: Work, holding: Holding, hold: number): void {
  work.record(membershipHeld, holding.id, whose(holding, hold));
  work.effect('membership_held', 'customermembership', holding.id, { customer_membership_hold: hold });
}

function tellBack(work: Work, holding: Holding, hold: number): void {
  work.record(membershipResumed, holding.id, whose(holding, hold));
  work.effect('membership_resumed', 'customermembership', holding.id, { customer_membership_hold: hold });
}

/** What has ended stays as it ended. */
async function changeHolding(
  work: Work,
  holding: Holding,
  { end, status }: { end: string | null; status: string },
): Promise<void> {
  const over = holding.status === 'completed' || holding.status === 'cancelled';
  const changes = {
    ...(end !== holding.end && { expiration_date: end }),
    ...(!over && status !== holding.status && { status }),
  };
  if (over || Object.keys(changes).length === 0) return;
  work.touch('customer_membership', holding.id, holding.row);
  await updateRow(work, 'customer_membership', holding.id, changes);
  if (end !== holding.end)
    work.effect('expiration_moved', 'customermembership', holding.id, { from: holding.end, to: end });
}

/** Keeps what was decided as a credit and a charge. Returns the columns that say so. */
async function settleMoney(
  work: Work,
  { id }: Holding,
  days: Days,
  { start, reactivation, resolution }: Decided,
  before: HoldRow,
): Promise<Record<'credit_adjustment_id' | 'charge_adjustment_id', number | null>> {
  const { credit, charge } = resolution;
  const wanted = (
    type: 'credit' | 'charge',
    amount: number,
    of: PeriodFacts | null,
    dueOn: string | null,
  ): NewAdjustment | null =>
    amount === 0
      ? null
      : {
          customerMembership: id,
          type,
          amount,
          dueOn: dueOn!,
          reason: type === 'credit' ? 'hold' : 'reactivation',
          explanation: explain(work.tenant.currency, type, amount, of!),
          period: { start: of!.start_date, end: of!.end_date },
        };
  return {
    credit_adjustment_id: await keep(work, before.credit_adjustment_id, wanted('credit', credit, start, days.start)),
    charge_adjustment_id: await keep(
      work,
      before.charge_adjustment_id,
      wanted('charge', charge, reactivation, reactivation?.due_date ?? null),
    ),
  };
}

/** What says the same is left alone; anything else is taken back and decided anew. */
async function keep(work: Work, id: number | null, wanted: NewAdjustment | null): Promise<number | null> {
  if (id !== null) {
    const row = await work.tx.one(
      sql`SELECT amount_minor, explanation, due_on, period_start FROM membership_adjustment WHERE provider_id = ${work.providerId} AND id = ${id} AND voided_at IS NULL`,
    );
    if (
      row &&
      wanted &&
      row.amount_minor === wanted.amount &&
      row.explanation === wanted.explanation &&
      row.due_on === wanted.dueOn &&
      row.period_start === wanted.period!.start
    )
      return id;
    await voidAdjustments(work, [id]);
  }
  return wanted && addAdjustment(work, wanted);
}
