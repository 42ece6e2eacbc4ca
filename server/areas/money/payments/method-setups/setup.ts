/** Setups of payment methods: a customer saves a card or an account without paying anything. */
import { filter, listAndGet } from '../../../../kernel/api/endpoint.ts';
import { id, instant, listOf, oneOf, ref, text, uri } from '../../../../kernel/base/fields/kinds.ts';
import { may } from '../../../../kernel/work/access/viewer.ts';
import { ofMyPurse } from '../../../people/customers/index.ts';
import { PAYMENT_STATES } from '../rules/states.ts';
import { raw, sql } from '../../../../kernel/base/db/sql.ts';
import { resource } from '../../../../kernel/api/resource.ts';
import { TAKERS, whoSees } from '../shown.ts';

export const methodSetup = resource('payment_method_setup', {
  description: 'A customer saves a payment method on a page of the payment processor, without a payment.',
  fields: {
    id: id(),
    customer: ref('customer').describe('The customer who saves it.'),
    payment_processor: ref('payment_processor'),
    status: oneOf(PAYMENT_STATES).describe(
      '`action_required`: the customer has to do something at `action_url`. `pending`: the bank has not confirmed the method yet.',
    ),
    action_url: uri(4000)
      .nullable()
      .describe('URL where the customer enters the payment method. Null unless they have to do something.'),
    failure: text({ max: 500 }).nullable().describe('Why it failed, for the customer. Null if it did not fail.'),
    payment_method: ref('payment_method').nullable().describe('The saved payment method. Null if none is saved.'),
    created_at: instant(),
    updated_at: instant(),
  },
  visible: {
    provider: (_t, viewer) => may(viewer, ...TAKERS),
    customer: (t) => ofMyPurse(`${t}.customer_id`),
    unregistered: false,
  },
});

export const findSetups = listAndGet(methodSetup, {
  path: '/payment_method_setups',
  summary: 'List payment methods that customers are saving',
  get: 'Get a payment method that a customer is saving',
  description: 'Including those that failed. Customers see those of their family.',
  who: whoSees,
  filters: {
    customer: filter(listOf(id()), (t, wanted) => sql`${raw(`${t}.customer_id`)} = ANY(${wanted}::bigint[])`),
  },
  sort: { id: { by: (t) => raw(`${t}.id`) } },
});
