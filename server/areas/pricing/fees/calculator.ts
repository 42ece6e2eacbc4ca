import { answer, calculate, EVERYONE } from '../../../kernel/api/endpoint.ts';
import { amountText, wireMoney } from '../../../kernel/base/values/money.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import { listOf, money, moneyText, object, oneOf, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { minorOf } from '../../../kernel/api/amount.ts';
import { lineText } from './rules/explain.ts';
import { priceForTotal, priceOf, PURCHASE_TYPES, type Price, type PurchaseType } from './rules/price.ts';
import { readFees, type FeeBook } from './facts.ts';
import type { Tenant } from '../../../kernel/work/unit/work.ts';

const DRY_RUN = 'It only calculates.';

const plain = {
  purchase_type: oneOf(PURCHASE_TYPES),
  pre_tax_price: moneyText().optional(),
  post_tax_price: moneyText().optional(),
  venue: ref('venue').optional(),
};

const asked = {
  purchase_type: plain.purchase_type,
  pre_tax_price: plain.pre_tax_price.describe('The price before fees and taxes. Send this or `post_tax_price`.'),
  post_tax_price: plain.post_tax_price.describe('The price with fees and taxes. Send this or `pre_tax_price`.'),
  venue: plain.venue.describe('Includes the fees and taxes that are charged only at this venue.'),
};

interface Asked {
  readonly purchase_type: PurchaseType;
  readonly pre_tax_price?: string;
  readonly post_tax_price?: string;
  readonly venue?: number;
}

const calculated = {
  pre_tax_price: money(),
  post_tax_price: money(),
  fee_line_items: listOf(object({ amount: money(), description: text() })).describe(
    'Every fee and tax, in the order in which they are charged. The price before tax and these sum to the price after tax.',
  ),
};

const DESCRIPTION =
  'Calculates the fees and taxes on a price, in either direction. Some totals don’t belong to any price, because every fee and tax is rounded on its own. Then the difference is listed as a line called Rounding.';

const calculateOne = calculate({
  path: '/fees_calculator',
  summary: 'Calculate fees and taxes',
  description: DESCRIPTION,
  who: EVERYONE,
  body: asked,
  returns: answer(calculated),
  dryRun: DRY_RUN,
  run: async ({ reads, tenant, body }) =>
    printed(tenant, priceAsked(tenant, await readFees(reads, tenant.providerId), body, '')),
});

const calculateMany = calculate({
  path: '/fees_calculator/bulk',
  summary: 'Calculate fees and taxes for several prices',
  description: DESCRIPTION,
  who: EVERYONE,
  body: { items: listOf(object(plain), { min: 1, max: 100 }).describe('Each as in `POST /fees_calculator`.') },
  returns: answer({ results: listOf(object(calculated)) }),
  dryRun: DRY_RUN,
  run: async ({ reads, tenant, body: { items } }) => {
    const book = await readFees(reads, tenant.providerId);
    return { results: items.map((item, index) => printed(tenant, priceAsked(tenant, book, item, `items.${index}.`))) };
  },
});

/** `at`: the path in the body, for refusals. */
function priceAsked({ currency }: Tenant, book: FeeBook, { purchase_type, venue, ...sent }: Asked, at: string): Price {
  const { pre_tax_price: before, post_tax_price: after } = sent;
  const fees = book.for(purchase_type, venue ?? null);
  const minor = (name: keyof typeof sent, amount: string) => minorOf(`${at}${name}`, amount, currency);
  if (before !== undefined && after !== undefined)
    throw invalid(`${at}post_tax_price`, 'Send either pre_tax_price or post_tax_price, not both.');
  if (before !== undefined) return priceOf(minor('pre_tax_price', before), 0, fees);
  if (after === undefined) throw invalid(`${at}pre_tax_price`, 'Send either this or post_tax_price.');
  const total = minor('post_tax_price', after);
  const price = priceForTotal(total, fees);
  if (price) return price;
  const say = (amount: number) => amountText({ minor: amount, currency });
  throw invalid(
    `${at}post_tax_price`,
    `No price comes to ${say(total)} with the fees that apply. The lowest price above 0 comes to ${say(priceOf(1, 0, fees).total)}.`,
  );
}

function printed({ currency }: Tenant, { preTax, total, lines, rounding }: Price) {
  const amount = (minor: number) => wireMoney({ minor, currency });
  return {
    pre_tax_price: amount(preTax),
    post_tax_price: amount(total),
    fee_line_items: [
      ...lines.map((line) => ({ amount: amount(line.amount), description: lineText(line, currency) })),
      ...(rounding === 0 ? [] : [{ amount: amount(rounding), description: 'Rounding' }]),
    ],
  };
}

export const calculator = [calculateOne, calculateMany];
