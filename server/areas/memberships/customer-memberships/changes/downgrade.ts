/** Replacing a membership by another when it ends: docs/algorithms/upgrades.md. */
import { action, one, staffWith } from '../../../../kernel/api/endpoint.ts';
import { addDays } from '../../../../kernel/base/values/date.ts';
import { allowedFor } from './cancel.ts';
import { changeOwned, item, lockOwned, readOwned, type Owned } from '../owned.ts';
import { checkGoesOn, checkNoDowngrade, sameOrAgain } from './checks.ts';
import { checkIsOther, giveSuccessor, wantedBody, readWanted, type Wanted } from './successor.ts';
import { customerMembership } from '../customer-membership.ts';
import { todayOf } from '../writes.ts';
import { membershipChangesFeed } from './feed.ts';
import { decideHoldsOf } from '../holds/writes.ts';
import { endHoldsOf } from '../holds/ending.ts';
import { lockUncovered, settleUncovered } from '../use/uncovered.ts';
import { lockMemberships } from '../../memberships/index.ts';
import { Problem } from '../../../../kernel/base/problem.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** Plans a downgrade. Returns the id of the membership that will replace this one. */
export async function downgrade(work: Work, id: number, wanted: Wanted): Promise<number> {
  const lastDay = decide(work, await readOwned(work, id), wanted);
  const from = addDays(lastDay, 1);
  const uncovered = await lockUncovered(work, [{ customerMembership: id, from, to: null }]);
  const old = await lockOwned(work, id);
  sameOrAgain({ lastDay }, { lastDay: decide(work, old, wanted) });
  await lockMemberships(work, [old.membership_id, wanted.membership]);
  const next = await giveSuccessor(work, old, wanted, from);
  await changeOwned(work, old, {
    to: {
      is_set_for_cancellation: true,
      cancellation_reason: 'downgraded',
      expiration_date: lastDay,
      end_before_cancellation: old.expiration_date,
      replaced_by_id: next,
    },
    items: [item(membershipChangesFeed.downgrade_scheduled, { replaced_by: next, last_day: lastDay })],
    effects: [['downgrade_scheduled', { replaced_by: next, last_day: lastDay }]],
  });
  await endHoldsOf(work, id, from);
  await settleUncovered(work, uncovered, { payWith: next });
  await decideHoldsOf(work, [id]);
  return next;
}

/** Returns the last day of the old membership; refuses one that cannot be downgraded. */
function decide(work: Work, old: Owned, wanted: Wanted): string {
  checkGoesOn(old, 'Sell another one.');
  checkNoDowngrade(old);
  if (old.is_set_for_cancellation)
    throw new Problem(
      'conflict',
      `The membership is already cancelled and ends on ${old.expiration_date}. Reactivate it first, or sell another one from the next day on.`,
    );
  checkIsOther(old, wanted);
  const today = todayOf(work);
  if (old.start_date !== null && old.start_date > today)
    throw new Problem(
      'conflict',
      `The membership starts on ${old.start_date}. Upgrade it, or cancel it and sell another one.`,
    );
  const lastDay = allowedFor(old, today) ?? old.expiration_date;
  if (lastDay === null || old.start_date === null)
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
  run: ({ work, target, body }) => downgrade(work, target.id, { ...readWanted(work, body), firstPeriodDue: true }),
});
