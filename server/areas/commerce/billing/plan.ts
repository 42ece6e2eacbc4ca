/**
 * The contents of a billing invoice and how it is paid: one function for the preview and the commit. Rules:
 * docs/algorithms/renewal-billing.md. Pure; amounts are minor units.
 */
import { storedTexts } from '../../../kernel/work/unit/stored-texts.ts';
import type { NewLine } from '../../money/invoices/index.ts';
import { discountOfCycle } from '../discount-codes/index.ts';
import { entriesFor } from './rules/entries.ts';
import { priceLines, type LineToPrice } from '../../pricing/fees/index.ts';
import { addDays } from '../../../kernel/base/values/date.ts';
import type { AccountFacts, PlanFacts, Terms } from './facts.ts';
import type { OpenEntry } from '../../money/account-entries/index.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** A billing period to bill. */
export interface Period {
  /** YYYY-MM-DD, the first and last day */
  readonly start: string;
  readonly end: string;
  readonly price: number;
  /** counted from 1, which is the first payment */
  readonly cycle: number;
}

export interface PlannedInvoice {
  readonly lines: readonly NewLine[];
  /** the account entries that it collects */
  readonly entries: readonly OpenEntry[];
  readonly total: number;
  /** the part that account credit pays */
  readonly credit: number;
  /** the amount left to pay */
  readonly due: number;
  /** YYYY-MM-DD */
  readonly dueOn: string;
  /** the code that reduced the price of the period */
  readonly code: Terms['code'] | null;
}

/** Plans the invoice of a billing period. `day`: the issue date. */
export function planPeriod(work: Pick<Work, 'tenant'>, facts: PlanFacts, period: Period, day: string): PlannedInvoice {
  const { terms, name, customer, customerMembership } = facts;
  const { say, date } = storedTexts(work);
  const asked = linePeriod(facts, period);
  const [price] = priceLines([asked]).lines;
  const line: NewLine = {
    type: 'recurring_plan_membership',
    description: say('period', { name, start: date(period.start), end: date(period.end) }),
    billed: { object: 'customermembership', id: customerMembership, name },
    customer,
    quantity: 1,
    price,
    period: { start: period.start, end: period.end },
  };
  return planWith(facts, [line], day, asked.discount > 0 ? terms!.code : null);
}

/** Returns the line of a billing period with its cycle's discount, and its fees and taxes. */
export function linePeriod(
  { terms, fees }: Pick<PlanFacts, 'terms' | 'fees'>,
  { price, cycle }: Pick<Period, 'price' | 'cycle'>,
): LineToPrice & { readonly discount: number } {
  const discount = terms === null ? 0 : discountOfCycle(terms, cycle, price);
  return { listPrice: price, quantity: 1, discount, ...fees.on('recurring_membership', null) };
}

/** Plans an invoice of only the open entries on the account. */
export const planCharges = (facts: AccountFacts, day: string): PlannedInvoice => planWith(facts, [], day, null);

function planWith(
  facts: AccountFacts,
  first: readonly NewLine[],
  day: string,
  code: Terms['code'] | null,
): PlannedInvoice {
  const before = totalOf(first);
  const ready = facts.entries.filter(({ waits, byHand }) => !waits && !byHand);
  const entries = entriesFor(ready, day, before);
  const lines = [...first, ...entries.map((entry) => lineOf(entry, facts.customer))];
  const total = totalOf(lines);
  const credit = Math.min(Math.max(facts.credit, 0), total);
  const due = total - credit;
  const dueOn = facts.method !== null || due === 0 ? day : addDays(day, facts.settings.payment_days);
  return { lines, entries, total, credit, due, dueOn, code };
}

const totalOf = (lines: readonly NewLine[]): number => lines.reduce((sum, { price }) => sum + price.total, 0);

function lineOf({ id, price, explanation, revenue }: OpenEntry, customer: number): NewLine {
  const description = explanation.slice(0, 1000);
  return {
    type: revenue,
    description,
    billed: { object: 'account_entry', id, name: description },
    customer,
    quantity: 1,
    price,
    accountEntry: id,
  };
}
