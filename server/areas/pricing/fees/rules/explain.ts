/** A price in words: named amounts, as a tree in which the parts of an amount add up to it. Pure. */
import { amountText } from '../../../../kernel/base/values/money.ts';
import { percentOf, type FeeLine, type PercentFee, type Price } from './price.ts';
import type { Priced } from './lines.ts';

/** A named amount and its calculation; its parts add up to it. */
export interface Explained {
  readonly name:
    | 'total'
    | 'line'
    | 'pre_tax_price'
    | 'list_price'
    | 'discount'
    | 'included_taxes'
    | 'fee'
    | 'tax'
    | 'rounding';
  readonly amount: number;
  readonly text: string;
  readonly parts: readonly Explained[];
}

/** `VAT: 20% of £40.00`. */
export function lineText({ fee, base, amount, included, explanation }: FeeLine, currency: string): string {
  if (explanation !== undefined) return explanation;
  const say = (minor: number) => amountText({ minor, currency });
  const rate = fee.type === 'percent' ? percentText(fee.rate) : '';
  if (included > 0) {
    const part = included === amount ? 'included in the price' : `${say(included)} of it included in the price`;
    return rate ? `${fee.name}: ${rate}, ${part}` : `${fee.name}, ${part}`;
  }
  if (fee.type === 'flat') return fee.name;
  const bound = isBounded(fee) ? boundText(percentOf(base, fee.rate), amount, say) : '';
  // Joined, because a template's text is only assembled when it is printed, which costs more than everything else.
  return [fee.name, ': ', rate, ' of ', say(base), bound].join('');
}

const isBounded = ({ minAmount, maxAmount }: PercentFee): boolean => minAmount !== null || maxAmount !== null;

const boundText = (exact: number, amount: number, say: (minor: number) => string): string =>
  amount === exact ? '' : `, ${amount > exact ? 'at least' : 'at most'} ${say(amount)}`;

/** Formats a rate as a percentage without the sign: `8.875`. */
export const rateText = (rate: number): string => String(rate / 10_000);

/** Formats a rate as a percentage: `8.875%`. */
const percentText = (rate: number): string => `${rateText(rate)}%`;

const leaf = (name: Explained['name'], amount: number, text: string): Explained => ({ name, amount, text, parts: [] });

/** Returns nothing if the amount is 0. */
const unlessZero = (name: Explained['name'], amount: number, text: string): Explained[] =>
  amount === 0 ? [] : [leaf(name, amount, text)];

/** Explains the price of one purchase. */
export function explainPrice(price: Price, currency: string): Explained {
  const parts: Explained[] = [
    {
      name: 'pre_tax_price',
      amount: price.preTax,
      text: 'Price before fees and taxes',
      parts: [
        leaf('list_price', price.listPrice, price.includedTaxes === 0 ? 'List price' : 'List price, including taxes'),
        ...unlessZero('discount', -price.discount, 'Discount'),
        ...unlessZero('included_taxes', -price.includedTaxes, 'Taxes included in the price, listed below'),
      ],
    },
    ...price.lines.map((line) => leaf(line.fee.kind, line.amount, lineText(line, currency))),
    ...unlessZero('rounding', price.rounding, 'Rounding'),
  ];
  return { name: 'total', amount: price.total, text: 'Total', parts };
}

/** Explains several purchases; `names`: the name of each line. */
export function explainLines({ lines, totals }: Priced, names: readonly string[], currency: string): Explained {
  const parts = lines.map((line, i): Explained => ({ ...explainPrice(line, currency), name: 'line', text: names[i] }));
  return { name: 'total', amount: totals.total, text: 'Total', parts };
}
