import { createCustomerMembership } from './writes.ts';
import { create, staffWith } from '../../kernel/api/endpoint.ts';
import { customerMembership } from './customer-membership.ts';
import { date, moneyText, ref } from '../../kernel/api/kinds.ts';
import { invalid } from '../../kernel/api/problem.ts';
import { minorOf } from '../../kernel/api/amount.ts';

export const createMembershipOfCustomer = create(customerMembership, {
  path: '/customer_memberships',
  summary: 'Give a customer a membership',
  description: 'At the desk, or as it was sold elsewhere. It may be had by whoever may buy it; everything against that is said at once.',
  who: staffWith('super_admin', 'customers'),
  body: {
    membership: ref('membership'),
    customer: ref('customer'),
    plan: ref('membership_payment_plan').nullable().optional().describe('Of a recurring plan; may be left out where there is only one for sale.'),
    payment_plan: ref('membership_payment_plan').nullable().optional().describe('Another name of `plan`.'),
    start_date: date().nullable().optional().describe('Left out or null: today, or what the membership says.'),
    expiration_date: date().nullable().optional().describe('The last day. Left out or null: what the membership or its plan says.'),
    billed_price: moneyText().optional().describe('Left out: as it is sold.'),
  },
  run: ({ work, body }) => {
    const { plan, payment_plan: samePlan } = body;
    if (plan && samePlan && plan !== samePlan) throw invalid('payment_plan', 'Is another name of `plan`: send one of both.');
    return createCustomerMembership(work, {
      membership: body.membership,
      customer: body.customer,
      plan: plan ?? samePlan,
      startDate: body.start_date,
      expirationDate: body.expiration_date,
      price: body.billed_price === undefined ? undefined : minorOf('billed_price', body.billed_price, work.tenant.currency),
    });
  },
});
