import { action, one } from '../../../kernel/api/endpoint.ts';
import { boolean, id, moneyText, text } from '../../../kernel/api/kinds.ts';
import { BOOKING_PROBLEMS } from '../../scheduling/schedule/index.ts';
import { CHANGES } from './change-checkouts.ts';
import { checkActsFor } from '../../people/customers/index.ts';
import { checkout } from './checkout.ts';
import { CHECKOUT_PROBLEMS } from './problems.ts';
import { drive } from './drive.ts';
import { invalid } from '../../../kernel/api/problem.ts';
import { lockCheckout } from './rows.ts';
import { MEMBERSHIP_PROBLEMS } from '../../memberships/customer-memberships/index.ts';
import { minorOf } from '../../../kernel/api/amount.ts';
import { pay } from './pay.ts';
import { SCENARIOS } from '../../money/payments/index.ts';
import { whoChecksOut } from './find-checkouts.ts';

export const payCheckout = action({
  path: '/checkouts/{id}/pay',
  summary: 'Pay a checkout',
  description:
    'Prices everything once more, and pays it. If nothing is left to pay, or the payment succeeds immediately, the checkout comes back `completed`. If the payer has to do something on a page of the payment processor, it comes back `pending` with the address in `next_action`. If the payment fails, it comes back `open`, with the reason in `payment_error`. A dry run returns the checkout as it would be after a payment that succeeds, and everything that would happen.',
  who: whoChecksOut,
  target: checkout,
  body: {
    payment_processor: id()
      .nullable()
      .optional()
      .describe('How the rest is paid. Needed unless nothing is left to pay.'),
    payment_method: id().nullable().optional().describe('A saved payment method of the payer.'),
    save_payment_method: boolean().optional().describe('Whether the payer wants the payment method to be saved.'),
    total: moneyText()
      .optional()
      .describe('The total that the payer agreed to. If the total is another one by now, nothing is paid.'),
    pay_later: boolean()
      .optional()
      .describe('For staff: the customer gets everything now and pays the invoice at the desk later.'),
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
  run: async ({ work, target, body, dryRun, pagesUrl }) => {
    const row = await lockCheckout(work, target.id);
    await checkActsFor(work, row.customer_id);
    if (body.pay_later && work.viewer.mode !== 'provider')
      throw invalid('pay_later', { staff: 'Only for staff.', customer: 'Please choose how you want to pay now.' });
    const back = row.return_to ?? `/account/${work.providerId}`;
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
  afterwards: drive,
});
