/** Another membership when what runs is over: docs/algorithms/upgrades.md. */
import { action, one, staffWith } from '../../../../kernel/api/endpoint.ts';
import { addDays } from '../../../../kernel/values/date.ts';
import { allowedFor, checkNoDowngrade } from './cancel.ts';
import { checkGoesOn, lockHeld, readHeld, sameOrAgain, type Known } from './held.ts';
import { checkIsOther, giveSuccessor, lockProducts, wantedBody, wantedOf, type Wanted } from './successor.ts';
import { customerMembership } from '../customer-membership.ts';
import { todayOf } from '../writes.ts';
import { downgradeScheduled } from './feed.ts';
import { decideHoldsOf, endHoldsOf } from '../holds/writes.ts';
import { lockDisplaced, settleDisplaced } from '../use/displaced.ts';
import { Problem } from '../../../../kernel/api/problem.ts';
import { updateRow } from '../../../../kernel/db/row.ts';
import type { Work } from '../../../../kernel/work.ts';

/** Returns the id of the membership that will take the place. */
export async function downgrade(work: Work, id: number, wanted: Wanted): Promise<number> {
  const lastDay = decide(work, await readHeld(work, id), wanted);
  const from = addDays(lastDay, 1);
  const displaced = await lockDisplaced(work, [{ customerMembership: id, from, to: null }]);
  const old = await lockHeld(work, id);
  sameOrAgain({ lastDay }, { lastDay: decide(work, old, wanted) });
  await lockProducts(work, [old.row.membership_id, wanted.membership]);
  const next = await giveSuccessor(work, old, wanted, from);
  const { customer_id: customer, expiration_date } = old.row;
  await updateRow(work, 'customer_membership', id, {
    is_set_for_cancellation: true,
    cancellation_reason: 'downgraded',
    expiration_date: lastDay,
    end_before_cancellation: expiration_date,
    replaced_by_id: next,
  });
  work.record(downgradeScheduled, id, { customer_membership: id, customer, replaced_by: next, last_day: lastDay });
  work.effect('downgrade_scheduled', 'customermembership', id, { replaced_by: next, last_day: lastDay });
  await endHoldsOf(work, id, from);
  await settleDisplaced(work, displaced, { payWith: next });
  await decideHoldsOf(work, [id]);
  return next;
}

/** The last day of the old one; refuses what cannot be downgraded. */
function decide(work: Work, known: Known, wanted: Wanted): string {
  const { row } = known;
  checkGoesOn(row, 'Sell another one.');
  checkNoDowngrade(known);
  if (row.is_set_for_cancellation)
    throw new Problem(
      'conflict',
      `The membership is already cancelled and ends on ${row.expiration_date}. Reactivate it first, or sell another one from the next day on.`,
    );
  checkIsOther(row, wanted);
  const today = todayOf(work);
  if (row.start_date !== null && row.start_date > today)
    throw new Problem(
      'conflict',
      `The membership starts on ${row.start_date}. Upgrade it, or cancel it and sell another one.`,
    );
  const lastDay = allowedFor(known, today) ?? row.expiration_date;
  if (lastDay === null || row.start_date === null)
    throw new Problem(
      'conflict',
      'The membership has no last day after which another one could take its place. Upgrade it, or cancel it and sell another one.',
    );
  return lastDay;
}

export const downgradeMembership = action({
  path: '/customer_memberships/{id}/downgrade',
  summary: 'Downgrade a membership when it ends',
  description:
    'A recurring plan ends with the first billing period that respects its notice and its commitment, and any other membership with its last day. The new membership is created immediately, starts on the next day, and is returned. Future bookings after that move to it if it can pay for them. Reactivating the old membership takes the downgrade back.',
  who: staffWith('super_admin', 'customers'),
  target: customerMembership,
  unlocked: true,
  body: wantedBody,
  returns: one(customerMembership),
  problems: ['already_cancelled', 'already_ended', 'conflict'],
  run: ({ work, target, body }) => downgrade(work, target.id, wantedOf(work, body)),
});
