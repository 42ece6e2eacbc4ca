/** A customer's balances: what they owe, and what they can spend. */
import { answer, read } from '../../../kernel/api/endpoint.ts';
import { checkSeesMoney, customer, ofMyPurse } from '../../people/customers/index.ts';
import { money, ref } from '../../../kernel/base/fields/kinds.ts';
import { PRICES } from './ledger-transaction.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { wireMoney } from '../../../kernel/base/values/money.ts';
import type { CustomerAccount } from './accounts.ts';
import type { Properties, Shown } from '../../../kernel/api/resource.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Parents who share a family don't see each other's balances. */
const OF_PURSE: Shown = { ...PRICES, customer: (t) => ofMyPurse(`${t}.id`) };

export const customerProperties: Properties = {
  fields: {
    credit_balance: money()
      .from(
        (t) =>
          sql`
            coalesce((SELECT -b.amount_minor FROM customer_balance b
              WHERE b.provider_id = ${raw(t)}.provider_id AND b.customer_id = ${raw(t)}.id AND b.account = 'credit'),
                0)`,
      )
      .deferred()
      .describe('Account credit that can be spent.'),
    amount_owed: money()
      .from(
        (t) =>
          sql`
            greatest(0, coalesce((SELECT sum(b.amount_minor) FROM customer_balance b
              WHERE b.provider_id = ${raw(t)}.provider_id AND b.customer_id = ${raw(t)}.id
                AND b.account IN ('receivable', 'unbilled')), 0))::bigint`,
      )
      .deferred()
      .describe('Amount left to pay of their invoices, and of charges that are not on an invoice yet.'),
  },
  shown: { credit_balance: OF_PURSE, amount_owed: OF_PURSE },
};

const balance = read({
  path: '/customers/{id}/account_balance',
  summary: 'Get the account balance of a customer',
  description:
    'Balance of a customer: the amount owed, and the amount they can spend. Customers see their own, and those of the children for whom they pay.',
  who: { provider: ['super_admin', ...PRICES.provider!], customer: true, unregistered: false },
  target: customer,
  returns: answer({
    customer: ref('customer'),
    owed: money().describe('Amount left to pay of their invoices.'),
    unbilled: money().describe(
      'Charges less credits that no invoice has yet. Less than zero if the credits are more than the charges.',
    ),
    credit: money().describe('Account credit that can be spent.'),
    held_credit: money().describe('Account credit that a checkout is about to spend.'),
    unapplied: money().describe('Payments that could not be used for anything. They are being refunded.'),
  }),
  run: async ({ work, target }) => {
    await checkSeesMoney(work, target.id);
    const balances = await balancesOf(work, target.id);
    const { currency } = work.tenant;
    const of = (account: CustomerAccount, sign: 1 | -1 = 1) =>
      wireMoney({ minor: sign * balances(account) + 0, currency });
    return {
      customer: target.id,
      owed: of('receivable'),
      unbilled: of('unbilled'),
      credit: of('credit', -1),
      held_credit: of('credit_held', -1),
      unapplied: of('unapplied', -1),
    };
  },
});

/** Returns the balances with the ledger's sign: a debit is more than zero. */
async function balancesOf({ tx, providerId }: Work, id: number): Promise<(account: CustomerAccount) => number> {
  const rows = await tx.rows<{ account: CustomerAccount; amount: number }>(
    sql`SELECT account, amount_minor AS amount FROM customer_balance
      WHERE provider_id = ${providerId} AND customer_id = ${id}`,
  );
  return (account) => rows.find((row) => row.account === account)?.amount ?? 0;
}

export const customerEndpoints = [balance];
