/** Writes of customer memberships, for endpoints, other areas and imports. */
import { lockCustomers } from '../../people/customers/index.ts';
import { reportDue, reportSold } from './billers.ts';
import { cycleFrom, lastDayOf, type Plan } from './rules/purchase.ts';
import { customerMembershipFeed } from './feed.ts';
import { insertRow } from '../../../kernel/work/unit/row.ts';
import { invalid, Issues } from '../../../kernel/base/problem.ts';
import {
  DAYS_OF_WEEK,
  feeOn,
  mayBuy,
  membershipOf,
  paymentPlanOf,
  REASONS,
  termOf,
  type PaymentPlan,
  type Product,
} from '../memberships/index.ts';
import { addDays } from '../../../kernel/base/values/date.ts';
import { nextStart, periodAt, periodOf, shareOfDays } from '../../../kernel/base/values/cycle.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

interface NewCustomerMembership {
  readonly membership: number;
  readonly customer: number;
  /** YYYY-MM-DD; absent for today, or the membership's own rule */
  readonly startDate?: string | null;
  readonly expirationDate?: string | null;
  /** first day of a billing period, if periods are not counted from the start date */
  readonly billedFrom?: string | null;
  /** payment plan of a recurring plan; absent for the only one on sale */
  readonly plan?: number | null;
  /** minor units; absent for the sale price */
  readonly price?: number;
  /**
   * amount paid for all of it before fees and taxes, in minor units; absent for the price. A recurring plan keeps the
   * price
   */
  readonly paid?: number;
  /** id of the first of several that are sold as one item */
  readonly soldWith?: number;
  /** true if the first billing period is due when it begins; absent if the seller has billed it, or nobody does */
  readonly firstPeriodDue?: boolean;
}

const shapeOf = (plan: PaymentPlan): Plan => ({
  ...plan,
  fixedDayOfWeek: plan.fixedDayOfWeek === null ? null : DAYS_OF_WEEK.indexOf(plan.fixedDayOfWeek) + 1,
});

/** Returns today's date at the business. */
export const todayOf = (work: Pick<Work, 'now' | 'tenant'>): string => wallAt(work.now, work.tenant.zone).date;

/** Limits that keep billing periods around the day, and days before and after, within the supported years. */
const [EARLIEST, LATEST] = ['1900-01-01', '2999-12-31'];

/** Returns the problem with a day in a request; null if there is none. */
export const againstDay = (day: string | null): string | null =>
  day !== null && (day < EARLIEST || day > LATEST) ? `Must be between ${EARLIEST} and ${LATEST}.` : null;

/** Refuses such a day, under the name of its property. */
export function checkDay(field: string, day: string | null): void {
  const against = againstDay(day);
  if (against !== null) throw invalid(field, against);
}

/** The customer membership that would result, decided as a sale decides it. */
interface Sale {
  readonly product: Product;
  readonly plan: PaymentPlan | null;
  readonly values: Values;
}

/** Decides a sale, and reports all objections together. */
async function decideSale(
  work: Work,
  asked: NewCustomerMembership,
  person: { readonly date_of_birth: string | null } | undefined,
): Promise<Sale> {
  const product = await membershipOf(work.tx, work.providerId, asked.membership);
  const issues = new Issues();
  if (!person) issues.add('customer', `There is no customer with the id ${asked.customer}.`);
  if (!product) issues.add('membership', `There is no membership with the id ${asked.membership}.`);
  issues.throwIfAny();
  await checkMayBuy(work, product!, asked.customer, person!.date_of_birth);
  const plan = await planFor(work, product!, asked.plan ?? null);
  checkDay('start_date', asked.startDate ?? null);
  const values = plan ? recurring(work, plan, asked) : once(work, product!, asked);
  checkDay('expiration_date', values.expiration_date);
  if (values.start_date !== null && values.expiration_date !== null && values.expiration_date < values.start_date) {
    issues.add(
      asked.expirationDate ? 'expiration_date' : 'start_date',
      `It would end on ${values.expiration_date}, before it starts on ${values.start_date}.`,
    );
  }
  issues.throwIfAny();
  return { product: product!, plan, values };
}

/** The cost of a membership for a customer. Amounts are minor units. */
export interface Quote {
  readonly product: Product;
  readonly plan: PaymentPlan | null;
  /** agreed price: of the whole, or of each billing period */
  readonly price: number;
  /** amount due first: for a first billing period that is cut short, the price of its remaining days */
  readonly dueNow: number;
}

/**
 * Returns the cost of a sale to this customer, with the same refusals as the sale. Nothing is locked, so the sale
 * decides again.
 */
export async function quoteSale(work: Work, asked: NewCustomerMembership): Promise<Quote> {
  const person = await work.tx.one<{ date_of_birth: string | null }>(
    sql`SELECT date_of_birth FROM customer WHERE provider_id = ${work.providerId} AND id = ${asked.customer}
      AND deleted_at IS NULL`,
  );
  const { product, plan, values } = await decideSale(work, asked, person);
  const price = asked.price ?? values.billed_price_minor;
  return { product, plan, price, dueNow: plan === null ? price : firstDue(plan, values.start_date!, price) };
}

/** Returns the days of the first billing period, and the whole period. */
function firstPeriod(plan: PaymentPlan, start: string) {
  const cycle = cycleFrom(shapeOf(plan), start);
  return periodOf(cycle, periodAt(cycle, start));
}

function firstDue(plan: PaymentPlan, start: string, price: number): number {
  const period = firstPeriod(plan, start);
  return shareOfDays(price, period, start, period.end);
}

/** Gives a customer a membership if they may have it, and returns its id. All objections are reported together. */
export async function createCustomerMembership(work: Work, asked: NewCustomerMembership): Promise<number> {
  // If two desks sell concurrently, the second waits here, and sees the first sale.
  const person = (await lockCustomers(work, [asked.customer])).find(({ deleted_at }) => deleted_at === null);
  const { product, plan, values } = await decideSale(
    work,
    asked,
    person as { date_of_birth: string | null } | undefined,
  );
  const of = {
    customer_id: asked.customer,
    membership_id: asked.membership,
    membership_type: product.type,
    bought_on: todayOf(work),
  };
  const price = asked.price ?? values.billed_price_minor;
  const id = await insertRow(work, 'customer_membership', {
    ...of,
    ...values,
    billed_price_minor: plan === null ? (asked.paid ?? price) : price,
    sold_with_id: asked.soldWith ?? null,
  });
  work.record(customerMembershipFeed.created, id, {
    customer_membership: id,
    customer: asked.customer,
    membership: asked.membership,
  });
  work.effect('customer_membership_created', 'customermembership', id, {
    customer: asked.customer,
    membership: asked.membership,
    start_date: values.start_date,
    expiration_date: values.expiration_date,
    billed_price_minor: price,
  });
  if (plan !== null) {
    await reportSold(work, [id]);
    if (asked.firstPeriodDue) await reportFirst(work, id, plan, values.start_date!, price);
  }
  return id;
}

/** Reports the first billing period, or the rest of it: nobody has paid for it yet. */
function reportFirst(work: Work, id: number, plan: PaymentPlan, start: string, price: number): Promise<void> {
  const end = addDays(firstPeriod(plan, start).end, -1);
  const period = { customerMembership: id, start, end, price: firstDue(plan, start, price), first: true };
  return reportDue(work, [period]);
}

async function checkMayBuy(work: Work, product: Product, customer: number, birth: string | null): Promise<void> {
  const known = (await work.tx.one<{ owned: boolean; owned_before: boolean; came: boolean }>(sql`
    SELECT EXISTS (SELECT FROM customer_membership
      WHERE provider_id = ${work.providerId} AND customer_id = ${customer}
        AND cancellation_reason IS DISTINCT FROM 'mistake') AS owned,
           EXISTS (SELECT FROM customer_membership WHERE provider_id = ${work.providerId} AND customer_id = ${customer}
        AND membership_id = ${product.id}
                   AND cancellation_reason IS DISTINCT FROM 'mistake') AS owned_before,
           EXISTS (SELECT FROM attendance WHERE provider_id = ${work.providerId} AND customer_id = ${customer}
        AND status = 'attended') AS came`))!;
  const against = mayBuy({
    byStaff: work.viewer.mode === 'provider',
    today: todayOf(work),
    membership: { ...product, draft: product.incompleteReasons.length > 0 },
    customer: { birth, known: known.owned || known.came, ownedBefore: known.owned_before },
  });
  const issues = new Issues();
  for (const reason of against) issues.add('membership', REASONS[reason]);
  issues.throwIfAny();
}

async function planFor(work: Work, product: Product, wanted: number | null): Promise<PaymentPlan | null> {
  const issues = new Issues();
  if (product.type !== 'recurring_plan') {
    if (wanted !== null) issues.add('plan', `A ${product.type} has no payment plans. Leave it out.`);
    issues.throwIfAny();
    return null;
  }
  const id = wanted ?? (await onlyPlan(work, product.id));
  const plan = id === null ? null : await paymentPlanOf(work.tx, work.providerId, id);
  if (id === null) issues.add('plan', 'The membership has several payment plans. Name one of them.');
  else if (!plan || plan.membership !== product.id)
    issues.add('plan', `The membership has no payment plan with the id ${id}.`);
  else if (!plan.forSale) issues.add('plan', 'The payment plan is not for sale. Choose another one.');
  issues.throwIfAny();
  return plan;
}

async function onlyPlan(work: Work, membership: number): Promise<number | null> {
  const rows = await work.tx.rows<{ id: number }>(
    sql`SELECT id FROM membership_payment_plan
      WHERE provider_id = ${work.providerId} AND membership_id = ${membership} AND status = 'for_sale' LIMIT 2`,
  );
  return rows.length === 1 ? rows[0].id : null;
}

export interface Values {
  start_date: string | null;
  expiration_date: string | null;
  billed_price_minor: number;
  [column: string]: unknown;
}

export function recurring(work: Work, plan: PaymentPlan, asked: NewCustomerMembership): Values {
  const today = todayOf(work);
  const start = asked.startDate ?? today;
  const cycle = cycleFrom(shapeOf(plan), asked.billedFrom ?? start);
  const { unit, length, anchor, day } = cycle;
  return {
    payment_plan_id: plan.id,
    start_date: start,
    expiration_date: asked.expirationDate ?? lastDayOf(shapeOf(plan), start),
    billed_price_minor: plan.price,
    billing_unit: unit,
    billing_length: length,
    billing_anchor: anchor,
    billing_day: day ?? null,
    // A membership sold elsewhere before today has been paid elsewhere until now.
    renews_on: nextStart(cycle, start > today ? start : today),
  };
}

export function once(work: Work, product: Product, asked: NewCustomerMembership): Values {
  // A start that the caller sends replaces the membership's own rule.
  const given = asked.startDate ? { ...product, startDate: asked.startDate, beginOnFirstRegistration: false } : product;
  const term = termOf(given, { boughtOn: asked.startDate ?? todayOf(work), firstUseOn: null });
  const end = asked.expirationDate ?? term.expirationDate;
  return {
    start_date: term.startDate,
    expiration_date: end,
    billed_price_minor: feeOn(
      product.oneTimeFee ?? 0,
      product,
      { startDate: term.startDate, expirationDate: end },
      todayOf(work),
    ),
  };
}
