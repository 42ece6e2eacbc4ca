import {
  boolean,
  date,
  embeddedOne,
  id,
  instant,
  integer,
  listOf,
  oneOf,
  text,
} from '../../../kernel/base/fields/kinds.ts';
import { CODE_PURCHASE_TYPES } from './rules/code.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { resource } from '../../../kernel/api/resource.ts';
import { shownAmount } from './amount-field.ts';

export const STATUSES = ['active', 'inactive'] as const;
export const DISCOUNT_TYPES = ['flat', 'percent'] as const;

/** The highest count that the database allows. */
const MAX_USES = 1_000_000_000;
/** One hundred years of months. */
const MAX_CYCLES = 1200;

const limit = () => integer({ min: 1, max: MAX_USES });

export const discountCodeGroup = resource('discount_code_group', {
  description: 'Discount codes that belong together, for example all codes of one campaign.',
  fields: { id: id(), name: text({ max: 100 }), created_at: instant(), updated_at: instant() },
  visible: { provider: true, customer: false, unregistered: false },
});

export const discountCode = resource('discount_code', {
  description: 'A code that customers enter in a checkout to pay less.',
  fields: {
    id: id(),
    name: text({ max: 100 }).describe('Name for staff. Customers see it on invoices.'),
    code: text({ max: 20, pattern: /[^\s-]/, hint: 'Must contain at least one letter or digit.' }).describe(
      'Code that customers enter. Upper and lower case, spaces and dashes make no difference.',
    ),
    status: oneOf(STATUSES),
    uses: integer().describe('Number of uses in completed checkouts.'),
    reserved_uses: integer().describe(
      'Number of uses reserved by open checkouts. They are released if the checkout is not completed.',
    ),
    allowed_uses: limit().nullable().describe('Maximum number of uses in total. Null if there is no limit.'),
    allowed_uses_per_customer: limit()
      .nullable()
      .describe(
        'Maximum number of uses for each customer; a family counts as one customer. Null if there is no limit.',
      ),
    discount_type: oneOf(DISCOUNT_TYPES),
    discount_amount: shownAmount(),
    usable_start_date: date()
      .nullable()
      .describe('First day on which it can be used, in the time zone of the business. Null if there is none.'),
    usable_end_date: date().nullable().describe('Last day on which it can be used. Null if there is none.'),
    usable_purchase_types: listOf(oneOf(CODE_PURCHASE_TYPES), { min: 1, max: CODE_PURCHASE_TYPES.length })
      .from((t) => sql`to_jsonb(${raw(t)}.usable_purchase_types)`)
      .describe('Purchases that it can be used for.'),
    usable_by_new_customers_only: boolean().describe(
      'Whether it is only for households in which nobody has held a membership or come to an event.',
    ),
    usable_by_default_for_purchase_types: boolean().describe(
      'True: it is for everything of these purchase types, except what an applicability excludes. False: it is only for what an applicability allows.',
    ),
    applicable_billing_cycles: integer({ min: 0, max: MAX_CYCLES }).describe(
      'Recurring plans only: the number of discounted billing periods, including the first. 0 means all of them.',
    ),
    group: embeddedOne('discount_code_group', (t) => raw(`${t}.group_id`))
      .nullable()
      .describe('Null if it belongs to no group.'),
    created_at: instant(),
    updated_at: instant(),
  },
  visible: { provider: true, customer: false, unregistered: false },
});
