import { action, one, staffWith } from '../../../../kernel/api/endpoint.ts';
import { addDays } from '../../../../kernel/values/date.ts';
import { checkGoesOn, lockHeld, type Held } from './held.ts';
import { checkDay } from '../writes.ts';
import { customerMembership } from '../customer-membership.ts';
import { date, integer } from '../../../../kernel/api/kinds.ts';
import { decideHoldsOf } from '../holds/writes.ts';
import { expirationChanged } from './feed.ts';
import { invalid, Problem } from '../../../../kernel/api/problem.ts';
import { updateRow } from '../../../../kernel/db/row.ts';
import type { Work } from '../../../../kernel/work.ts';

/** The last day after an extension; refuses what cannot be extended. */
export function extendedTo(
  row: Held,
  { days, expiration_date: wanted }: { days?: number; expiration_date?: string },
): string {
  checkGoesOn(row, 'Reactivate it with another expiration_date.');
  if (row.is_set_for_cancellation)
    throw new Problem(
      'conflict',
      'The membership is cancelled and ends with its last day. Reactivate it, or cancel it again with another forced_expiration_date.',
    );
  if (row.expiration_date === null)
    throw new Problem(
      'conflict',
      row.start_date === null
        ? 'The membership has no last day until it starts with its first use.'
        : "The membership has no last day, so it can't be extended.",
    );
  const to = wanted ?? addDays(row.expiration_date, days!);
  checkDay(wanted === undefined ? 'days' : 'expiration_date', to);
  if (to <= row.expiration_date)
    throw invalid(
      'expiration_date',
      `Must be after ${row.expiration_date}, its current last day. To end it earlier, cancel it.`,
    );
  return to;
}

/** The row is locked by the caller, and goes on. */
export async function moveExpiration(work: Work, row: Held, after: string): Promise<void> {
  await updateRow(work, 'customer_membership', row.id, { expiration_date: after });
  tellExpiration(work, row, after);
  await decideHoldsOf(work, [row.id]);
}

export function tellExpiration(work: Work, { id, customer_id, expiration_date: before }: Held, after: string): void {
  work.record(expirationChanged, id, { customer_membership: id, customer: customer_id, before, after });
  work.effect('expiration_changed', 'customermembership', id, { before, after });
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
    const { row } = await lockHeld(work, target.id);
    await moveExpiration(work, row, extendedTo(row, body));
    return row.id;
  },
});
