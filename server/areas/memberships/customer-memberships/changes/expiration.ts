import { action, one, staffWith } from '../../../../kernel/api/endpoint.ts';
import { addDays } from '../../../../kernel/base/values/date.ts';
import { changeAllOwned, item, lockOwned, type Locked, type Owned } from '../owned.ts';
import { checkGoesOn } from './checks.ts';
import { checkDay } from '../writes.ts';
import { customerMembership } from '../customer-membership.ts';
import { date, integer } from '../../../../kernel/base/fields/kinds.ts';
import { decideHoldsOf } from '../holds/writes.ts';
import { membershipChangesFeed } from './feed.ts';
import { invalid, Problem } from '../../../../kernel/base/problem.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** Returns the last day after an extension; refuses a membership that cannot be extended. */
export function extendedTo(
  owned: Owned,
  { days, expiration_date: wanted }: { days?: number; expiration_date?: string },
): string {
  checkGoesOn(owned, 'Reactivate it with another expiration_date.');
  if (owned.is_set_for_cancellation)
    throw new Problem(
      'conflict',
      'The membership is cancelled and ends with its last day. Reactivate it, or cancel it again with another forced_expiration_date.',
    );
  if (owned.expiration_date === null)
    throw new Problem(
      'conflict',
      owned.start_date === null
        ? 'The membership has no last day until it starts with its first use.'
        : "The membership has no last day, so it can't be extended.",
    );
  const to = wanted ?? addDays(owned.expiration_date, days!);
  checkDay(wanted === undefined ? 'days' : 'expiration_date', to);
  if (to <= owned.expiration_date)
    throw invalid(
      'expiration_date',
      `Must be after ${owned.expiration_date}, its current last day. To end it earlier, cancel it.`,
    );
  return to;
}

/** Moves the last days of locked memberships that have not ended. */
export async function moveExpirations(
  work: Work,
  moves: readonly { readonly owned: Locked; readonly to: string }[],
): Promise<void> {
  await changeAllOwned(
    work,
    moves.map(({ owned, to }) => {
      const change = { before: owned.expiration_date, after: to };
      return {
        owned,
        to: { expiration_date: to },
        items: [item(membershipChangesFeed.expiration_changed, change)],
        effects: [['expiration_changed', change]],
      };
    }),
  );
  await decideHoldsOf(
    work,
    moves.map(({ owned }) => owned.id),
  );
}

export const extendExpiration = action({
  path: '/customer_memberships/{id}/extend_expiration',
  summary: 'Extend a membership',
  description:
    'By a number of days, or to a given day. The price stays the same. A recurring plan renews until its last day.',
  who: staffWith('super_admin', 'customers'),
  body: {
    days: integer({ min: 1, max: 1000 }).optional(),
    expiration_date: date().optional().describe('The last day.'),
  },
  target: customerMembership,
  unlocked: true,
  returns: one(customerMembership),
  problems: ['already_cancelled', 'already_ended', 'conflict'],
  run: async ({ work, target, body }) => {
    if ((body.days === undefined) === (body.expiration_date === undefined))
      throw invalid('days', 'Send either days or expiration_date.');
    const owned = await lockOwned(work, target.id);
    await moveExpirations(work, [{ owned, to: extendedTo(owned, body) }]);
    return owned.id;
  },
});
