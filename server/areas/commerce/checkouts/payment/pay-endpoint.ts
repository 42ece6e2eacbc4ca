import { action, one } from '../../../../kernel/api/endpoint.ts';
import { boolean, id, moneyText, text } from '../../../../kernel/base/fields/kinds.ts';
import { BOOKING_PROBLEMS } from '../../../scheduling/schedule/index.ts';
import { CHANGES } from '../change-checkouts.ts';
import { checkPaidNow, isOfWalkIn } from '../walk-in.ts';
import { checkActsFor } from '../../../people/customers/index.ts';
import { checkout } from '../checkout.ts';
import { CHECKOUT_PROBLEMS } from '../problems.ts';
import { driveIfAvailable } from './sync-payments.ts';
import { invalid } from '../../../../kernel/base/problem.ts';
import { checkoutOfPath } from '../rows.ts';
import { MEMBERSHIP_PROBLEMS } from '../../../memberships/customer-memberships/index.ts';
import { minorOf } from '../../../../kernel/api/amount.ts';
import { pay } from './pay.ts';
import { paysAtDesk } from '../../../platform/providers/index.ts';
import { checkReturnTo } from './return-to.ts';
import { SCENARIOS } from '../../../money/payments/index.ts';
import { whoChecksOut } from '../find-checkouts.ts';

export const payCheckout = action({
  path: '/checkouts/{id}/pay',
  summary: 'Pay a checkout',
  description:
    'Calculates the price again, and pays it. If nothing is left to pay, or the payment succeeds immediately, the checkout comes back `completed`. If the payer has to do something on a page of the payment processor, it comes back `pending` with the address in `next_action`. If the payment processor hasn’t answered yet, it comes back `pending` without one, and the payment continues on its own. If the payment fails, it comes back `open`, with the reason in `payment_error`. A dry run returns the checkout as it would be after a payment that succeeds, and everything that would happen.',
  who: whoChecksOut,
  target: checkout,
  body: {
    payment_processor: id()
      .nullable()
      .optional()
      .describe('Payment processor for the remaining amount. Required unless nothing is left to pay.'),
    payment_method: id().nullable().optional().describe('A saved payment method of the payer.'),
    save_payment_method: boolean().optional().describe('Whether the payer wants the payment method to be saved.'),
    total: moneyText()
      .optional()
      .describe('The total that the payer agreed to. If the total has changed since, nothing is paid.'),
    pay_later: boolean()
      .optional()
      .describe(
        'The customer gets everything now and pays the invoice at the desk later. Customers can send it only if the business allows it with `customers_pay_at_desk`.',
      ),
    return_to: text({ max: 2000 })
      .optional()
      .describe(
        'URL to which the payment processor’s page returns the browser. If left out, the `return_to` of the checkout.',
      ),
    scenario: text({ max: 50 })
      .nullable()
      .optional()
      .describe(`For the sandbox: how the payment goes. One of: ${Object.keys(SCENARIOS).join(', ')}.`),
  },
  problems: [
    ...CHANGES,
    CHECKOUT_PROBLEMS.checkout_empty,
    CHECKOUT_PROBLEMS.price_changed,
    ...BOOKING_PROBLEMS,
    ...Object.values(MEMBERSHIP_PROBLEMS),
  ],
  returns: one(checkout),
  run: async ({ work, target, body, dryRun, pagesUrl, grant }) => {
    const row = checkoutOfPath(target);
    await checkActsFor(work, row.customer_id);
    if (await isOfWalkIn(work, row)) checkPaidNow(body);
    if (body.pay_later && work.viewer.mode !== 'provider' && !(await paysAtDesk(work)))
      throw invalid('pay_later', 'Choose how you want to pay now: you can’t pay at the desk here.');
    // A page of ours, which calls without a credential, names itself.
    if (body.return_to !== undefined && (grant !== null || !body.return_to.startsWith('/')))
      await checkReturnTo(work, body.return_to);
    const back = body.return_to ?? row.return_to ?? `/account/${work.providerId}`;
    const returnTo = back.startsWith('/') ? `${pagesUrl}${back}` : back;
    const refused = await pay(work, row, {
      total: body.total === undefined ? undefined : minorOf('total', body.total, work.tenant.currency),
      processor: body.payment_processor,
      method: body.payment_method,
      saveMethod: body.save_payment_method,
      scenario: body.scenario,
      later: body.pay_later,
      returnTo,
      cancelTo: returnTo,
      asIfPaid: dryRun,
    });
    return refused ?? row.id;
  },
  afterwards: driveIfAvailable,
});
