/** The books of some days in a few figures, for accountants: totals that must match, and figures for tax returns. */
import { ACCOUNTS, LINE_TYPES, type Account } from '../accounts.ts';
import { answer, read, staffWith } from '../../../../kernel/api/endpoint.ts';
import {
  boolean,
  date,
  id,
  integer,
  listOf,
  money,
  object,
  oneOf,
  text,
} from '../../../../kernel/base/fields/kinds.ts';
import { checkRange, rangeQuery, type Range } from './range.ts';
import { lastClosed, sumsOf, totalsOf, transactionsOf, type AccountTotal } from './balance.ts';
import { namesOf, ratesOf } from './names.ts';
import { taxTotals } from './taxes.ts';
import { wireMoney } from '../../../../kernel/base/values/money.ts';
import type { Reading } from '../checks.ts';

/** Accounts of what the business owes to customers, and what it keeps for them. */
const LIABILITIES = ['credit', 'credit_held', 'unapplied', 'gift_card'] as const satisfies readonly Account[];

const sums = { opening: money(), debits: money(), credits: money(), closing: money() };

const shape = {
  from: date(),
  to: date(),
  is_closed: boolean().describe('Whether all of these days are in closed accounting periods.'),
  transactions: integer().describe('Number of posted ledger transactions.'),
  accounts: listOf(
    object({
      account: oneOf(ACCOUNTS),
      detail: text().nullable(),
      name: text().nullable().describe('The name of what `detail` is the id of. Otherwise null.'),
      code: text().nullable().describe('Your own account code. Null if there is none.'),
      ...sums,
    }),
  ).describe('Every account with a balance or a posting. A balance of debits is more than zero, of credits less.'),
  totals: object(sums).describe('All accounts together. Debits and credits are the same, and both balances are zero.'),
  revenue: listOf(object({ type: oneOf(LINE_TYPES), amount: money() })).describe(
    'Earned amount by type of invoice line, less the amount taken back. Before tax.',
  ),
  tax: listOf(
    object({
      purchase_fee: id(),
      name: text(),
      rate: text()
        .nullable()
        .describe('For example `20%`, as it was when it was charged. Null for a tax that is an amount.'),
      base: money().describe('The net amounts that it was charged on: prices before tax, and taxable fees.'),
      amount: money(),
    }),
  ).describe(
    'Each tax at each of its rates: what it was charged on and what was charged, less what credit notes took back. The amounts of a tax sum to what was posted on its account.',
  ),
  clearing: listOf(
    object({ payment_processor: id(), name: text(), received: money(), paid_out: money(), balance: money() }),
  ).describe('Amounts that each payment processor received, less those returned to customers or their banks.'),
  cash: listOf(
    object({ payment_processor: id(), name: text(), put_in: money(), taken_out: money(), balance: money() }),
  ).describe('Cash put into each drawer besides payments, and taken out besides refunds.'),
  liabilities: listOf(
    object({ account: oneOf(LIABILITIES), opening: money(), change: money(), closing: money() }),
  ).describe('Amount that customers can still spend or get back. Here, an amount owed to customers is more than zero.'),
};

const earned = ({ credits, debits }: AccountTotal): number => credits - debits;

/** Returns the trial balance in minor units, for the interface and the command line. */
export async function trialBalance(work: Reading, range: Range) {
  const [totals, names] = [await totalsOf(work, range), await namesOf(work)];
  const [rates, taxes, closed] = [await ratesOf(work), await taxTotals(work, range), await lastClosed(work)];
  const of = (account: Account): readonly AccountTotal[] => totals.filter((one) => one.account === account);
  return {
    ...range,
    is_closed: closed !== null && closed.end_on >= range.to,
    transactions: await transactionsOf(work, range),
    accounts: totals.map((one) => ({
      account: one.account,
      detail: one.detail,
      name: names.name(one.account, one.detail),
      code: names.code(one.account, one.detail),
      ...amountsOf(one),
    })),
    totals: sumsOf(totals),
    revenue: of('revenue').map((one) => ({ type: one.detail!, amount: earned(one) })),
    tax: taxes.map(({ fee, rate, base, amount }) => ({
      purchase_fee: fee,
      name: rates.find(({ id: one }) => one === fee)!.name,
      rate: rate === null ? null : `${rate}%`,
      base,
      amount,
    })),
    clearing: of('clearing').map((one) => ({
      payment_processor: Number(one.detail),
      name: names.name('clearing', one.detail) ?? one.detail!,
      received: one.debits,
      paid_out: one.credits,
      balance: one.closing,
    })),
    cash: of('cash').map((one) => ({
      payment_processor: Number(one.detail),
      name: names.name('cash', one.detail) ?? one.detail!,
      put_in: one.debits,
      taken_out: one.credits,
      balance: one.closing,
    })),
    liabilities: LIABILITIES.map((account) => {
      const { opening, closing } = sumsOf(of(account));
      return { account, opening: 0 - opening, change: opening - closing, closing: 0 - closing };
    }),
  };
}

const amountsOf = ({ opening, debits, credits, closing }: AccountTotal) => ({ opening, debits, credits, closing });

/** Fields whose numbers are amounts. */
const AMOUNTS = new Set([
  'opening',
  'debits',
  'credits',
  'closing',
  'amount',
  'base',
  'received',
  'paid_out',
  'put_in',
  'taken_out',
  'balance',
  'change',
]);

/** Returns the value with its amounts formatted by `print`. */
export function withAmounts(value: unknown, print: (minor: number) => unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => withAmounts(one, print));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      AMOUNTS.has(name) && typeof one === 'number' ? print(one) : withAmounts(one, print),
    ]),
  );
}

export const trialBalanceEndpoint = read({
  path: '/ledger/trial_balance',
  summary: 'Get the trial balance of a period',
  description: 'The totals that a journal of the same days must match.',
  replica: true,
  who: staffWith('super_admin', 'revenue'),
  query: rangeQuery,
  returns: answer(shape),
  run: async ({ work, query }) => {
    const { currency } = work.tenant;
    return withAmounts(await trialBalance(work, checkRange(query)), (minor) => wireMoney({ minor, currency }));
  },
});
