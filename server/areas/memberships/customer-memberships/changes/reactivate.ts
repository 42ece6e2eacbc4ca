/** A cancellation that has not come is taken back, or what has ended goes on. */
import { action, one, staffWith } from '../../../../kernel/api/endpoint.ts';
import { addAdjustment } from '../adjustment.ts';
import { checkDay, todayOf } from '../writes.ts';
import { customerMembership } from '../customer-membership.ts';
import { addDays } from '../../../../kernel/values/date.ts';
import { date } from '../../../../kernel/api/kinds.ts';
import { decideHoldsOf } from '../holds/writes.ts';
import { endNow } from './cancel.ts';
import { EVER, lockHeld, readHeld, sameOrAgain, type Held, type Known } from './held.ts';
import { invalid, Problem } from '../../../../kernel/api/problem.ts';
import { lockDisplaced, settleDisplaced } from '../use/displaced.ts';
import { membershipOf, termOf } from '../../memberships/index.ts';
import { membershipReactivated } from './feed.ts';
import { periodAt, periodOf, shareOfDays } from '../../../../kernel/values/cycle.ts';
import { updateRow } from '../../../../kernel/db/row.ts';
import type { Work } from '../../../../kernel/work.ts';

export async function reactivate(work: Work, id: number, wanted: string | null): Promise<void> {
  const before = await readHeld(work, id);
  if (goesOn(before.row)) return takeBack(work, before, wanted);
  const known = await lockHeld(work, id);
  sameOrAgain({ ended: true }, { ended: !goesOn(known.row) });
  await bringBack(work, known, wanted);
}

const goesOn = ({ status }: Held): boolean => status === 'active' || status === 'hold';

/**
 * What was planned for the end does not happen: the last day is as before, and of a downgrade the other membership is
 * gone.
 */
async function takeBack(
  work: Work,
  { row: { id, replaced_by_id: next } }: Known,
  wanted: string | null,
): Promise<void> {
  const displaced =
    next === null ? null : await lockDisplaced(work, [{ customerMembership: next, from: EVER, to: null }]);
  const [first, second] = next === null ? [await lockHeld(work, id), null] : await lockBoth(work, id, next);
  const { row } = first;
  sameOrAgain({ next, goesOn: true }, { next: row.replaced_by_id, goesOn: goesOn(row) });
  if (!row.is_set_for_cancellation)
    throw new Problem('conflict', 'The membership is not cancelled, so there is nothing to take back.');
  if (wanted !== null)
    throw invalid(
      'expiration_date',
      'The membership has not ended, so it gets its previous last day back. Leave this out, and extend it afterwards.',
    );
  const expiration_date = await endBefore(work, row);
  await updateRow(work, 'customer_membership', id, {
    is_set_for_cancellation: false,
    cancellation_reason: null,
    end_before_cancellation: null,
    replaced_by_id: null,
    expiration_date,
  });
  tell(work, row, expiration_date);
  if (displaced !== null && second !== null && goesOn(second.row)) {
    await endNow(work, second, { lastDay: second.row.start_date!, reason: 'mistake' });
    await settleDisplaced(work, displaced, { payWith: id });
  }
  await decideHoldsOf(work, [id]);
}

/** The last day that it would have. One that began with its first use after it was cancelled has got one since. */
async function endBefore(
  { tx, providerId }: Work,
  { end_before_cancellation: before, start_date: firstUseOn, bought_on: boughtOn, membership_id }: Held,
): Promise<string | null> {
  if (before !== null || firstUseOn === null) return before;
  const product = (await membershipOf(tx, providerId, membership_id))!;
  return product.beginOnFirstRegistration ? termOf(product, { boughtOn, firstUseOn }).expirationDate : null;
}

/** By their ids, as the law of locks has it. */
async function lockBoth(work: Work, a: number, b: number): Promise<[Known, Known]> {
  const [low, high] = [await lockHeld(work, Math.min(a, b)), await lockHeld(work, Math.max(a, b))];
  return a < b ? [low, high] : [high, low];
}

async function bringBack(work: Work, known: Known, wanted: string | null): Promise<void> {
  const { row } = known;
  const reason = row.cancellation_reason;
  if (reason === 'mistake') throw new Problem('conflict', 'The membership was entered by mistake. Sell it again.');
  if (reason === 'upgraded' || reason === 'downgraded')
    throw new Problem(
      'conflict',
      `Another membership has replaced it${row.replaced_by_id === null ? '' : `: ${row.replaced_by_id}`}. Upgrade or downgrade that one.`,
    );
  const product = (await membershipOf(work.tx, work.providerId, row.membership_id))!;
  if (product.archived)
    throw new Problem('conflict', 'The membership is archived. Unarchive it first, or sell another one.');
  const today = todayOf(work);
  const until = wanted ?? (reason === null ? row.expiration_date : await endBefore(work, row));
  if (until !== null && until < today)
    throw invalid(
      'expiration_date',
      wanted === null ? `It ended on ${until}. Send its new last day.` : `Must be today, ${today}, or later.`,
    );
  if (until !== null && row.start_date !== null && until < row.start_date)
    throw invalid('expiration_date', `Must be ${row.start_date}, its first day, or later.`);
  const renews_on = await charge(work, known, today);
  await updateRow(work, 'customer_membership', row.id, {
    status: 'active',
    ended_at: null,
    cancellation_reason: null,
    end_before_cancellation: null,
    expiration_date: until,
    renews_on,
  });
  tell(work, row, until);
}

/**
 * The billing periods in between are nobody's. The one that runs was paid if it had begun before the end; else its days
 * from today on are. Returns the first day of the period that is told of next; undefined: there are none.
 */
async function charge(work: Work, { row, cycle }: Known, today: string): Promise<string | undefined> {
  if (cycle === null || row.start_date === null) return undefined;
  if (today <= row.start_date) return row.renews_on ?? undefined;
  const period = periodOf(cycle, periodAt(cycle, today));
  if (period.start === today && row.expiration_date! < today) return today;
  if (row.expiration_date! >= period.start) return period.end;
  const last = addDays(period.end, -1);
  const amount = shareOfDays(row.billed_price_minor, period, today, period.end);
  const explanation = `Reactivated on ${today}: the remaining days of the billing period from ${period.start} to ${last}.`;
  if (amount > 0)
    await addAdjustment(work, {
      customerMembership: row.id,
      type: 'charge',
      amount,
      reason: 'reactivation',
      explanation,
      dueOn: today,
      period: { start: period.start, end: last },
    });
  return period.end;
}

function tell(work: Work, { id, customer_id: customer }: Held, expiration_date: string | null): void {
  work.record(membershipReactivated, id, { customer_membership: id, customer, expiration_date });
  work.effect('membership_reactivated', 'customermembership', id, { expiration_date });
}

export const reactivateMembership = action({
  path: '/customer_memberships/{id}/reactivate',
  summary: 'Reactivate a membership',
  description:
    'Before its last day has passed, a cancelled membership gets its previous last day back, and a planned downgrade is removed. A membership that has ended continues until `expiration_date`, unless it was entered by mistake or another one replaced it. Cancelled bookings stay cancelled.',
  who: staffWith('super_admin', 'customers'),
  target: customerMembership,
  unlocked: true,
  body: {
    expiration_date: date()
      .nullable()
      .optional()
      .describe('The new last day of a membership that has ended. If null or left out, the one that it had, or none.'),
  },
  returns: one(customerMembership),
  problems: ['conflict'],
  run: async ({ work, target, body }) => {
    checkDay('expiration_date', body.expiration_date ?? null);
    await reactivate(work, target.id, body.expiration_date ?? null);
    return target.id;
  },
});
