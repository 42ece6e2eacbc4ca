import { CANCEL_REASONS } from './rules/decide.ts';
import { CONFIRMS_ON } from './settings.ts';
import { id, instant, money, oneOf, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { may, viewingCustomer } from '../../../kernel/work/access/viewer.ts';
import { PRICES } from '../../money/account-entries/index.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import type { Row } from '../../../kernel/base/db/rows.ts';
import { resource } from '../../../kernel/api/resource.ts';

export const STATUSES = ['pending', 'confirmed', 'cancelled'] as const;

const firstName = (column: string) => (t: string) =>
  sql`(SELECT p.first_name FROM customer p
    WHERE p.provider_id = ${raw(t)}.provider_id AND p.id = ${raw(`${t}.${column}`)})`;

const mine = (column: string) => (t: string) => sql`${raw(`${t}.${column}`)} = ${viewingCustomer}::bigint`;

export const referral = resource('referral', {
  description:
    'Somebody signed up with the code of a customer. Customers see their own: of the other person, they see the first name.',
  fields: {
    id: id(),
    status: oneOf(STATUSES),
    referrer: ref('customer', 'referrer_id').describe('The customer whose code it was. Null for others.'),
    referrer_first_name: text().nullable().from(firstName('referrer_id')),
    customer: ref('customer').describe('The customer who signed up. Null for others.'),
    customer_first_name: text().nullable().from(firstName('customer_id')),
    confirms_on: oneOf(CONFIRMS_ON).describe('Action of the new customer that confirms it.'),
    confirmed_by: oneOf([...CONFIRMS_ON, 'staff']).nullable(),
    cancel_reason: oneOf(CANCEL_REASONS).nullable().describe('Why it does not count. Null if it does.'),
    referrer_credit: money()
      .from((t) => raw(`${t}.referrer_credit_minor`))
      .describe('The account credit that the customer got whose code it was.'),
    customer_credit: money()
      .from((t) => raw(`${t}.customer_credit_minor`))
      .describe('The account credit that the new customer got.'),
    discount_code: text()
      .nullable()
      .from(
        (t) =>
          sql`
            (SELECT d.code FROM discount_code d WHERE d.provider_id = ${raw(t)}.provider_id
              AND d.id = ${raw(t)}.discount_code_id)`,
      )
      .describe('The code that the new customer got. Null if they got none.'),
    customer_membership: ref('customermembership', 'customer_membership_id')
      .nullable()
      .describe('The free membership that the new customer got. Null if they got none.'),
    confirmed_at: instant().nullable(),
    cancelled_at: instant().nullable(),
    created_at: instant(),
  },
  visible: {
    provider: (_t, viewer) => may(viewer, 'customers', 'customer_payments'),
    customer: (t) => sql`(${mine('referrer_id')(t)} OR ${mine('customer_id')(t)})`,
    unregistered: false,
  },
  shown: {
    referrer: { customer: mine('referrer_id') },
    customer: { customer: mine('customer_id') },
    referrer_credit: { provider: PRICES.provider, customer: mine('referrer_id') },
    customer_credit: { provider: PRICES.provider, customer: mine('customer_id') },
    discount_code: { customer: mine('customer_id') },
    customer_membership: { customer: mine('customer_id') },
  },
});

export type ReferralRow = Row<'referral'>;
