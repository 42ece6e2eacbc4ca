/** The amount of a code: money for a flat discount, a number for a percentage. */
import { Field } from '../../../kernel/base/fields/field.ts';
import { MONEY_SCHEMA } from '../../../kernel/base/fields/kinds.ts';
import { raw } from '../../../kernel/base/db/sql.ts';
import { wireMoney } from '../../../kernel/base/values/money.ts';

const DECIMAL = /^\d{1,12}(\.\d{1,4})?$/;

/**
 * Returns the field of a request: a decimal, as a string or a number. Its value stays text until the type and the
 * currency are known.
 */
export const discountAmount = (): Field<string> =>
  new Field<string>({
    schema: { type: ['string', 'number'], pattern: '^[0-9]{1,12}([.][0-9]{1,4})?$' },
    read: (input, path, { issues, back }) => {
      const given = back ? amountIn(input, back.currency) : input;
      const decimal = typeof given === 'number' ? String(given) : given;
      return typeof decimal === 'string' && DECIMAL.test(decimal)
        ? decimal
        : issues.add(path, 'Must be a decimal, for example "10.00".');
    },
  }).describe('An amount such as "10.00" of a flat discount, or a percentage such as "12.5".');

/** Returns the text of an amount as responses contain it. */
function amountIn(input: unknown, currency: string): unknown {
  if (typeof input !== 'object' || input === null) return input;
  const { string, iso_currency_code: code } = input as Record<string, unknown>;
  return code === currency.toLowerCase() ? string : input;
}

/** Returns the field of a response. */
export const shownAmount = (): Field<unknown> =>
  new Field<unknown>({
    schema: { anyOf: [MONEY_SCHEMA, { type: 'number' }] },
    read: (_input, path, { issues }) => issues.add(path, 'This field is read-only.'),
  })
    .computed(
      (t) => [raw(`${t}.discount_percent`), raw(`${t}.discount_minor`)],
      ([percent, minor], { currency }) =>
        percent === null ? wireMoney({ minor: Number(minor), currency }) : Number(percent),
    )
    .describe('Money for a flat discount, a number for a percentage.');
