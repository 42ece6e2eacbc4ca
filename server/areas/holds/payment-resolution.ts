import { action, answer, type Who } from '../../kernel/api/endpoint.ts';
import { boolean, date, integer, money, object, oneOf, text } from '../../kernel/api/kinds.ts';
import { customerMembershipHold } from './hold.ts';
import { PRICES } from '../entitlements/index.ts';
import { STRATEGIES, type Decided } from './rules/payment.ts';
import { wireMoney } from '../../kernel/values/money.ts';

/** It is all about money. */
const who: Who = { provider: PRICES.provider!, customer: true, unregistered: false };

const period = {
  start_date: date(),
  end_date: date().describe('The last day.'),
  price: money().describe('Of this period, were there no hold.'),
  billed: boolean().describe('It is paid at its beginning as every period is; false: the membership rests by then.'),
  total_days: integer({ min: 1 }),
  held_days: integer({ min: 0 }),
  active_days: integer({ min: 0 }),
  max_uses: integer({ min: 0 }).nullable().describe('Null unless it is prorated by `usage`.'),
  used_count: integer().nullable(),
  prorated_max_uses: integer({ min: 0 }).nullable(),
};

export const showPaymentResolution = action({
  method: 'GET',
  path: '/customer_membership_holds/{id}/payment_resolution',
  summary: 'Say what a hold gives back and charges',
  description: 'As it was decided when the hold was made or changed last; `dry_run` of both answers with the same. The amounts are kept as adjustments: `GET /membership_adjustments`.',
  who,
  target: customerMembershipHold,
  returns: answer({
    prorate_strategy: oneOf(STRATEGIES).describe('`usage`: by what may be used; `none`: nothing is prorated.'),
    start_billing_period: object({ ...period, credit: money() }).nullable().named('StartBillingPeriod').describe('The billing period in which the hold begins, and what is given back of it; null: there are no periods.'),
    reactivation_billing_period: object({ ...period, charge: money(), due_date: date().nullable().describe('Null: nothing is charged.') })
      .nullable()
      .named('ReactivationBillingPeriod')
      .describe('The billing period in which the membership is active again, and what is charged for the rest of it; null: nobody knows it yet, or the membership ends before.'),
    resolution: object({
      type: oneOf(['charge', 'credit', 'none']),
      amount: money().describe('Never negative.'),
      due_date: date().nullable().describe('Null: there is nothing.'),
      credit: money(),
      charge: money(),
      explanation: text(),
    })
      .named('Resolution')
      .describe('Both taken together.'),
  }),
  run: async ({ work, target }) => {
    const { strategy, start, reactivation, resolution } = target.resolution as Decided;
    const amount = (minor: number) => wireMoney({ minor, currency: work.tenant.currency });
    return {
      prorate_strategy: strategy,
      start_billing_period: start && { ...start, price: amount(start.price), credit: amount(start.credit) },
      reactivation_billing_period: reactivation && { ...reactivation, price: amount(reactivation.price), charge: amount(reactivation.charge) },
      resolution: { ...resolution, amount: amount(resolution.amount), credit: amount(resolution.credit), charge: amount(resolution.charge) },
    };
  },
});
