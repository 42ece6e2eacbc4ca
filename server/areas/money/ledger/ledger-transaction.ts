/** The ledger in a readable form. */
import { ACCOUNTS } from './accounts.ts';
import { embedded, group, id, instant, money, oneOf, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { may } from '../../../kernel/work/access/viewer.ts';
import { raw } from '../../../kernel/base/db/sql.ts';
import { resource, type Policy, type Shown } from '../../../kernel/api/resource.ts';

/** Prices are visible to staff who look after customers or money; customers see those of objects that they see. */
export const PRICES: Shown = { provider: ['customers', 'customer_payments', 'revenue'] };

const visible: Policy = {
  provider: (_t, viewer) => may(viewer, 'revenue'),
  customer: false,
  unregistered: false,
};

export const ledgerLine = resource('ledger_line', {
  description: 'A debit or a credit of one account.',
  fields: {
    id: id(),
    account: oneOf(ACCOUNTS),
    detail: text()
      .nullable()
      .describe(
        'Which one, where the business has several accounts of this name: the id of the payment processor for `clearing` and `cash`, the type of invoice line for `revenue`, the id of the fee for `fee` and `tax`. Otherwise null.',
      ),
    customer: ref('customer').nullable().describe('Customer who owns the account. Null for accounts of the business.'),
    amount: money()
      .from((t) => raw(`${t}.amount_minor`))
      .describe('More than zero for a debit, less than zero for a credit.'),
  },
  visible,
});

export const ledgerTransaction = resource('ledger_transaction', {
  description:
    'Something that happened to money. Its debits and credits come to zero. It is never changed or deleted: a mistake is corrected by an opposite transaction.',
  fields: {
    id: id(),
    kind: text().describe('Kind of event, for example `invoice_issued`. It happens once to each object.'),
    about: group({
      object: text().from((t) => raw(`${t}.object`)),
      id: id().from((t) => raw(`${t}.object_id`)),
    }).describe('Object that it happened to: its type and id.'),
    explanation: text(),
    lines: embedded('ledger_line', { column: 'transaction_id' }),
    posted_at: instant(),
  },
  visible,
});
