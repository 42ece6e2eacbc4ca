/** Cancelling what somebody holds: for its last day, or at once. The rule is in docs/algorithms/cancellation.md. */
import { action, one, staffWith } from '../../../../kernel/api/endpoint.ts';
import { addDays } from '../../../../kernel/values/date.ts';
import { allowedCancellation } from '../rules/contract.ts';
import { checkDay, todayOf } from '../writes.ts';
import { customerMembership } from '../customer-membership.ts';
import { customerMembershipCancelled } from '../feed.ts';
import { cancellationScheduled } from './feed.ts';
import { checkGoesOn, EVER, lockHeld, readHeld, sameOrAgain, type Known } from './held.ts';
import { date, oneOf } from '../../../../kernel/api/kinds.ts';
import { decideHoldsOf, endHoldsOf } from '../holds/writes.ts';
import { endingOf, type Ending, type Reason } from './rules/cancelling.ts';
import { instant } from '../../../../kernel/db/sql.ts';
import { invalid, Problem } from '../../../../kernel/api/problem.ts';
import { lockDisplaced, settleDisplaced } from '../use/displaced.ts';
import { updateRow } from '../../../../kernel/db/row.ts';
import type { Work } from '../../../../kernel/work.ts';

interface Asked {
  readonly reason: Reason;
  /** YYYY-MM-DD */
  readonly forced: string | null;
}

type Decided = Extract<Ending, { lastDay: string }>;

/** The last day that it has if nobody cancels it. */
export const ownEnd = ({ row }: Known): string | null =>
  row.is_set_for_cancellation ? row.end_before_cancellation : row.expiration_date;

/** The last day that a recurring plan may be cancelled for today; null: it is none. */
export function allowedFor({ bound }: Known, today: string): string | null {
  if (bound === null) return null;
  const { agreed, ...facts } = bound;
  return allowedCancellation(agreed, facts, today);
}

/** Refuses what a planned downgrade forbids. */
export function checkNoDowngrade({ row }: Known): void {
  if (row.is_set_for_cancellation && row.cancellation_reason === 'downgraded')
    throw new Problem(
      'conflict',
      'A downgrade is planned for the last day of this membership. Reactivate the membership first to take the downgrade back.',
    );
}

function decide(work: Work, known: Known, { reason, forced }: Asked): Decided {
  checkGoesOn(known.row, 'It does not need to be cancelled.');
  checkNoDowngrade(known);
  const today = todayOf(work);
  const ending = endingOf({
    today,
    reason,
    forced,
    start: known.row.start_date,
    end: ownEnd(known),
    allowed: allowedFor(known, today),
  });
  if ('refused' in ending) throw invalid(ending.field, ending.refused);
  return ending;
}

export async function cancelMembership(work: Work, id: number, asked: Asked): Promise<void> {
  const decided = decide(work, await readHeld(work, id), asked);
  const { lastDay, atOnce } = decided;
  const displaced = await lockDisplaced(work, [
    { customerMembership: id, from: atOnce ? EVER : addDays(lastDay, 1), to: null },
  ]);
  const known = await lockHeld(work, id);
  sameOrAgain(decided, decide(work, known, asked));
  if (atOnce) await endNow(work, known, { lastDay, reason: asked.reason });
  else await setForCancellation(work, known, { lastDay, reason: asked.reason });
  await endHoldsOf(work, id, addDays(lastDay, 1));
  await settleDisplaced(work, displaced);
  await decideHoldsOf(work, [id]);
}

/** It is over in this moment; the row is locked. */
export async function endNow(
  work: Work,
  known: Known,
  { lastDay, reason }: { lastDay: string; reason: Reason },
): Promise<void> {
  const { id, customer_id: customer } = known.row;
  const ends = { status: 'cancelled', is_set_for_cancellation: false, ended_at: instant(work.now) };
  await updateRow(work, 'customer_membership', id, {
    ...ends,
    cancellation_reason: reason,
    expiration_date: lastDay,
    end_before_cancellation: ownEnd(known),
  });
  work.record(customerMembershipCancelled, id, { customer_membership: id, customer, reason });
  work.effect('membership_cancelled', 'customermembership', id, { last_day: lastDay, reason });
}

async function setForCancellation(
  work: Work,
  known: Known,
  { lastDay, reason }: { lastDay: string; reason: Reason },
): Promise<void> {
  const { id, customer_id: customer, is_set_for_cancellation, expiration_date, cancellation_reason } = known.row;
  // Saying it twice is saying it once.
  if (is_set_for_cancellation && expiration_date === lastDay && cancellation_reason === reason) return;
  await updateRow(work, 'customer_membership', id, {
    is_set_for_cancellation: true,
    cancellation_reason: reason,
    expiration_date: lastDay,
    end_before_cancellation: ownEnd(known),
  });
  work.record(cancellationScheduled, id, {
    customer_membership: id,
    customer,
    last_day: lastDay,
    reason: reason as 'cancelled' | 'no_auto_renew',
  });
  work.effect('cancellation_scheduled', 'customermembership', id, { last_day: lastDay, reason });
}

export const cancel = action({
  path: '/customer_memberships/{id}/cancel',
  summary: 'Cancel a membership that a customer holds',
  description:
    'If no day is sent, a recurring plan ends with the first billing period that respects its notice and its commitment (`allowed_cancellation_date`), and any other membership ends today. It stays active until its last day has passed. Bookings of later events are handled as set by the business. Cancelling again changes the day. A membership that was entered by mistake ends immediately.',
  who: staffWith('super_admin', 'customers'),
  target: customerMembership,
  unlocked: true,
  body: {
    forced_expiration_date: date()
      .nullable()
      .optional()
      .describe('The last day, today or later, regardless of what was agreed.'),
    cancellation_reason: oneOf(['cancelled', 'mistake', 'no_auto_renew']).default('cancelled'),
  },
  returns: one(customerMembership),
  problems: ['already_cancelled', 'already_ended', 'conflict'],
  run: async ({ work, target, body }) => {
    checkDay('forced_expiration_date', body.forced_expiration_date ?? null);
    await cancelMembership(work, target.id, {
      reason: body.cancellation_reason,
      forced: body.forced_expiration_date ?? null,
    });
    return target.id;
  },
});
