import { createCustomerMembership } from './writes.ts';
import { create, staffWith } from '../../../kernel/api/endpoint.ts';
import { customerMembership } from './customer-membership.ts';
import { boolean, date, moneyText, ref } from '../../../kernel/base/fields/kinds.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import { minorOf } from '../../../kernel/api/amount.ts';

export const createMembershipOfCustomer = create(customerMembership, {
  path: '/customer_memberships',
  summary: 'Give a customer a membership',
  description:
    'For sales at the desk, or to record a sale made elsewhere. The customer must be allowed to buy it. If there are several reasons against it, all of them are returned.',
  // Customers buy on a page, which checks what they may buy and collects the price.
  who: staffWith('super_admin', 'customers'),
  body: {
    membership: ref('membership'),
    customer: ref('customer'),
    plan: ref('membership_payment_plan')
      .nullable()
      .optional()
      .describe('For recurring plans. Can be left out if only one plan is for sale.'),
    payment_plan: ref('membership_payment_plan').nullable().optional().describe('Another name for `plan`.'),
    start_date: date()
      .nullable()
      .optional()
      .describe('If left out or null: today, or the date that the membership sets.'),
    expiration_date: date()
      .nullable()
      .optional()
      .describe('The last day. If left out or null, the one that the membership or its plan sets.'),
    bill_first_period: boolean()
      .default(false)
      .describe(
        'True if the first billing period of a recurring plan is invoiced, false if it was paid with the sale.',
      ),
    billed_price: moneyText().optional().describe('If left out, the price at which it is sold.'),
  },
  run: ({ work, body }) => {
    const { plan, payment_plan: samePlan } = body;
    if (plan && samePlan && plan !== samePlan)
      throw invalid('payment_plan', 'This is another name for `plan`. Send only one of the two.');
    return createCustomerMembership(work, {
      membership: body.membership,
      customer: body.customer,
      plan: plan ?? samePlan,
      startDate: body.start_date,
      expirationDate: body.expiration_date,
      firstPeriodDue: body.bill_first_period,
      price:
        body.billed_price === undefined ? undefined : minorOf('billed_price', body.billed_price, work.tenant.currency),
    });
  },
});
