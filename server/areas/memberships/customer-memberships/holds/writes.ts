/** Writes of holds. Callers have locked the memberships with `lockUncovered`. A dry run runs the same functions. */
import { addDays } from '../../../../kernel/base/values/date.ts';
import { changeHold, daysOf, deleteHold, insertHold, momentsOf, type HoldRow } from './hold-row.ts';
import { changeOwned, readAllOwned, type Locked, type Owned } from '../owned.ts';
import { decideFor, toManner, undecided, type Manner } from './deciding.ts';
import { goesOn } from '../rules/status.ts';
import { customerMembershipHoldFeed } from './feed.ts';
import { instant, json, sql } from '../../../../kernel/base/db/sql.ts';
import { isDeepStrictEqual } from 'node:util';
import { lengthOf, stateOn, type Days } from './rules/hold.ts';
import { settleMoney } from './money.ts';
import { reportHeld, reportHold, reportResumed, reportUpdated } from './reporting.ts';
import { todayOf } from '../writes.ts';
import { usagesOf } from './usage.ts';
import { lockAccounts } from '../../../money/ledger/index.ts';
import { voidEntries } from '../../../money/account-entries/index.ts';
import { storedTexts } from '../../../../kernel/work/unit/stored-texts.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** Returns the number of days by which the last day of the membership moves. */
const extensionOf = (days: Days, { extendExpirations }: Manner, end: string | null): number =>
  extendExpirations && end !== null ? (lengthOf(days) ?? 0) : 0;

const movedBy = (end: string | null, days: number): string | null =>
  end === null || days === 0 ? end : addDays(end, days);

/**
 * Puts a membership on hold and returns the id of the hold. `decideHolds` decides its money after the bookings are
 * settled.
 */
export async function writeHold(work: Work, owned: Locked, days: Days, manner: Manner): Promise<number> {
  const extended = extensionOf(days, manner, owned.expiration_date);
  const end = movedBy(owned.expiration_date, extended);
  const rests = stateOn(days, todayOf(work)) === 'active';
  const id = await insertHold(work, {
    customer_membership_id: owned.id,
    start_date: days.start,
    end_date: days.end,
    prorate_usage: manner.prorateUsage,
    disable_prorates: manner.disableProrates,
    extend_expirations: manner.extendExpirations,
    made_by: work.viewer.mode === 'customer' ? 'customer' : 'staff',
    previous_expiration_date: extended > 0 ? owned.expiration_date : null,
    extended_days: extended,
    resolution: json(undecided(work)),
    ...momentsOf(days, work.tenant.zone),
    held_at: rests ? instant(work.now) : null,
  });
  reportHold(work, owned, { kind: customerMembershipHoldFeed.created, effect: 'hold_created', hold: id, days });
  await changeTerm(work, owned, { end, status: rests ? 'hold' : owned.status });
  if (rests) reportHeld(work, owned, id);
  return id;
}

/**
 * Changes the days of a hold, and returns the new last day of the membership; `decideHolds` decides its money. `ended`:
 * somebody ends the hold; `added`: number of days by which it becomes longer.
 */
export async function rewriteHold(
  work: Work,
  owned: Locked,
  hold: HoldRow,
  days: Days,
  { ended = false, added = 0 } = {},
): Promise<string | null> {
  const changed = [
    ...(days.start !== hold.start_date ? ['start_date'] : []),
    ...(days.end !== hold.end_date ? ['end_date'] : []),
    ...(added > 0 ? ['days_to_add'] : []),
  ];
  if (changed.length === 0 && !ended) return owned.expiration_date;
  const today = todayOf(work);
  const manner = toManner(hold);
  const extended = extensionOf(days, manner, owned.expiration_date);
  const end = movedBy(owned.expiration_date, extended - hold.extended_days);
  const [before, after] = [stateOn(daysOf(hold), today), stateOn(days, today)];
  const begins = after !== 'upcoming' && hold.held_at === null;
  await changeHold(work, hold, {
    start_date: days.start,
    end_date: days.end,
    days_to_add: added > 0 ? (hold.days_to_add ?? 0) + added : undefined,
    previous_expiration_date: extended > 0 ? (hold.previous_expiration_date ?? owned.expiration_date) : null,
    extended_days: extended,
    ...momentsOf(days, work.tenant.zone),
    ...(ended && { ended_at: instant(work.now) }),
    ...(begins && { held_at: instant(work.now) }),
    ...(after === 'ended' && { resumed_at: instant(work.now) }),
  });
  const status = after === 'active' ? 'hold' : before === 'active' ? 'active' : owned.status;
  await changeTerm(work, owned, { end, status });
  if (begins) reportHeld(work, owned, hold.id);
  if (after === 'ended') {
    reportHold(work, owned, { kind: customerMembershipHoldFeed.ended, effect: 'hold_ended', hold: hold.id, days });
    reportResumed(work, owned, hold.id);
  } else reportUpdated(work, owned, { effect: 'hold_updated', hold: hold.id, days, changed });
  return end;
}

/**
 * Decides the credits and charges of new and changed holds, after the bookings of their days are settled: a credited
 * use counts as unused.
 */
export async function decideHolds(work: Work, memberships: readonly number[], ids: readonly number[]): Promise<void> {
  const all = await readAllOwned(work, memberships);
  const usages = await usagesOf(work, all);
  // For a single customer, the order of locks doesn't matter.
  if (all.length > 1)
    await lockAccounts(
      work,
      all.map((owned) => owned.customer_id),
    );
  for (const owned of all) {
    for (const hold of owned.holds.filter((one) => ids.includes(one.id))) {
      const decision = await decideFor(work, owned, daysOf(hold), toManner(hold), {
        end: owned.expiration_date,
        replaces: hold,
        usage: usages.get(owned.id),
      });
      const kept = await settleMoney(work, owned, daysOf(hold), decision, hold);
      const { decided } = decision;
      const { resolution, credit_entry_id, charge_entry_id } = hold;
      if (isDeepStrictEqual({ resolution: decided, ...kept }, { resolution, credit_entry_id, charge_entry_id }))
        continue;
      await changeHold(work, hold, { resolution: json(decided), ...kept });
    }
  }
}

/**
 * Decides the money of current and upcoming holds again, after the price or the last day of their memberships changed.
 * The caller has locked the memberships; what was paid for a period in which a hold has begun stays.
 */
export async function decideHoldsOf(work: Work, memberships: readonly number[]): Promise<void> {
  const rows = await work.tx.rows<{ id: number; membership: number }>(
    sql`SELECT id, customer_membership_id AS membership FROM customer_membership_hold
      WHERE provider_id = ${work.providerId} AND customer_membership_id = ANY(${memberships}::bigint[])
        AND resumed_at IS NULL ORDER BY id`,
  );
  if (rows.length > 0)
    await decideHolds(
      work,
      [...new Set(rows.map((row) => row.membership))],
      rows.map((row) => row.id),
    );
}

/**
 * Deletes a hold of which no day has passed, as if it had never existed. Returns the new last day of the membership.
 */
export async function removeHold(work: Work, owned: Locked, hold: HoldRow): Promise<string | null> {
  await takeOut(work, owned, hold, storedTexts(work).say('hold.deleted'));
  const end = movedBy(owned.expiration_date, -hold.extended_days);
  const rested = hold.held_at !== null && hold.resumed_at === null;
  await changeTerm(work, owned, { end, status: rested ? 'active' : owned.status });
  if (rested) reportResumed(work, owned, hold.id);
  return end;
}

/** Deletes a hold. The caller updates the days and the status of the membership. */
export async function takeOut(work: Work, owned: Owned, hold: HoldRow, why: string): Promise<void> {
  await deleteHold(work, hold);
  const entries = [hold.credit_entry_id, hold.charge_entry_id].filter((id) => id !== null);
  await voidEntries(work, entries, why);
  reportHold(work, owned, {
    kind: customerMembershipHoldFeed.deleted,
    effect: 'hold_removed',
    hold: hold.id,
    days: daysOf(hold),
  });
}

/** Changes the last day and the status of a membership, unless it has already ended. */
export async function changeTerm(
  work: Work,
  owned: Locked,
  { end, status }: { end: string | null; status: Owned['status'] },
): Promise<void> {
  const before = owned.expiration_date;
  if (!goesOn(owned) || (end === before && status === owned.status)) return;
  await changeOwned(work, owned, {
    to: { ...(end !== before && { expiration_date: end }), ...(status !== owned.status && { status }) },
    effects: end === before ? [] : [['expiration_moved', { from: before, to: end }]],
  });
}
