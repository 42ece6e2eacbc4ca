/** Reactivation: undoes a cancellation that is not due yet, or continues a membership that has ended. */
import { action, one } from '../../../../kernel/api/endpoint.ts';
import { checkDay, todayOf } from '../writes.ts';
import { customerMembership } from '../customer-membership.ts';
import { addEntry } from '../../../money/account-entries/index.ts';
import { addDays } from '../../../../kernel/base/values/date.ts';
import { date } from '../../../../kernel/base/fields/kinds.ts';
import { decideHoldsOf } from '../holds/writes.ts';
import { endNow } from './cancel.ts';
import {
  changeOwned,
  item,
  lockAllOwned,
  lockOwned,
  readOwned,
  type Change,
  type Locked,
  type Owned,
} from '../owned.ts';
import { FIRST_DAY_EVER, sameOrAgain } from './checks.ts';
import { goesOn } from '../rules/status.ts';
import { invalid, Problem } from '../../../../kernel/base/problem.ts';
import { lockUncovered, settleUncovered } from '../use/uncovered.ts';
import { membershipOf, termOf } from '../../memberships/index.ts';
import { membershipChangesFeed } from './feed.ts';
import { checkMayReactivate, owners } from './by-customers.ts';
import { confirmReactivated } from './confirming.ts';
import { chargedNow } from '../../../pricing/fees/index.ts';
import { daysOf } from '../holds/hold-row.ts';
import { isWithin } from '../holds/rules/hold.ts';
import { partOfLine, Worths } from '../worth.ts';
import { periodAt, periodOf, shareOfDays } from '../../../../kernel/base/values/cycle.ts';
import { REACTIVATION } from '../account-reasons.ts';
import { storedTexts } from '../../../../kernel/work/unit/stored-texts.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

async function reactivate(work: Work, id: number, wanted: string | null): Promise<void> {
  const before = await readOwned(work, id);
  if (goesOn(before)) return takeBack(work, before, wanted);
  const owned = await lockOwned(work, id);
  sameOrAgain({ ended: true }, { ended: !goesOn(owned) });
  await bringBack(work, owned, wanted);
}

/** Undoes the planned end: the last day is restored, and the successor of a downgrade is removed. */
async function takeBack(work: Work, { id, replaced_by_id: next }: Owned, wanted: string | null): Promise<void> {
  const uncovered =
    next === null ? null : await lockUncovered(work, [{ customerMembership: next, from: FIRST_DAY_EVER, to: null }]);
  const locked = await lockAllOwned(work, next === null ? [id] : [id, next]);
  const owned = locked.find((one) => one.id === id)!;
  const successor = locked.find((one) => one.id === next);
  sameOrAgain({ next, goesOn: true }, { next: owned.replaced_by_id, goesOn: goesOn(owned) });
  if (!owned.is_set_for_cancellation)
    throw new Problem('conflict', 'The membership is not cancelled, so there is no cancellation to undo.');
  if (wanted !== null)
    throw invalid(
      'expiration_date',
      'The membership has not ended, so it gets its previous last day back. Leave this out, and extend it afterwards.',
    );
  await goOn(work, owned, {
    is_set_for_cancellation: false,
    cancellation_reason: null,
    cancelled_by_customer: false,
    end_before_cancellation: null,
    replaced_by_id: null,
    expiration_date: await endBefore(work, owned),
  });
  if (uncovered !== null && successor !== undefined && goesOn(successor)) {
    await endNow(work, successor, { lastDay: successor.start_date!, reason: 'mistake' });
    await settleUncovered(work, uncovered, { payWith: id });
  }
  await decideHoldsOf(work, [id]);
}

/**
 * Returns the last day before the cancellation. A membership that began with its first use after it was cancelled has
 * got one since.
 */
async function endBefore(
  { tx, providerId }: Work,
  { end_before_cancellation: before, start_date: firstUseOn, bought_on: boughtOn, membership_id }: Owned,
): Promise<string | null> {
  if (before !== null || firstUseOn === null) return before;
  const product = (await membershipOf(tx, providerId, membership_id))!;
  return product.beginOnFirstRegistration ? termOf(product, { boughtOn, firstUseOn }).expirationDate : null;
}

const goOn = (
  work: Work,
  owned: Locked,
  to: Change['to'] & { readonly expiration_date: string | null },
): Promise<void> =>
  changeOwned(work, owned, {
    to,
    items: [item(membershipChangesFeed.reactivated, { expiration_date: to.expiration_date })],
    effects: [['membership_reactivated', { expiration_date: to.expiration_date }]],
  });

async function bringBack(work: Work, owned: Locked, wanted: string | null): Promise<void> {
  const reason = owned.cancellation_reason;
  if (reason === 'mistake') throw new Problem('conflict', 'The membership was entered by mistake. Sell it again.');
  if (reason === 'upgraded' || reason === 'downgraded')
    throw new Problem(
      'conflict',
      `Another membership has replaced it${owned.replaced_by_id === null ? '' : `: ${owned.replaced_by_id}`}. Upgrade or downgrade that one.`,
    );
  const product = (await membershipOf(work.tx, work.providerId, owned.membership_id))!;
  if (product.archived)
    throw new Problem('conflict', 'The membership is archived. Unarchive it first, or sell another one.');
  const today = todayOf(work);
  const until = wanted ?? (reason === null ? owned.expiration_date : await endBefore(work, owned));
  if (until !== null && until < today)
    throw invalid(
      'expiration_date',
      wanted === null ? `It ended on ${until}. Send its new last day.` : `Must be today, ${today}, or later.`,
    );
  if (until !== null && owned.start_date !== null && until < owned.start_date)
    throw invalid('expiration_date', `Must be ${owned.start_date}, its first day, or later.`);
  const renews_on = await charge(work, owned, today);
  await goOn(work, owned, {
    status: 'active',
    ended_at: null,
    cancellation_reason: null,
    cancelled_by_customer: false,
    end_before_cancellation: null,
    expiration_date: until,
    renews_on,
  });
}

/**
 * The billing periods in between are nobody's. The one that runs was paid if it had begun before the end, unless the
 * membership was on hold then and nothing of it was charged since; else its days from today on are. Returns the first
 * day of the period that is reported next; undefined: there are none.
 */
async function charge(work: Work, owned: Owned, today: string): Promise<string | undefined> {
  const { cycle } = owned;
  if (cycle === null || owned.start_date === null || owned.awaits_approval) return undefined;
  if (today <= owned.start_date) return owned.renews_on ?? undefined;
  const period = periodOf(cycle, periodAt(cycle, today));
  if (period.start === today && owned.expiration_date! < today) return today;
  const worths = new Worths(work, owned);
  const rested = owned.holds.some((hold) => isWithin(period.start, daysOf(hold)));
  if (owned.expiration_date! >= period.start && (!rested || (await worths.isCharged(period)))) return period.end;
  const last = addDays(period.end, -1);
  const line = await worths.line(period);
  const price = partOfLine(line, (amount) => shareOfDays(amount, period, today, period.end));
  const charged = chargedNow(price, work.tenant.currency);
  const { say, date: dateText } = storedTexts(work);
  const explanation = say('reactivated', { day: dateText(today), start: dateText(period.start), end: dateText(last) });
  if (charged.amount > 0)
    await addEntry(work, {
      customer: owned.customer_id,
      kind: 'charge',
      amount: charged.amount,
      charged,
      reason: REACTIVATION,
      subject: owned.id,
      customerMembership: owned.id,
      explanation,
      dueOn: today,
      period: { start: period.start, end: last },
    });
  return period.end;
}

export const reactivateMembership = action({
  path: '/customer_memberships/{id}/reactivate',
  summary: 'Reactivate a membership',
  description:
    'Before its last day has passed, a cancelled membership gets its previous last day back, and a planned downgrade is removed. A membership that has ended continues until `expiration_date`, unless it was entered by mistake or another one replaced it. Cancelled bookings stay cancelled. Customers can undo a cancellation of their own until the last day has passed (`cancelled_by_customer`).',
  who: owners,
  target: customerMembership,
  unlocked: true,
  body: {
    expiration_date: date()
      .nullable()
      .optional()
      .describe('The new last day of a membership that has ended. If null or left out, the one that it had, or none.'),
  },
  returns: one(customerMembership),
  problems: ['already_ended', 'conflict'],
  run: async ({ work, target, body }) => {
    await checkMayReactivate(work, await readOwned(work, target.id), body);
    checkDay('expiration_date', body.expiration_date ?? null);
    await reactivate(work, target.id, body.expiration_date ?? null);
    await confirmReactivated(work, target.id);
    return target.id;
  },
});
