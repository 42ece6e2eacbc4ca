import { boolean, id, idsOf, instant, listOf, money, oneOf, text } from '../../../kernel/base/fields/kinds.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { resource } from '../../../kernel/api/resource.ts';
import { PURCHASE_TYPES } from './rules/price.ts';

export const venueLink = { table: 'purchase_fee_venue', parent: 'purchase_fee_id', child: 'venue_id' };

const amount = (column: string) => money().from((t) => raw(`${t}.${column}`));

/** Returns a field of text, like amounts, so that no precision is lost. */
export const percentage = () =>
  text({
    max: 8,
    pattern: /^(100(\.0{1,4})?|\d{1,2}(\.\d{1,4})?)$/,
    hint: 'Must be a percentage from 0 to 100 with at most four decimals, for example "8.875".',
  });

export const purchaseFee = resource('purchase_fee', {
  description: 'A fee or a tax that is added to prices.',
  fields: {
    id: id(),
    name: text({ max: 100 }).describe('Name that customers see, for example VAT.'),
    description: text({ max: 1000 }).nullable(),
    kind: oneOf(['fee', 'tax']).describe(
      'Taxes are charged on the price and on taxable fees. Fees are charged on the price.',
    ),
    type: oneOf(['percent', 'flat']),
    percentage: percentage()
      .from((t) => sql`trim_scale(${raw(t)}.percentage)::text`)
      .nullable()
      .describe('Percentages only. Null for a flat amount.'),
    amount: amount('amount_minor')
      .nullable()
      .describe('Flat fees and taxes only: the amount for each piece. Null for a percentage.'),
    min_amount: amount('min_amount_minor')
      .nullable()
      .describe('A percentage comes to at least this. Null if there is no minimum.'),
    max_amount: amount('max_amount_minor')
      .nullable()
      .describe('A percentage comes to at most this. Null if there is no maximum.'),
    is_taxable: boolean().describe('Whether taxes are charged on this fee. Always false for taxes.'),
    purchase_types: listOf(oneOf(PURCHASE_TYPES), { min: 1, max: PURCHASE_TYPES.length })
      .from((t) => sql`to_jsonb(${raw(t)}.purchase_types)`)
      .describe('Purchases that it is charged on.'),
    venues: idsOf('venue', venueLink).describe(
      'Only purchases for these venues are charged. Empty if the venue does not matter.',
    ),
    archived_at: instant().nullable().describe('An archived fee is not charged any more.'),
    created_at: instant(),
    updated_at: instant(),
  },
  visible: { provider: true, customer: false, unregistered: false },
});
