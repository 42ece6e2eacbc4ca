/** Amounts of pay rates in requests and responses. */
import { Field } from '../../../kernel/base/fields/field.ts';
import { formatDecimal } from '../../../kernel/base/values/money.ts';
import { integer, listOf, number, object, text } from '../../../kernel/base/fields/kinds.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import { minorOf } from '../../../kernel/api/amount.ts';
import { raw } from '../../../kernel/base/db/sql.ts';
import type { Tier } from './rules/pay.ts';

/** Maximum of one amount in minor units: even with the maximum number of customers, sums stay exact integers. */
const MAX_MINOR = 10_000_000_000;
const MAX_CUSTOMERS = 100_000;
const MAX_TIERS = 20;

/** Returns an amount of a rate in minor units; refused by the name of its property. */
export function rateAmount(property: string, amount: string, currency: string): number {
  const minor = minorOf(property, amount, currency);
  if (minor <= MAX_MINOR) return minor;
  throw invalid(property, `Must be ${formatDecimal({ minor: MAX_MINOR, currency })} or less.`);
}

const bounds = {
  lower_bound: integer({ min: 1, max: MAX_CUSTOMERS }).describe('The number of the first customer in it, from 1.'),
  upper_bound: integer({ min: 1, max: MAX_CUSTOMERS })
    .nullable()
    .describe('The number of the last customer in it. Null for all further ones.'),
};

const shownAmount = object({ amount: number(), currency: text() });

export interface SentTier {
  readonly lower_bound: number;
  readonly upper_bound?: number | null;
  readonly per_customer_amount: string;
}

/**
 * Returns the field for an amount as a decimal, or in the format of responses. Its value is the text, until the
 * currency is known.
 */
const sentAmount = (): Field<string> =>
  new Field<string>({
    schema: { anyOf: [{ type: 'string', pattern: '^[0-9]{1,12}([.][0-9]{1,4})?$' }, shownAmount.spec.schema] },
    read: (input, path, { issues, back }) => {
      const given = typeof input === 'object' && input !== null && back ? amountIn(input, back.currency) : input;
      return typeof given === 'string' && /^\d{1,12}(\.\d{1,4})?$/.test(given)
        ? given
        : issues.add(path, 'Must be an amount, for example "10.99".');
    },
  }).describe('Amount that each of them adds, for example "2.50".');

/**
 * Returns the text of an amount in the format of responses; one in another currency is returned unchanged, and refused
 * later.
 */
function amountIn(input: object, currency: string): unknown {
  const { amount, currency: code } = input as Record<string, unknown>;
  return code === currency.toLowerCase() && typeof amount === 'number' ? String(amount) : input;
}

export const sentTiers = () =>
  listOf(
    object({
      lower_bound: bounds.lower_bound,
      upper_bound: bounds.upper_bound.optional(),
      per_customer_amount: sentAmount(),
    }),
    { max: MAX_TIERS },
  );

export const shownTiers = () =>
  listOf(object({ ...bounds, per_customer_amount: shownAmount }), { max: MAX_TIERS }).computed(
    (t) => [raw(`${t}.tiers`)],
    ([tiers], { currency }) => tiers && printTiers(JSON.parse(tiers), currency),
  );

/** Formats stored tiers for responses. */
export const printTiers = (tiers: readonly Tier[], currency: string) =>
  tiers.map(({ from, to, minor }) => ({
    lower_bound: from,
    upper_bound: to,
    per_customer_amount: {
      amount: Number(formatDecimal({ minor, currency })),
      currency: currency.toLowerCase(),
    },
  }));
