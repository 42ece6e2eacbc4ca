/** Payment methods that customers have saved. */
import { boolean, group, id, instant, integer, oneOf, ref, text, listOf } from '../../../kernel/base/fields/kinds.ts';
import { checkActsFor, ofMyPurse } from '../../people/customers/index.ts';
import { filter, remove, listAndGet } from '../../../kernel/api/endpoint.ts';
import { may } from '../../../kernel/work/access/viewer.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { removeMethod } from './keep-method.ts';
import { resource } from '../../../kernel/api/resource.ts';
import { TAKERS, whoSees } from './shown.ts';

const TYPES = ['mandate', 'credit_card', 'payfast', 'offline', 'paypal', 'bank_account'] as const;

const kept = (t: string): Sql => raw(`${t}.removed_at IS NULL`);

const free = (t: string): Sql =>
  sql`
    NOT EXISTS (SELECT FROM payment p WHERE p.provider_id = ${raw(t)}.provider_id AND p.payment_method_id = ${raw(t)}.id
        AND p.status IN ('started', 'action_required', 'pending'))`;

const only = (...types: (typeof TYPES)[number][]) => `Only of ${types.map((type) => `\`${type}\``).join(' and ')}.`;

/** Names of methods that have neither a brand nor a bank. */
const CALLED = {
  paypal: 'PayPal',
  payfast: 'PayFast',
  mandate: 'Direct debit',
  bank_account: 'Bank account',
  credit_card: 'Card',
};

type Details = (string | null)[];
const columns = (t: string): Sql[] =>
  ['type', 'brand', 'bank_name', 'last_four', 'email', 'expiration_month', 'expiration_year'].map((c) =>
    raw(`${t}.${c}`),
  );

/** Returns the short name: `Visa 4242`, `PayPal ada@example.com`. */
const short = ([type, brand, bank, lastFour, email]: Details): string =>
  [brand ?? bank ?? CALLED[type as keyof typeof CALLED], lastFour ?? email].filter(Boolean).join(' ');

/** Returns the long name: `Visa ending in 4242, valid until 05/2028`. */
function long(details: Details): string {
  const [type, brand, bank, lastFour, email, month, year] = details;
  const name = short([type, brand, bank, null, lastFour === null ? email : null]);
  const ending = lastFour === null ? name : `${name} ending in ${lastFour}`;
  return month === null ? ending : `${ending}, valid until ${month.padStart(2, '0')}/${year}`;
}

const part = (type: string, column: string) => (t: string) =>
  raw(`CASE WHEN ${t}.type = '${type}' THEN ${t}.${column} END`);
const partOf = (types: string[], column: string) => (t: string) =>
  raw(`CASE WHEN ${t}.type IN (${types.map((type) => `'${type}'`).join(', ')}) THEN ${t}.${column} END`);

export const paymentMethod = resource('payment_method', {
  description:
    'A way to pay that a customer has saved. The payment processor keeps it: numbers of cards and accounts are never here.',
  fields: {
    id: id(),
    type: oneOf(TYPES),
    customer: ref('customer'),
    payment_processor: ref('payment_processor'),
    profile: group({
      name: text().from((t) =>
        raw(
          `(SELECT concat_ws(' ', owner.first_name, owner.last_name) FROM customer owner
            WHERE owner.provider_id = ${t}.provider_id AND owner.id = ${t}.customer_id)`,
        ),
      ),
    }).describe('The customer whose payment method it is.'),
    short_description: text().computed(columns, short),
    long_description: text().computed(columns, long),
    can_delete: boolean().from(free).describe('False while a payment with it is under way.'),
    brand: text().nullable().from(part('credit_card', 'brand')).describe(only('credit_card')),
    cardholder_name: text().nullable().from(part('credit_card', 'holder')).describe(only('credit_card')),
    last_four: text()
      .nullable()
      .from(partOf(['credit_card', 'bank_account'], 'last_four'))
      .describe(only('credit_card', 'bank_account')),
    expiration_month: integer().nullable().from(part('credit_card', 'expiration_month')).describe(only('credit_card')),
    expiration_year: integer().nullable().from(part('credit_card', 'expiration_year')).describe(only('credit_card')),
    bank_name: text()
      .nullable()
      .from(partOf(['mandate', 'bank_account'], 'bank_name'))
      .describe(only('mandate', 'bank_account')),
    account_holder_name: text().nullable().from(part('mandate', 'holder')).describe(only('mandate')),
    account_number_ending: text().nullable().from(part('mandate', 'last_four')).describe(only('mandate')),
    email: text().nullable().from(part('paypal', 'email')).describe(only('paypal')),
    created_at: instant(),
  },
  visible: {
    provider: (t, viewer) => may(viewer, ...TAKERS) && kept(t),
    customer: (t) => sql`${kept(t)} AND ${ofMyPurse(`${t}.customer_id`)}`,
    unregistered: false,
  },
  secret: ['token', 'owner_token'],
});

export const paymentMethodEndpoints = [
  ...listAndGet(paymentMethod, {
    path: '/payment_methods',
    summary: 'List payment methods',
    get: 'Get a payment method',
    description: 'Those that customers have saved. Customers see those of their family.',
    who: whoSees,
    filters: {
      customer: filter(listOf(id()), (t, wanted) => sql`${raw(`${t}.customer_id`)} = ANY(${wanted}::bigint[])`),
      payment_processor: filter(
        listOf(id()),
        (t, wanted) => sql`${raw(`${t}.payment_processor_id`)} = ANY(${wanted}::bigint[])`,
      ),
    },
    sort: { id: { by: (t) => raw(`${t}.id`) } },
  }),
  remove(paymentMethod, {
    path: '/payment_methods/{id}',
    summary: 'Delete a payment method',
    description: 'It can no longer be charged. The payment processor is asked to delete it.',
    who: whoSees,
    problems: ['conflict', 'permission_denied'],
    run: async ({ work, target }) => {
      await checkActsFor(work, target.customer_id);
      const busy = await work.tx.one(
        sql`SELECT FROM payment_method t WHERE t.provider_id = ${work.providerId} AND t.id = ${target.id}
          AND NOT (${free('t')})`,
      );
      if (busy)
        throw new Problem(
          'conflict',
          'A payment with this payment method is under way. Delete it when that has ended.',
        );
      await removeMethod(work, target.id, target.customer_id);
    },
  }),
];
