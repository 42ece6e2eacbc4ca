/** The history of a customer's account credit: every line of the account, for people to read. */
import { ofMyPurse } from '../../people/customers/index.ts';
import { group, id, instant, listOf, money, text } from '../../../kernel/base/fields/kinds.ts';
import { filter, list } from '../../../kernel/api/endpoint.ts';
import { may } from '../../../kernel/work/access/viewer.ts';
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { PRICES } from './ledger-transaction.ts';
import { resource } from '../../../kernel/api/resource.ts';

const ofTransaction =
  (column: string) =>
  (t: string): Sql =>
    sql`(SELECT ${raw(`x.${column}`)} FROM ledger_transaction x
      WHERE x.provider_id = ${raw(t)}.provider_id AND x.id = ${raw(t)}.transaction_id)`;

const isCredit = (t: string): Sql => raw(`${t}.account = 'credit'`);

export const creditMovement = resource('credit_movement', {
  description: 'A change of the account credit of a customer.',
  table: 'ledger_line',
  fields: {
    id: id(),
    amount: money()
      .from((t) => raw(`(-${t}.amount_minor)`))
      .describe('More than zero if there was more to spend afterwards.'),
    kind: text()
      .from(ofTransaction('kind'))
      .describe(
        'Kind of event, for example `account_entry_created` or `invoice_credit_applied`. `checkout_credit_held` sets credit aside while a payment is in progress, and `checkout_credit_released` returns it.',
      ),
    about: group({ object: text().from(ofTransaction('object')), id: id().from(ofTransaction('object_id')) }),
    explanation: text().from(ofTransaction('explanation')),
    posted_at: instant().from(ofTransaction('posted_at')),
  },
  visible: {
    provider: (t, viewer) => may(viewer, 'customers', 'customer_payments', 'revenue') && isCredit(t),
    customer: (t) => sql`(${isCredit(t)} AND ${ofMyPurse(`${t}.customer_id`)})`,
    unregistered: false,
  },
});

export const creditHistory = list(creditMovement, {
  path: '/credit_movements',
  summary: 'List the changes of account credit',
  description:
    'The latest first. Those of a customer sum to `credit` of the account balance. Customers see their own and those of their family.',
  who: { provider: ['super_admin', ...PRICES.provider!], customer: true, unregistered: false },
  filters: {
    customer: filter(listOf(id()), (t, wanted) => sql`${raw(t)}.customer_id = ANY(${wanted}::bigint[])`),
  },
  sort: { id: { by: (t) => raw(`${t}.id`) } },
  defaultSort: '-id',
});
