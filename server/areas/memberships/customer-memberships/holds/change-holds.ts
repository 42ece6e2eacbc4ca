import { RetryTransaction } from '../../../../kernel/base/db/retry-transaction.ts';
import { action, create, one, type Who } from '../../../../kernel/api/endpoint.ts';
import { check, checkMayHold, refusal } from './asking.ts';
import { addDays } from '../../../../kernel/base/values/date.ts';
import { edited, endedBy, LATEST, type Days, type Edit } from './rules/hold.ts';
import { boolean, date, integer, ref } from '../../../../kernel/base/fields/kinds.ts';
import { customerMembership } from '../customer-membership.ts';
import { todayOf } from '../writes.ts';
import { customerMembershipHold } from './hold.ts';
import { daysOf, type HoldRow } from './hold-row.ts';
import { lockOwned, readOwned, type Locked } from '../owned.ts';
import { coverageLostBy, possibleLosses } from './coverage-losses.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { invalid, notFound } from '../../../../kernel/base/problem.ts';
import { lockUncovered, settleUncovered, type UncoveredBookings } from '../use/uncovered.ts';
import { decideHolds, removeHold, rewriteHold, writeHold } from './writes.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** Staff need the permission; customers act for their family if the membership allows it. */
const holders: Who = { provider: ['super_admin', 'customers'], customer: true, unregistered: false };

const f = customerMembershipHold.fields;

/** Maximum length of a hold that is given in days. */
export const MAX_DAYS = 1000;

export const manner = {
  prorate_usage: f.prorate_usage.optional().describe('Only for staff. Default: true.'),
  disable_prorates: f.disable_prorates.optional().describe('Only for staff. Default: false.'),
  extend_expirations: f.extend_expirations
    .optional()
    .describe('Only for staff. Default: false, but true for holds that customers make.'),
};

const create_hold = create(customerMembershipHold, {
  path: '/customer_membership_holds',
  summary: 'Put a membership on hold',
  description:
    'The hold starts on `start_date` and lasts until `end_date` or for a number of `days`. If `end_date` is null, it lasts until someone ends it. A `dry_run` shows what is given back and charged, which bookings are cancelled, and how the last day moves. Customers can do this if the membership has `customers_can_hold`.',
  who: holders,
  body: {
    customer_membership: ref('customermembership'),
    start_date: f.start_date,
    end_date: f.end_date.optional(),
    days: integer({ min: 1, max: MAX_DAYS })
      .optional()
      .describe('Length of the hold in days, including the first day. Replaces `end_date`.'),
    ...manner,
  },
  run: async ({ work, body }) => {
    if ((body.end_date === undefined) === (body.days === undefined))
      throw invalid('end_date', 'Send either end_date (null: until someone ends it) or days.');
    if (body.start_date > LATEST) throw invalid('start_date', `Must be ${LATEST} or earlier.`);
    const days: Days = {
      start: body.start_date,
      end: body.days === undefined ? body.end_date! : addDays(body.start_date, body.days - 1),
    };
    const how = mannerFor(work, body);
    const uncovered = await lockUncovered(work, [
      { customerMembership: body.customer_membership, from: days.start, to: days.end },
    ]);
    const owned = await lockOwned(work, body.customer_membership);
    await checkMayHold(work, owned);
    check(work, owned, days, { ...how, saysEnd: body.days === undefined ? 'end_date' : 'days' });
    const id = await writeHold(work, owned, days, how);
    await settleUncovered(work, uncovered);
    await decideHolds(work, [owned.id], [id]);
    return id;
  },
});

/** Returns the settings of a hold: those that staff sent, or the fixed settings of holds by customers. */
function mannerFor(
  work: Work,
  said: { prorate_usage?: boolean; disable_prorates?: boolean; extend_expirations?: boolean },
) {
  const byStaff = work.viewer.mode === 'provider';
  for (const name of ['prorate_usage', 'disable_prorates', 'extend_expirations'] as const)
    if (!byStaff && said[name] !== undefined) throw invalid(name, 'Only staff can set this. Leave it out.');
  return {
    prorateUsage: said.prorate_usage ?? true,
    disableProrates: said.disable_prorates ?? false,
    extendExpirations: said.extend_expirations ?? !byStaff,
  };
}

const edit_hold = action({
  method: 'PATCH',
  path: '/customer_membership_holds/{id}',
  summary: 'Change the days of a hold',
  description:
    'For an upcoming hold, all of its days can be changed; for a hold that has started, only its end. Its cost is calculated again. `days_to_add` and `make_open_ended` can be sent instead of `end_date`.',
  who: holders,
  target: customerMembershipHold,
  unlocked: true,
  body: {
    start_date: f.start_date.optional(),
    end_date: f.end_date.optional(),
    days_to_add: integer({ min: 1, max: MAX_DAYS }).optional().describe('Number of days to add to the hold.'),
    make_open_ended: boolean().optional().describe('The hold lasts until someone ends it.'),
  },
  returns: one(customerMembershipHold),
  problems: ['already_ended'],
  run: async ({ work, body, target }) => {
    // A hold that was read and is sent back unchanged contains the number of days added to it earlier, and must not add
    // them again.
    const daysToAdd =
      body.end_date !== undefined && body.days_to_add === target.days_to_add ? undefined : body.days_to_add;
    const edit: Edit = { start: body.start_date, end: body.end_date, daysToAdd, openEnded: body.make_open_ended };
    const after = edited(daysOf(target as HoldRow), edit, todayOf(work));
    if ('against' in after) throw refusal(after.against);
    const { days } = after;
    const { owned, hold, uncovered } = await lock(work, target as HoldRow, days);
    await checkMayHold(work, owned, hold);
    check(work, owned, days, { extendExpirations: hold.extend_expirations, except: hold });
    const end = await rewriteHold(work, owned, hold, days, { added: edit.daysToAdd });
    await settleUncovered(work, {
      ...uncovered,
      which: coverageLostBy(hold, days, { before: owned.expiration_date, after: end }),
    });
    await decideHolds(work, [owned.id], [hold.id]);
    return hold.id;
  },
});

/**
 * Locks the hold with its membership. If it has changed since it was read, the transaction is retried; if it was
 * deleted, it is not found.
 */
async function lock(
  work: Work,
  seen: HoldRow,
  days: Days | null,
): Promise<{ owned: Locked; hold: HoldRow; uncovered: UncoveredBookings }> {
  const { customer_membership_id: id } = seen;
  const uncovered = await lockUncovered(work, possibleLosses(seen, days, (await readOwned(work, id)).expiration_date));
  const owned = await lockOwned(work, id);
  const hold = owned.holds.find((h) => h.id === seen.id);
  if (!hold) throw notFound();
  if (hold.start_date !== seen.start_date || hold.end_date !== seen.end_date)
    throw new RetryTransaction('the hold was changed in between');
  return { owned, hold, uncovered };
}

const end_hold = action({
  path: '/customer_membership_holds/{id}/end',
  summary: 'End a hold',
  description:
    'The membership is active again on `on_date`. If not even one day of the hold has passed by then, the hold is removed as if it had never existed. Bookings that were cancelled because of it do not come back. Returns the membership that was on hold.',
  who: holders,
  target: customerMembershipHold,
  unlocked: true,
  body: { on_date: date().optional().describe('The first day after the hold. If left out, today.') },
  returns: one(customerMembership),
  problems: ['already_ended'],
  run: ({ work, body, target }) => endHold(work, target as HoldRow, body.on_date ?? todayOf(work)),
});

/** Ends a hold, so that its membership is active again on that day. Returns the id of the membership. */
async function endHold(work: Work, seen: HoldRow, on: string): Promise<number> {
  const after = endedBy(daysOf(seen), on, todayOf(work));
  if ('against' in after) throw refusal(after.against);
  const { days } = after;
  const { owned, hold, uncovered } = await lock(work, seen, days);
  await checkMayHold(work, owned, hold);
  const end =
    days === null ? await removeHold(work, owned, hold) : await rewriteHold(work, owned, hold, days, { ended: true });
  await settleUncovered(work, {
    ...uncovered,
    which: coverageLostBy(hold, days, { before: owned.expiration_date, after: end }),
  });
  await decideHolds(work, [owned.id], [hold.id]);
  return owned.id;
}

/** Settings of a hold that a later area creates: nothing is credited for its days, and no allotment is reduced. */
const PAUSE = { prorateUsage: false, disableProrates: true, extendExpirations: false };

/** Puts a membership on hold from today until `resumeMembership`. Returns the id of the hold. */
export async function pauseMembership(work: Work, id: number): Promise<number> {
  const days: Days = { start: todayOf(work), end: null };
  const uncovered = await lockUncovered(work, [{ customerMembership: id, from: days.start, to: null }]);
  const owned = await lockOwned(work, id);
  check(work, owned, days, { ...PAUSE, saysEnd: 'end_date' });
  const hold = await writeHold(work, owned, days, PAUSE);
  await settleUncovered(work, uncovered);
  await decideHolds(work, [id], [hold]);
  return hold;
}

/** Ends such a hold today, unless somebody has already ended or deleted it. */
export async function resumeMembership(work: Work, hold: number): Promise<void> {
  const seen = await work.tx.one<HoldRow>(
    sql`SELECT * FROM customer_membership_hold WHERE provider_id = ${work.providerId} AND id = ${hold}`,
  );
  if (seen === undefined || 'against' in endedBy(daysOf(seen), todayOf(work), todayOf(work))) return;
  await endHold(work, seen, todayOf(work));
}

export const changeHolds = [create_hold, edit_hold, end_hold];
