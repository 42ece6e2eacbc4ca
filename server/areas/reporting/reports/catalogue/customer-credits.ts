/** Account credit: one row for each change. */
import { anyOf, customerColumns, within } from './common.ts';
import { column, report } from '../report.ts';
import { instant, money, text } from '../../../../kernel/base/fields/kinds.ts';
import { raw } from '../../../../kernel/base/db/sql.ts';

export const customerCreditsReport = report('customer_credits', {
  title: 'account credit',
  description: 'Every change of the account credit of customers, and what they had after it.',
  who: ['revenue', 'customer_payments'],
  from: 'ledger_line l',
  joins: {
    t: raw('JOIN ledger_transaction t ON t.provider_id = l.provider_id AND t.id = l.transaction_id'),
    c: raw('JOIN customer c ON c.provider_id = l.provider_id AND c.id = l.customer_id'),
  },
  where: raw(`l.account = 'credit'`),
  id: 'l.id',
  venue: null,
  columns: {
    ...customerColumns('c'),
    created_at: column(instant(), 't.posted_at', 'When it changed.', { always: true }),
    amount: column(money(), '(-l.amount_minor)', 'By how much; less than zero if it was spent or expired.'),
    balance: column(
      money(),
      `(SELECT -sum(x.amount_minor) FROM ledger_line x
        WHERE x.provider_id = l.provider_id AND x.customer_id = l.customer_id AND x.account = 'credit'
          AND x.id <= l.id)`,
      'Balance of the customer afterwards.',
      { sortable: false },
    ),
    memo: column(text(), 't.explanation', 'Why.'),
  },
  sort: '-created_at',
  customer: 'customer.id',
  filters: { ...within('created_at', 't.posted_at'), customers: anyOf('l.customer_id') },
});
