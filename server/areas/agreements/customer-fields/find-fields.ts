import { boolean, id, listOf, oneOf } from '../../../kernel/base/fields/kinds.ts';
import { choice, EVERYONE, filter, listAndGet, matchesNothing, type Who } from '../../../kernel/api/endpoint.ts';
import { customerField, customerFieldValue } from './customer-field.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';

const position = { by: (t: string) => raw(`${t}.position`) };
const asksNew = (t: string) => raw(`${t}.show_on_new_customer_form`);
const asksAny = (t: string) => raw(`(${t}.show_on_new_customer_form OR ${t}.show_on_customer_profile)`);

/** Staff, and customers for themselves and their family. */
export const whoAnswers: Who = { provider: true, customer: true, unregistered: false };

export const findFields = [
  ...listAndGet(customerField, {
    path: '/customer_fields',
    summary: 'List customer fields',
    get: 'Get a customer field',
    description: 'Customers and visitors see those that they are asked.',
    who: EVERYONE,
    filters: {
      applicable_scenario: choice(
        oneOf([
          'child_signup',
          'customer_registration',
          'learn_to_skate',
          'non_participating_parent',
          'participating_parent',
          'provider_new_customer_form',
        ]),
        {
          child_signup: asksAny,
          customer_registration: asksNew,
          learn_to_skate: () => raw('false'),
          non_participating_parent: asksNew,
          participating_parent: asksNew,
          provider_new_customer_form: asksNew,
        },
      ),
      archived: choice(boolean(), { true: (t) => raw(`${t}.archived`), false: (t) => raw(`NOT ${t}.archived`) }),
      forms: filter(
        listOf(id(), { max: 200 }).describe('Only fields on any of these forms.'),
        (t, forms) => sql`EXISTS (SELECT FROM customer_form_field l WHERE l.provider_id = ${raw(t)}.provider_id
          AND l.customer_field_id = ${raw(t)}.id AND l.customer_form_id = ANY(${forms}::bigint[]))`,
      ),
      include_virtual: filter(boolean().describe('Has no effect: there are no virtual fields.'), () => raw('true')),
      system_use: matchesNothing(
        oneOf(['date_of_birth', 'marketing_preference']).describe(
          'Returns nothing: these are properties of a customer, not fields.',
        ),
      ),
    },
    sort: { order: position, id: { by: (t) => raw(`${t}.id`) } },
    defaultSort: 'order',
  }),
  ...listAndGet(customerFieldValue, {
    path: '/customer_field_values',
    summary: 'List answers to customer fields',
    get: 'Get the answer to a customer field',
    who: whoAnswers,
    filters: {
      customers: filter(listOf(id(), { max: 100 }), (t, ids) => sql`${raw(t)}.customer_id = ANY(${ids}::bigint[])`),
      field: filter(listOf(id(), { max: 100 }), (t, ids) => sql`${raw(t)}.customer_field_id = ANY(${ids}::bigint[])`),
    },
    sort: { id: { by: (t) => raw(`${t}.id`) } },
    defaultSort: 'id',
  }),
];
