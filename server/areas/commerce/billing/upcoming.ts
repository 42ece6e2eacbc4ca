/** The next invoices of a recurring plan, computed by the function that bills them. */
import { answer, read } from '../../../kernel/api/endpoint.ts';
import { cycleOf } from './bill.ts';
import { todayOf } from './today.ts';
import { date, integer, listOf, money, object, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { factsOfPlan, readPlans, type PlanFacts } from './facts.ts';
import { paymentSubscription } from './payment-subscription.ts';
import { periodsAhead } from '../../memberships/customer-memberships/index.ts';
import { planPeriod, type Period, type PlannedInvoice } from './plan.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { who } from './subscriptions.ts';
import { wireMoney } from '../../../kernel/base/values/money.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const MAX_INVOICES = 12;

const line = object({
  description: text(),
  type: text(),
  price: money().describe('Before discounts, fees and taxes. Below 0 for a credit of the account.'),
  discount: money(),
  total: money().describe('With fees and taxes.'),
}).named('UpcomingLine');

const invoice = object({
  billing_date: date().describe('The day on which it will be issued.'),
  due_date: date(),
  period_start_date: date(),
  period_end_date: date().describe('The last day of the billing period.'),
  payer: ref('customer'),
  payment_method: ref('payment_method')
    .nullable()
    .describe('Payment method that will be charged. Null if the invoice is sent instead.'),
  line_items: listOf(line),
  total: money(),
  account_credit: money().describe('Amount that account credit pays.'),
  amount_due: money().describe('Amount that is charged, or left to pay.'),
}).named('UpcomingInvoice');

export const upcomingInvoices = read({
  path: '/payment_subscriptions/{id}/upcoming_invoices',
  summary: 'Preview the next invoices of a recurring plan',
  description:
    'Calculated as they will be issued, if nothing changes until then: with the agreed price, its discount code, fees and taxes, what is open on the account, and account credit. Billing periods that begin while the membership is on hold are left out.',
  who,
  target: paymentSubscription,
  query: { count: integer({ min: 1, max: MAX_INVOICES }).default(3).describe('Number of billing periods.') },
  returns: answer({ upcoming_invoices: listOf(invoice) }),
  run: async ({ work, target, query: { count } }) => {
    const membership = target.customer_membership_id as number;
    const facts = await factsOfPlan(work, membership, await readPlans(work, [membership]), { looking: true });
    const periods = await upcomingPeriods(work, membership, count!);
    return { upcoming_invoices: previews(work, facts, periods).map((one) => shown(work, facts, one)) };
  },
});

/** Returns the periods that have begun and are not billed yet, followed by future ones. */
async function upcomingPeriods(work: Work, membership: number, count: number): Promise<Period[]> {
  const due = await work.tx.rows<Period & Record<string, unknown>>(sql`
    SELECT p.period_start AS start, p.period_end AS "end", p.price_minor AS price, ${cycleOf} AS cycle
    FROM billing_period p
    WHERE p.provider_id = ${work.providerId} AND p.customer_membership_id = ${membership} AND p.state = 'due'
    ORDER BY p.period_start LIMIT ${count}`);
  const { paid } = (await work.tx.one<{ paid: number }>(sql`
    SELECT (count(*) FILTER (WHERE b.state <> 'skipped') + CASE WHEN bool_or(b.first) THEN 0 ELSE 1 END)::int AS paid
    FROM billing_period b WHERE b.provider_id = ${work.providerId} AND b.customer_membership_id = ${membership}`))!;
  const ahead = await periodsAhead(work, membership, count - due.length);
  return [...due, ...ahead.map(({ start, end, price }, n) => ({ start, end, price, cycle: paid + n + 1 }))];
}

interface Preview {
  readonly period: Period;
  readonly day: string;
  readonly plan: PlannedInvoice;
}

/** Previews the periods one after the other: entries and credit used by one invoice aren't available to the next. */
function previews(work: Work, facts: PlanFacts, periods: readonly Period[]): Preview[] {
  const today = todayOf(work);
  let left = facts;
  return periods.map((period) => {
    const day = period.start < today ? today : period.start;
    // A credit whose day has ended by that date has become account credit.
    const lapsed = day === today ? [] : left.entries.filter(({ kind, dueOn }) => kind === 'credit' && dueOn < day);
    const spendable = left.settings.use_account_credit && left.payer === left.customer;
    const credit = left.credit + (spendable ? lapsed.reduce((sum, { amount }) => sum + amount, 0) : 0);
    const open = left.entries.filter((entry) => !lapsed.includes(entry));
    const plan = planPeriod(work, { ...left, entries: open, credit }, period, day);
    left = {
      ...left,
      entries: open.filter((entry) => !plan.entries.includes(entry)),
      credit: credit - plan.credit,
    };
    return { period, day, plan };
  });
}

function shown(work: Work, facts: PlanFacts, { period, day, plan }: Preview) {
  const amount = (minor: number) => wireMoney({ minor, currency: work.tenant.currency });
  return {
    billing_date: day,
    due_date: plan.dueOn,
    period_start_date: period.start,
    period_end_date: period.end,
    payer: facts.payer,
    payment_method: plan.due > 0 ? (facts.method?.id ?? null) : null,
    line_items: plan.lines.map(({ description, type, price }) => ({
      description,
      type,
      price: amount(price.listPrice),
      discount: amount(price.discount),
      total: amount(price.total),
    })),
    total: amount(plan.total),
    account_credit: amount(plan.credit),
    amount_due: amount(plan.due),
  };
}
