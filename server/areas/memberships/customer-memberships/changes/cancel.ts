/**
 * Cancellation of a customer membership, on its last day or immediately. The rule is in
 * docs/algorithms/cancellation.md.
 */
import { action, one } from '../../../../kernel/api/endpoint.ts';
import { addDays } from '../../../../kernel/base/values/date.ts';
import { allowedCancellation, committedUntil } from '../rules/contract.ts';
import { checkMayCancel, owners } from './by-customers.ts';
import { confirmCancelled } from './confirming.ts';
import { checkDay, todayOf } from '../writes.ts';
import { customerMembership } from '../customer-membership.ts';
import { customerMembershipFeed } from '../feed.ts';
import { membershipChangesFeed } from './feed.ts';
import {
  changeAllOwned,
  changeOwned,
  item,
  lockAllOwned,
  lockOwned,
  readAllOwned,
  readOwned,
  type Change,
  type Locked,
  type Owned,
} from '../owned.ts';
import { checkGoesOn, checkNoDowngrade, FIRST_DAY_EVER, sameOrAgain } from './checks.ts';
import { date, oneOf } from '../../../../kernel/base/fields/kinds.ts';
import { decideHoldsOf } from '../holds/writes.ts';
import { endHoldsOf } from '../holds/ending.ts';
import { endingOf, type Ending, type Reason } from './rules/cancelling.ts';
import { instant } from '../../../../kernel/base/db/sql.ts';
import { invalid, Problem } from '../../../../kernel/base/problem.ts';
import { lockUncovered, settleUncovered } from '../use/uncovered.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

interface Asked {
  readonly reason: Reason;
  /** YYYY-MM-DD */
  readonly forced: string | null;
}

type Decided = Extract<Ending, { lastDay: string }>;

/** Returns the last day of the membership without the cancellation. */
export const ownEnd = ({ is_set_for_cancellation, end_before_cancellation, expiration_date }: Owned): string | null =>
  is_set_for_cancellation ? end_before_cancellation : expiration_date;

/** Returns the last day for which a recurring plan may be cancelled today; null for others. */
export function allowedFor({ bound }: Owned, today: string): string | null {
  if (bound === null) return null;
  const { agreed, ...facts } = bound;
  return allowedCancellation(agreed, facts, today);
}

/** Returns what was agreed about the end of a recurring plan. */
function termsOf({ bound }: Owned, today: string) {
  if (bound === null) return {};
  const { agreed, ...facts } = bound;
  return { notice_days: agreed.cancellationNoticeDays, committed_until: committedUntil(agreed, facts, today) };
}

function decide(work: Work, owned: Owned, { reason, forced }: Asked): Decided {
  checkGoesOn(owned, 'It does not need to be cancelled.');
  checkNoDowngrade(owned);
  const today = todayOf(work);
  const ending = endingOf({
    today,
    reason,
    forced,
    start: owned.start_date,
    end: ownEnd(owned),
    allowed: allowedFor(owned, today),
  });
  if ('refused' in ending) throw invalid(ending.field, ending.refused);
  return ending;
}

export async function cancelMembership(work: Work, id: number, asked: Asked): Promise<void> {
  const decided = decide(work, await readOwned(work, id), asked);
  const { lastDay, atOnce } = decided;
  const uncovered = await lockUncovered(work, [
    { customerMembership: id, from: atOnce ? FIRST_DAY_EVER : addDays(lastDay, 1), to: null },
  ]);
  const owned = await lockOwned(work, id);
  sameOrAgain(decided, decide(work, owned, asked));
  await (atOnce ? endNow : setForCancellation)(work, owned, { lastDay, reason: asked.reason });
  await endHoldsOf(work, id, addDays(lastDay, 1));
  await settleUncovered(work, uncovered);
  await decideHoldsOf(work, [id]);
}

/**
 * Ends memberships that were entered by mistake, and those that are history already, with the same number of statements
 * for any number of them. Holds are ended one by one. Returns the reasons for those that can't be ended, by id.
 */
export async function cancelMistakes(work: Work, ids: readonly number[]): Promise<Map<number, string>> {
  const refused = new Map<number, string>();
  const decideAll = (all: readonly Owned[]): Map<number, string> => {
    const lastDays = new Map<number, string>();
    for (const owned of all)
      try {
        lastDays.set(owned.id, lastDayOfMistake(work, owned));
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        refused.set(owned.id, error.message.replace(/\.$/, ''));
      }
    return lastDays;
  };
  const decided = decideAll(await readAllOwned(work, ids));
  const ending = [...decided.keys()];
  if (ending.length === 0) return refused;
  const uncovered = await lockUncovered(
    work,
    ending.map((id) => ({ customerMembership: id, from: FIRST_DAY_EVER, to: null })),
  );
  const locked = await lockAllOwned(work, ending);
  sameOrAgain([...decided], [...decideAll(locked)]);
  await changeAllOwned(
    work,
    locked.map((owned) => ({
      owned,
      ...toEnd(work, owned, { lastDay: decided.get(owned.id)!, reason: 'mistake' }),
    })),
  );
  for (const { id, holds } of locked) if (holds.length > 0) await endHoldsOf(work, id, addDays(decided.get(id)!, 1));
  await settleUncovered(work, uncovered);
  await decideHoldsOf(work, ending);
  return refused;
}

function lastDayOfMistake(work: Work, owned: Owned): string {
  if (owned.status === 'active' || owned.status === 'hold')
    return decide(work, owned, { reason: 'mistake', forced: null }).lastDay;
  return owned.expiration_date ?? addDays(todayOf(work), -1);
}

interface Cancelled {
  readonly lastDay: string;
  readonly reason: Reason;
}

/** Returns the change that ends a membership immediately. */
const toEnd = (work: Work, owned: Owned, { lastDay, reason }: Cancelled): Change => ({
  to: {
    status: 'cancelled',
    is_set_for_cancellation: false,
    ended_at: instant(work.now),
    cancellation_reason: reason,
    expiration_date: lastDay,
    end_before_cancellation: ownEnd(owned),
  },
  items: [item(customerMembershipFeed.cancelled, { reason })],
  effects: [['membership_cancelled', { last_day: lastDay, reason }]],
});

/** Ends the membership immediately. */
export const endNow = (work: Work, owned: Locked, cancelled: Cancelled): Promise<void> =>
  changeOwned(work, owned, toEnd(work, owned, cancelled));

async function setForCancellation(work: Work, owned: Locked, { lastDay, reason }: Cancelled): Promise<void> {
  const { is_set_for_cancellation, expiration_date, cancellation_reason } = owned;
  // Repeating the same cancellation changes nothing.
  if (is_set_for_cancellation && expiration_date === lastDay && cancellation_reason === reason) return;
  await changeOwned(work, owned, {
    to: {
      is_set_for_cancellation: true,
      cancellation_reason: reason,
      expiration_date: lastDay,
      end_before_cancellation: ownEnd(owned),
      cancelled_by_customer: work.viewer.mode === 'customer',
    },
    items: [
      item(membershipChangesFeed.cancellation_scheduled, {
        last_day: lastDay,
        reason: reason as 'cancelled' | 'no_auto_renew',
      }),
    ],
    effects: [['cancellation_scheduled', { last_day: lastDay, reason, ...termsOf(owned, todayOf(work)) }]],
  });
}

export const cancel = action({
  path: '/customer_memberships/{id}/cancel',
  summary: 'Cancel a membership that a customer holds',
  description:
    'If no day is sent, a recurring plan ends with the first billing period that respects its notice and its commitment (`allowed_cancellation_date`), and any other membership ends today. It stays active until its last day has passed. Bookings of later events are handled as set by the business. Cancelling again changes the day. A membership that was entered by mistake ends immediately. Customers can cancel a recurring plan that they own: it then ends on the day that was agreed, and they receive a confirmation. A dry run also lists the payments that are still due (`payment_due`).',
  who: owners,
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
    await checkMayCancel(work, await readOwned(work, target.id), body);
    checkDay('forced_expiration_date', body.forced_expiration_date ?? null);
    await cancelMembership(work, target.id, {
      reason: body.cancellation_reason,
      forced: body.forced_expiration_date ?? null,
    });
    await confirmCancelled(work, target.id);
    return target.id;
  },
});
