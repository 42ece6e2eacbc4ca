/** The tables of this area, and the treatment of each when a business moves or a person is erased. */
import {
  blanked,
  BOOKS,
  deleted,
  kept,
  ofBusiness,
  type Tables,
  type OfPerson,
} from '../../../kernel/base/db/table.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { purposeOf } from './context.ts';

const ofPayment = ({ ids }: OfPerson) =>
  sql`
    EXISTS (SELECT FROM payment p WHERE p.provider_id = t.provider_id AND p.id = t.payment_id
      AND p.customer_id = ANY(${ids}::bigint[]))`;

export const TABLES: Tables = {
  ...ofBusiness('payment_message', 'sandbox_dispute', 'sandbox_message', 'sandbox_refund'),
  payment: blanked(
    'payments',
    BOOKS,
    {
      return_to: sql`''`,
      cancel_to: sql`''`,
      action_url: sql`NULL`,
      failure: sql`CASE WHEN t.failure IS NOT NULL THEN 'Erased.' END`,
      trouble: sql`NULL`,
    },
    {
      unfinished: [
        {
          one: 'payment that is not finished',
          many: 'payments that are not finished',
          remedy: 'Wait until they are, or cancel them.',
          when: () => sql`t.status NOT IN ('failed', 'succeeded')`,
        },
      ],
      hidden: [
        'external',
        'action_url',
        'return_to',
        'cancel_to',
        'scenario',
        'next_at',
        'attempts',
        'hurried_at',
        'trouble',
      ],
    },
  ),
  payment_dispute: kept('disputed_payments', BOOKS, { rows: ofPayment, hidden: ['external'] }),
  payment_method: blanked(
    'saved_payment_methods',
    'The payment processor has to be told to forget them.',
    {
      holder: sql`NULL`,
      email: sql`NULL`,
      bank_name: sql`NULL`,
      brand: sql`NULL`,
      last_four: sql`NULL`,
      expiration_month: sql`NULL`,
      expiration_year: sql`NULL`,
    },
    {
      unfinished: [
        {
          one: 'saved payment method',
          many: 'saved payment methods',
          remedy: 'Remove them first, so that the payment processor forgets them.',
          when: () => sql`t.removed_at IS NULL`,
        },
      ],
      hidden: ['token', 'owner_token', 'next_at', 'attempts'],
    },
  ),
  payment_method_setup: deleted('payment_method_setups', {
    hidden: [
      'external',
      'action_url',
      'return_to',
      'scenario',
      'next_at',
      'attempts',
      'hurried_at',
      'used_by',
      'used_by_id',
    ],
  }),
  payment_processor: {
    sealed: { sealed: (row) => purposeOf(row.provider_id, row.id) },
  },
  payment_refund: kept('refunds', BOOKS, { rows: ofPayment, hidden: ['external', 'next_at', 'attempts', 'trouble'] }),
  sandbox_charge: blanked(
    'sandbox_charges',
    'The sandbox keeps its own book, as a processor elsewhere would.',
    { holder: sql`''`, return_to: sql`''`, cancel_to: sql`''` },
    {
      rows: ({ ids }) => sql`t.key IN (SELECT ${'payment:'} || p.id FROM payment p
        WHERE p.provider_id = t.provider_id AND p.customer_id = ANY(${ids}::bigint[]))`,
      internal: true,
    },
  ),
};
