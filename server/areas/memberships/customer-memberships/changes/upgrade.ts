/**
 * Another membership at once, with a credit for what is left of the one that somebody holds:
 * docs/algorithms/upgrades.md.
 */
import { action, one, staffWith } from '../../../../kernel/api/endpoint.ts';
import { addAdjustment } from '../adjustment.ts';
import { customerMembership } from '../customer-membership.ts';
import { todayOf } from '../writes.ts';
import { usageOf } from '../use/usage.ts';
import { addDays } from '../../../../kernel/values/date.ts';
import { checkGoesOn, EVER, lockHeld, readHeld, type Known } from './held.ts';
import { checkIsOther, giveSuccessor, lockProducts, wantedBody, wantedOf, type Wanted } from './successor.ts';
import { checkNoDowngrade, ownEnd } from './cancel.ts';
import { endHoldsOf } from '../holds/writes.ts';
import { formatDecimal } from '../../../../kernel/values/money.ts';
import { instant, sql } from '../../../../kernel/db/sql.ts';
import { leftOf, type Left, type Measure, type Paid } from './rules/upgrade.ts';
import { lockDisplaced, settleDisplaced } from '../use/displaced.ts';
import { membershipUpgraded } from './feed.ts';
import { periodAt, periodOf, shareOfDays, type Dates } from '../../../../kernel/values/cycle.ts';
import { renewHeld } from '../renewals/renew.ts';
import { updateRow } from '../../../../kernel/db/row.ts';
import type { Work } from '../../../../kernel/work.ts';

/** Returns the id of the membership that takes the place. */
export async function upgrade(work: Work, id: number, wanted: Wanted): Promise<number> {
  check(await readHeld(work, id), wanted);
  const displaced = await lockDisplaced(work, [{ customerMembership: id, from: EVER, to: null }]);
  check(await lockHeld(work, id), wanted);
  // A period that has begun and was not told of is due before it ends.
  await renewHeld(work, id);
  const old = await readHeld(work, id);
  await lockProducts(work, [old.row.membership_id, wanted.membership]);
  const today = todayOf(work);
  const next = await giveSuccessor(work, old, wanted, today);
  const { start_date: start, customer_id: customer } = old.row;
  const yesterday = addDays(today, -1);
  const lastDay = start !== null && start > yesterday ? start : yesterday;
  await updateRow(work, 'customer_membership', id, {
    status: 'cancelled',
    cancellation_reason: 'upgraded',
    is_set_for_cancellation: false,
    ended_at: instant(work.now),
    expiration_date: lastDay,
    end_before_cancellation: ownEnd(old),
    replaced_by_id: next,
  });
  await endHoldsOf(work, id, today);
  await settleDisplaced(work, displaced, { payWith: next });
  const credit = await creditLeft(work, old, next, today);
  work.record(membershipUpgraded, id, {
    customer_membership: id,
    customer,
    replaced_by: next,
    credit: said(work, credit),
  });
  work.effect('membership_upgraded', 'customermembership', id, {
    replaced_by: next,
    last_day: lastDay,
    credit_minor: credit,
  });
  return next;
}

function check(known: Known, wanted: Wanted): void {
  checkGoesOn(known.row, 'Sell another one.');
  checkNoDowngrade(known);
  checkIsOther(known.row, wanted);
}

const said = (work: Work, minor: number): string => formatDecimal({ minor, currency: work.tenant.currency });

/** After uses have gone to the new one or were given back, and holds are ended. Returns the amount. */
async function creditLeft(work: Work, old: Known, next: number, today: string): Promise<number> {
  const left = leftOf(await paidFor(work, old, today), today);
  if (left.amount === 0) return 0;
  await addAdjustment(work, {
    customerMembership: next,
    type: 'credit',
    amount: left.amount,
    reason: 'upgrade',
    explanation: await explanationOf(work, old, next, left),
    dueOn: today,
    period: null,
  });
  return left.amount;
}

async function paidFor(work: Work, known: Known, today: string): Promise<Paid> {
  const { row, cycle, holds } = known;
  const { start_date: start, billed_price_minor: price } = row;
  const common = { start, uses: null, billed: true, adjusted: 0 };
  if (cycle !== null) {
    const whole = periodOf(cycle, periodAt(cycle, today));
    const billed = !holds.some((hold) => hold.start <= whole.start && (hold.end === null || whole.start <= hold.end));
    return {
      ...common,
      price: row.period_price_minor ?? price,
      recurring: true,
      whole,
      billed,
      adjusted: await adjustedIn(work, row.id, whole),
    };
  }
  const uses = row.membership_type === 'pack' ? await totalOf(work, row.id, today) : null;
  const end = ownEnd(known);
  return {
    ...common,
    price,
    recurring: false,
    uses,
    whole: start === null || end === null ? null : { start, end: addDays(end, 1) },
  };
}

/** What holds have made of the price of a billing period: charges less credits that stand. */
async function adjustedIn({ tx, providerId }: Work, id: number, { start, end }: Dates): Promise<number> {
  const row = await tx.one<{ sum: number }>(sql`
    SELECT coalesce(sum(CASE type WHEN 'charge' THEN amount_minor ELSE -amount_minor END), 0)::bigint AS sum FROM membership_adjustment
    WHERE provider_id = ${providerId} AND customer_membership_id = ${id} AND reason IN ('hold', 'reactivation') AND voided_at IS NULL
      AND period_start >= ${start}::date AND period_start < ${end}::date`);
  return row!.sum;
}

/** The number of uses that a pack was sold for; null: it is none. */
async function totalOf(work: Work, id: number, today: string): Promise<Paid['uses']> {
  const total = (await usageOf(work, id, today)).find((period) => period.period_type === 'total');
  return total === undefined || total.max_uses === null
    ? null
    : { total: total.max_uses as number, used: Math.max(0, total.used_count as number) };
}

const WORDS = (measure: Measure): string => {
  if (measure.by === 'uses') return `${measure.left} of ${measure.of} uses`;
  if (measure.by === 'days') return `${measure.left} of ${measure.of} days`;
  return 'All of it';
};

/** How the amount came about, and what the new one leaves of it. */
async function explanationOf(work: Work, { row }: Known, next: number, { amount, measure }: Left): Promise<string> {
  const names = await work.tx.rows<{ id: number; name: string }>(sql`
    SELECT cm.id, m.name FROM customer_membership cm JOIN membership m ON m.provider_id = cm.provider_id AND m.id = cm.membership_id
    WHERE cm.provider_id = ${work.providerId} AND cm.id IN (${row.id}, ${next})`);
  const name = (id: number) => `"${names.find((one) => one.id === id)!.name}"`;
  const price =
    measure.by === 'days' && row.period_price_minor !== null ? row.period_price_minor : row.billed_price_minor;
  const first = await firstPrice(work, next);
  const rest =
    amount > first
      ? ` ${said(work, amount - first)} of it is more than the first price of ${name(next)}, ${said(work, first)}, and remains as a credit.`
      : '';
  return `Upgrade of ${name(row.id)} to ${name(next)}: ${WORDS(measure)} of what was paid, ${said(work, price)}, was left.${rest}`;
}

/** What is due first: of a recurring plan whose first period is cut short, the days of it. */
async function firstPrice(work: Work, id: number): Promise<number> {
  const { row, cycle } = await readHeld(work, id);
  if (cycle === null || row.start_date === null) return row.billed_price_minor;
  const period = periodOf(cycle, periodAt(cycle, row.start_date));
  return shareOfDays(row.billed_price_minor, period, row.start_date, period.end);
}

export const upgradeMembership = action({
  path: '/customer_memberships/{id}/upgrade',
  summary: 'Upgrade a membership immediately',
  description:
    'The current membership ends, and the value that is left of what was paid for it is credited to the new one, which is returned. Future bookings move to the new membership if it can pay for them; the others are handled as set by the business. Try it with `dry_run` first.',
  who: staffWith('super_admin', 'customers'),
  target: customerMembership,
  unlocked: true,
  body: wantedBody,
  returns: one(customerMembership),
  problems: ['already_cancelled', 'already_ended', 'conflict'],
  run: ({ work, target, body }) => upgrade(work, target.id, wantedOf(work, body)),
});
