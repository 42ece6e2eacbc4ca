/**
 * Another membership at once, with a credit for what is left of the one that somebody holds:
 * docs/algorithms/upgrades.md.
 */
import { action, one, staffWith } from '../../../../kernel/api/endpoint.ts';
import { customerMembership } from '../customer-membership.ts';
import { todayOf } from '../writes.ts';
import { usageOf } from '../use/usage.ts';
import { addEntries } from '../../../money/account-entries/index.ts';
import { addDays } from '../../../../kernel/values/date.ts';
import { changeOwned, item, lockOwned, readOwned, reportOwned, type Locked, type Owned } from '../owned.ts';
import { checkGoesOn, checkNoDowngrade, EVER } from './checks.ts';
import { checkIsOther, giveSuccessor, wantedBody, wantedOf, type Wanted } from './successor.ts';
import { endHoldsOf } from '../holds/ending.ts';
import { daysOf } from '../holds/hold-row.ts';
import { formatDecimal } from '../../../../kernel/values/money.ts';
import { instant, sql } from '../../../../kernel/db/sql.ts';
import { isWithin } from '../holds/rules/hold.ts';
import { leftOf, type Left, type Measure, type Paid } from './rules/upgrade.ts';
import { lockDisplaced, settleDisplaced } from '../use/displaced.ts';
import { lockMemberships } from '../../memberships/index.ts';
import { membershipUpgraded } from './feed.ts';
import { ownEnd } from './cancel.ts';
import { periodAt, periodOf, shareOfDays, type Dates } from '../../../../kernel/values/cycle.ts';
import { renewOwned } from '../renewals/renew.ts';
import { UPGRADE } from '../account-reasons.ts';
import type { Work } from '../../../../kernel/work.ts';

/** What an upgrade in a checkout has agreed to before it happens. */
export interface Agreed {
  /** minor units: what is left of the membership, as the payer was told */
  readonly credit: number;
  /** the part of it that the payment for the new one takes off: an entry of its own */
  readonly used: number;
  /** whose account gets it: who pays for the new one */
  readonly creditTo: number;
}

export interface Upgraded {
  /** the id of the membership that takes the place */
  readonly next: number;
  /** minor units */
  readonly credit: number;
  /** the account entry that credits it, or the part of it that is used; null: nothing is */
  readonly entry: number | null;
}

export async function upgrade(work: Work, id: number, wanted: Wanted, agreed?: Agreed): Promise<Upgraded> {
  check(await readOwned(work, id), wanted);
  const displaced = await lockDisplaced(work, [{ customerMembership: id, from: EVER, to: null }]);
  const locked = await lockOwned(work, id);
  check(locked, wanted);
  // A period that has begun and was not told of is due before it ends.
  const old = await renewOwned(work, locked);
  await lockMemberships(work, [old.membership_id, wanted.membership]);
  const today = todayOf(work);
  const next = await giveSuccessor(work, old, wanted, today);
  const lastDay = await end(work, old, next);
  await endHoldsOf(work, id, today);
  await settleDisplaced(work, displaced, { payWith: next });
  const { credit, entry } = await creditLeft(work, old, next, today, agreed);
  reportOwned(work, old, {
    items: [item(membershipUpgraded, { replaced_by: next, credit: said(work, credit) })],
    effects: [['membership_upgraded', { replaced_by: next, last_day: lastDay, credit_minor: credit }]],
  });
  return { next, credit, entry };
}

function check(owned: Owned, wanted: Wanted): void {
  checkGoesOn(owned, 'Sell another one.');
  checkNoDowngrade(owned);
  checkIsOther(owned, wanted);
}

/** Returns the last day: yesterday, or its first where that is later. What it is worth is reported when that is known. */
async function end(work: Work, old: Locked, next: number): Promise<string> {
  const yesterday = addDays(todayOf(work), -1);
  const lastDay = old.start_date !== null && old.start_date > yesterday ? old.start_date : yesterday;
  await changeOwned(work, old, {
    to: {
      status: 'cancelled',
      cancellation_reason: 'upgraded',
      is_set_for_cancellation: false,
      ended_at: instant(work.now),
      expiration_date: lastDay,
      end_before_cancellation: ownEnd(old),
      replaced_by_id: next,
    },
  });
  return lastDay;
}

const said = (work: Work, minor: number): string => formatDecimal({ minor, currency: work.tenant.currency });

/** What was paid for it was the revenue of its own type. */
const SOLD_AS = {
  pack: 'pack_membership',
  prepaid_plan: 'prepaid_plan_membership',
  recurring_plan: 'recurring_plan_membership',
} as const;

/** After uses have gone to the new one or were given back, and holds are ended. */
async function creditLeft(
  work: Work,
  old: Owned,
  next: number,
  today: string,
  agreed: Agreed | undefined,
): Promise<Pick<Upgraded, 'credit' | 'entry'>> {
  const left = leftOf(await paidFor(work, old, today), today);
  const { credit, used, creditTo } = agreed ?? { credit: left.amount, used: left.amount, creditTo: old.customer_id };
  if (credit === 0) return { credit, entry: null };
  const common = {
    customer: creditTo,
    kind: 'credit',
    reason: UPGRADE,
    revenue: SOLD_AS[old.membership_type],
    subject: next,
    customerMembership: next,
    explanation: await explanationOf(work, old, next, { ...left, amount: credit }),
    dueOn: today,
    period: null,
  } as const;
  const parts = [used, credit - used].filter((amount) => amount > 0);
  const [first] = await addEntries(
    work,
    parts.map((amount) => ({ ...common, amount })),
  );
  return { credit, entry: used > 0 ? first : null };
}

async function paidFor(work: Work, owned: Owned, today: string): Promise<Paid> {
  const { cycle, start_date: start, billed_price_minor: price } = owned;
  const common = { start, uses: null, billed: true, adjusted: 0 };
  if (cycle !== null) {
    const whole = periodOf(cycle, periodAt(cycle, today));
    const billed = !owned.holds.some((hold) => isWithin(whole.start, daysOf(hold)));
    return {
      ...common,
      price: owned.period_price_minor ?? price,
      recurring: true,
      whole,
      billed,
      adjusted: await adjustedIn(work, owned.id, whole),
    };
  }
  const uses = owned.membership_type === 'pack' ? await totalOf(work, owned.id, today) : null;
  const end = ownEnd(owned);
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
    SELECT coalesce(sum(CASE kind WHEN 'charge' THEN amount_minor ELSE -amount_minor END), 0)::bigint AS sum FROM account_entry
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
async function explanationOf(work: Work, old: Owned, next: number, { amount, measure }: Left): Promise<string> {
  const names = await work.tx.rows<{ id: number; name: string }>(sql`
    SELECT cm.id, m.name FROM customer_membership cm JOIN membership m ON m.provider_id = cm.provider_id AND m.id = cm.membership_id
    WHERE cm.provider_id = ${work.providerId} AND cm.id IN (${old.id}, ${next})`);
  const name = (id: number) => `"${names.find((one) => one.id === id)!.name}"`;
  const price =
    measure.by === 'days' && old.period_price_minor !== null ? old.period_price_minor : old.billed_price_minor;
  const first = await firstPrice(work, next);
  const rest =
    amount > first
      ? ` ${said(work, amount - first)} of it is more than the first price of ${name(next)}, ${said(work, first)}, and remains as a credit.`
      : '';
  return `Upgrade of ${name(old.id)} to ${name(next)}: ${WORDS(measure)} of what was paid, ${said(work, price)}, was left.${rest}`;
}

/** What is due first: of a recurring plan whose first period is cut short, the days of it. */
async function firstPrice(work: Work, id: number): Promise<number> {
  const { cycle, start_date: start, billed_price_minor: price } = await readOwned(work, id);
  if (cycle === null || start === null) return price;
  const period = periodOf(cycle, periodAt(cycle, start));
  return shareOfDays(price, period, start, period.end);
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
  run: async ({ work, target, body }) =>
    (await upgrade(work, target.id, { ...wantedOf(work, body), firstPeriodDue: true })).next,
});
