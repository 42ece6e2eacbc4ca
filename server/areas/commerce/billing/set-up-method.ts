/** Saving a payment method without a payment, and charging a recurring plan to it from then on. */
import { one, outside } from '../../../kernel/api/endpoint.ts';
import { checkActsFor } from '../../people/customers/index.ts';
import { checkReturnTo } from '../checkouts/index.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import { lockRows } from '../../../kernel/work/unit/row.ts';
import { methodSetup, SCENARIOS, startSetup, syncSetup, type MethodUser } from '../../money/payments/index.ts';
import { peopleOf, useMethod, who } from './subscriptions.ts';
import { ref, text } from '../../../kernel/base/fields/kinds.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { Row } from '../../../kernel/base/db/rows.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

type SubscriptionRow = Row<'payment_subscription'>;

const NAME = 'payment_subscription';

/** Charges a recurring plan to a method that was just saved for it. */
export const subscriptionMethods: MethodUser = {
  name: NAME,
  description: 'Charges a recurring plan to the method, and tries a failed payment again.',
  async lock(work, about) {
    await lockRows(work, 'payment_subscription', [about]);
  },
  async use(work, about, method) {
    const row = await work.tx.one<SubscriptionRow>(
      sql`SELECT * FROM payment_subscription WHERE provider_id = ${work.providerId} AND id = ${about}`,
    );
    if (!row) return;
    work.touch('payment_subscription', about, row);
    const { customer } = await peopleOf(work, row.customer_membership_id);
    await useMethod(work, row, customer, method);
  },
};

export const setUpMethod = outside({
  path: '/payment_method_setups',
  summary: 'Save a payment method without a payment',
  description:
    'Returns the address of a page of the payment processor in `action_url`, where the customer enters a card or an account. Afterwards, the browser returns to `return_to` with `payment_method_setup` set to the id: get it again to see what became of it.',
  who,
  dryRun: 'A page of the payment processor is opened.',
  body: {
    customer: ref('customer').describe('The customer who saves it.'),
    payment_processor: ref('payment_processor').describe('One that saves payment methods.'),
    payment_subscription: ref('payment_subscription')
      .nullable()
      .optional()
      .describe(
        'A recurring plan of the customer or of their family. Its next payments are charged to the new payment method, and a payment that has failed is tried again immediately.',
      ),
    return_to: text({ max: 2000 }).describe(
      'An https address on a site of the business (its `domains`, or the `domain` of one of its applications), or one of the addresses that the application is registered with.',
    ),
    scenario: text({ max: 50 })
      .nullable()
      .optional()
      .describe(`For the sandbox: how it goes. One of: ${Object.keys(SCENARIOS).join(', ')}.`),
  },
  problems: ['permission_denied'],
  returns: one(methodSetup),
  run: async (call) => {
    const { body, grant, pagesUrl } = call;
    const { customer, payment_subscription: subscription, return_to: back } = body;
    const id = await call.transact(async (work) => {
      await checkActsFor(work, customer);
      // A page of ours, which calls without a credential, names itself.
      if (grant !== null || !back.startsWith('/')) await checkReturnTo(work, back);
      if (subscription) await checkPlan(work, subscription, customer);
      const returnTo = `${back.startsWith('/') ? pagesUrl : ''}${back}`;
      return startSetup(work, {
        processor: body.payment_processor,
        customer,
        user: subscription ? { name: NAME, id: subscription } : null,
        returnTo: `${returnTo}${returnTo.includes('?') ? '&' : '?'}payment_method_setup={setup}`,
        scenario: body.scenario,
      });
    });
    await syncSetup(call, id);
    return call.transact((work) => call.show(work, id));
  },
});

/** Refuses a plan that is not of the customer, or of somebody for whom they pay. */
async function checkPlan(work: Work, subscription: number, customer: number): Promise<void> {
  const found = await work.tx.one<{ membership: number }>(
    sql`SELECT customer_membership_id AS membership FROM payment_subscription
      WHERE provider_id = ${work.providerId} AND id = ${subscription}`,
  );
  const people = found && (await peopleOf(work, found.membership));
  if (people?.customer !== customer && people?.payer !== customer)
    throw invalid('payment_subscription', 'Must be a recurring plan that this customer owns or pays for.');
}
