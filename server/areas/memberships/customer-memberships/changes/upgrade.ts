/**
 * Immediate replacement of a membership, with a credit for the remaining value of the old one:
 * docs/algorithms/upgrades.md.
 */
import { action, one as answerOne, staffWith } from '../../../../kernel/api/endpoint.ts';
import { customerMembership } from '../customer-membership.ts';
import { todayOf } from '../writes.ts';
import { usageOf } from '../use/usage.ts';
import { addEntries, openCredits, voidEntries, type Returned } from '../../../money/account-entries/index.ts';
import { toCharged, remainingParts as without, partsOf, shareOf, type Charged } from '../../../pricing/fees/index.ts';
import { currentPeriod, leftIn, chargePart, Worths, type Worth } from '../worth.ts';
import { one, say } from '../../../../kernel/base/values/words.ts';
import { Problem } from '../../../../kernel/base/problem.ts';
import { addDays } from '../../../../kernel/base/values/date.ts';
import { changeOwned, item, lockOwned, readOwned, reportOwned, type Locked, type Owned } from '../owned.ts';
import { checkGoesOn, checkNoDowngrade, FIRST_DAY_EVER } from './checks.ts';
import { checkIsOther, giveSuccessor, wantedBody, readWanted, type Wanted } from './successor.ts';
import { endHoldsOf } from '../holds/ending.ts';
import { daysOf } from '../holds/hold-row.ts';
import { formatDecimal } from '../../../../kernel/base/values/money.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { isWithin } from '../holds/rules/hold.ts';
import { remainingValue, type Left, type Paid } from './rules/upgrade.ts';
import { lockUncovered, settleUncovered } from '../use/uncovered.ts';
import { lockMemberships } from '../../memberships/index.ts';
import { membershipChangesFeed } from './feed.ts';
import { ownEnd } from './cancel.ts';
import { storedTexts } from '../../../../kernel/work/unit/stored-texts.ts';
import type { LineType } from '../../../money/ledger/index.ts';
import { renewOwned } from '../renewals/renew.ts';
import { settleDuePeriods } from '../billers.ts';
import { UPGRADE } from '../account-reasons.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** The terms of an upgrade in a checkout, agreed before it happens. */
interface Agreed {
  /** credited amount that was shown to the payer, in minor units */
  readonly credit: number;
  /** part of it that reduces the payment for the new membership, in entries of its own */
  readonly used: number;
  /** customer who gets the credit: the payer of the new membership */
  readonly creditTo: number;
}

interface Upgraded {
  /** id of the new membership */
  readonly next: number;
  /** minor units */
  readonly credit: number;
  /** ids of the account entries that credit the used part */
  readonly used: readonly number[];
}

export async function upgrade(work: Work, id: number, wanted: Wanted, agreed?: Agreed): Promise<Upgraded> {
  check(await readOwned(work, id), wanted);
  const uncovered = await lockUncovered(work, [{ customerMembership: id, from: FIRST_DAY_EVER, to: null }]);
  const locked = await lockOwned(work, id);
  check(locked, wanted);
  // A period that has begun but was not reported is due before the membership ends.
  const old = await renewOwned(work, locked);
  await settleDuePeriods(work, id);
  await lockMemberships(work, [old.membership_id, wanted.membership]);
  const today = todayOf(work);
  const next = await giveSuccessor(work, old, wanted, today);
  const lastDay = await end(work, old, next);
  await endHoldsOf(work, id, today);
  await settleUncovered(work, uncovered, { payWith: next });
  const { credit, used } = await creditLeft(work, old, next, today, agreed);
  reportOwned(work, old, {
    items: [item(membershipChangesFeed.upgraded, { replaced_by: next, credit: said(work, credit) })],
    effects: [['membership_upgraded', { replaced_by: next, last_day: lastDay, credit_minor: credit }]],
  });
  return { next, credit, used };
}

function check(owned: Owned, wanted: Wanted): void {
  checkGoesOn(owned, 'Sell another one.');
  checkNoDowngrade(owned);
  checkIsOther(owned, wanted);
}

/**
 * Ends the old membership. Returns its last day: yesterday, or its first day if that is later. Its value is reported
 * later, when it is known.
 */
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

/** Payments for the old membership were revenue of its own type. */
const SOLD_AS = {
  pack: 'pack_membership',
  prepaid_plan: 'prepaid_plan_membership',
  recurring_plan: 'recurring_plan_membership',
} as const;

/** An amount that is credited to the new membership, and the billed item that it is a part of. */
interface Source extends Charged {
  readonly of: Returned | null;
  /** type of membership whose revenue it was */
  readonly revenue: LineType;
}

/**
 * Credits the remaining value. Called after uses have moved to the new membership or were returned, and holds have
 * ended.
 */
async function creditLeft(
  work: Work,
  old: Owned,
  next: number,
  today: string,
  agreed: Agreed | undefined,
): Promise<Pick<Upgraded, 'credit' | 'used'>> {
  const worth = await worthOf(work, old, today);
  const whole = leftIn(worth);
  const left = remainingValue(await paidFor(work, old, worth, today), today);
  const unused = await takeUnused(work, old.id);
  const carried = sumOf(unused);
  const credit = agreed?.credit ?? left.amount + carried;
  if (credit > whole + carried)
    throw new Problem('conflict', {
      staff:
        'What was paid for the membership has been refunded or credited in the meantime. Check the amounts, and retry.',
      customer: say`What was paid for your ${one.membership} has changed in the meantime. Please start again.`,
    });
  if (credit === 0) return { credit, used: [] };
  const own = Math.max(0, credit - carried);
  const sources: Source[] = [
    ...(own > 0 ? [{ ...chargePart(worth, own), of: worth.of, revenue: SOLD_AS[old.membership_type] }] : []),
    ...unused,
  ];
  const first = await firstPrice(work, next);
  const now = agreed ? agreed.used : Math.min(credit, first ?? credit);
  const { used, rest } = split(sources, now, credit - now);
  const common = {
    customer: agreed?.creditTo ?? old.customer_id,
    kind: 'credit',
    reason: UPGRADE,
    subject: next,
    customerMembership: next,
    explanation: await explanationOf(work, old, next, { worth, left, carried, credit, first }),
    dueOn: today,
    period: null,
  } as const;
  const ids = await addEntries(
    work,
    [...used, ...rest].map(({ amount, of, revenue, ...charged }) => {
      return { ...common, amount, revenue, charged, returns: of ?? undefined };
    }),
  );
  return { credit, used: ids.slice(0, used.length) };
}

/**
 * Splits the sources into the part that is used now and the rest, in their order, because entries are never divided.
 */
function split(sources: readonly Source[], first: number, second: number): { used: Source[]; rest: Source[] } {
  const [used, rest]: [Source[], Source[]] = [[], []];
  let [toUse, toKeep] = [first, second];
  for (const source of sources) {
    const now = Math.min(source.amount, toUse);
    const later = Math.min(source.amount - now, toKeep);
    [toUse, toKeep] = [toUse - now, toKeep - later];
    const parts = partsOf(source);
    const taken = now > 0 ? shareOf(parts, now) : null;
    if (taken) used.push({ ...source, ...toCharged(taken, source.fees) });
    if (later > 0)
      rest.push({ ...source, ...toCharged(shareOf(taken ? without(parts, [taken]) : parts, later), source.fees) });
  }
  return { used, rest };
}

const sumOf = (sources: readonly { readonly amount: number }[]): number =>
  sources.reduce((sum, { amount }) => sum + amount, 0);

/** Carries over an open credit of an earlier upgrade that exceeded the first price of this membership. */
async function takeUnused(work: Work, id: number): Promise<Source[]> {
  const entries = await openCredits(work, UPGRADE, id);
  await voidEntries(
    work,
    entries.map((entry) => entry.id),
    storedTexts(work).say('upgrade.moved'),
  );
  return entries.map(({ charged, returns, revenue }) => ({ ...charged, of: returns, revenue }));
}

/** Returns the value of the whole sale or, for a recurring plan, of the current period. */
async function worthOf(work: Work, owned: Owned, today: string): Promise<Worth> {
  const worths = new Worths(work, owned);
  const { cycle, start_date: start } = owned;
  if (cycle === null || start === null || start > today) return worths.ofSale();
  const period = currentPeriod(owned, today);
  const begins = start > period.start ? start : period.start;
  return worths.ofPeriod(
    period,
    owned.holds.some((hold) => isWithin(begins, daysOf(hold))),
  );
}

async function paidFor(work: Work, owned: Owned, worth: Worth, today: string): Promise<Paid> {
  const { cycle, start_date: start } = owned;
  const common = { worth: worth.amount, left: leftIn(worth), start, uses: null };
  if (cycle !== null) return { ...common, whole: currentPeriod(owned, today) };
  const uses = owned.membership_type === 'pack' ? await totalOf(work, owned.id, today) : null;
  const end = ownEnd(owned);
  return { ...common, uses, whole: start === null || end === null ? null : { start, end: addDays(end, 1) } };
}

/** Returns the number of uses that a pack was sold with; null for others. */
async function totalOf(work: Work, id: number, today: string): Promise<Paid['uses']> {
  const total = (await usageOf(work, id, today)).find((period) => period.period_type === 'total');
  return total === undefined || total.max_uses === null
    ? null
    : { total: total.max_uses as number, used: Math.max(0, total.used_count as number) };
}

/** Amounts in minor units, and the remaining part of the old membership. */
interface Explaining {
  readonly worth: Worth;
  readonly left: Left;
  /** earlier credit that is carried over */
  readonly carried: number;
  readonly credit: number;
  /** price of the first period of the new membership; null if it has none */
  readonly first: number | null;
}

/** Explains how the amount was computed, and how much of it remains after the first price of the new membership. */
async function explanationOf(
  work: Work,
  old: Owned,
  next: number,
  { worth, left, carried, credit, first: period }: Explaining,
): Promise<string> {
  const names = await work.tx.rows<{ id: number; name: string }>(sql`
    SELECT cm.id, m.name FROM customer_membership cm
    JOIN membership m ON m.provider_id = cm.provider_id AND m.id = cm.membership_id
    WHERE cm.provider_id = ${work.providerId} AND cm.id IN (${old.id}, ${next})`);
  const name = (id: number) => names.find((one) => one.id === id)!.name;
  const first = period ?? (await readOwned(work, next)).billed_price_minor;
  const { say, amount } = storedTexts(work);
  const { measure } = left;
  const holes = { old: name(old.id), next: name(next), amount: amount(worth.amount) };
  const sentences = [
    'left' in measure
      ? say(`upgrade.${measure.by}`, { ...holes, left: measure.left, all: measure.of })
      : say(`upgrade.${measure.by}`, holes),
    ...(carried === 0 ? [] : [say('upgrade.carried', { amount: amount(carried) })]),
    ...(credit > first
      ? [say('upgrade.rest', { amount: amount(credit - first), next: name(next), price: amount(first) })]
      : []),
  ];
  return sentences.join(' ');
}

/** Returns the price of the first period with fees and taxes; null if it has none. */
async function firstPrice(work: Work, next: number): Promise<number | null> {
  const owned = await readOwned(work, next);
  const { cycle, start_date: start } = owned;
  if (cycle === null || start === null) return null;
  return (await new Worths(work, owned).price(currentPeriod(owned, start))).total;
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
  returns: answerOne(customerMembership),
  problems: ['already_cancelled', 'already_ended', 'conflict'],
  run: async ({ work, target, body }) =>
    (await upgrade(work, target.id, { ...readWanted(work, body), firstPeriodDue: true })).next,
});
