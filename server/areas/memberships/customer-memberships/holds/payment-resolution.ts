import { answer, read, type Who } from '../../../../kernel/api/endpoint.ts';
import { boolean, date, integer, money, object, oneOf, text } from '../../../../kernel/base/fields/kinds.ts';
import { customerMembershipHold } from './hold.ts';
import { PRICES } from '../../../money/account-entries/index.ts';
import { STRATEGIES, type Decided } from './rules/payment.ts';
import { wireMoney } from '../../../../kernel/base/values/money.ts';

/** All of its fields are about money. */
const who: Who = { provider: PRICES.provider!, customer: true, unregistered: false };

const period = {
  start_date: date(),
  end_date: date().describe('The last day.'),
  price: money().describe('The price of this period without the hold.'),
  billed: boolean().describe(
    'True if it is paid at its start like every other period. False if the membership is on hold by then.',
  ),
  total_days: integer({ min: 1 }),
  held_days: integer({ min: 0 }),
  active_days: integer({ min: 0 }),
  max_uses: integer({ min: 0 }).nullable().describe('Null unless the payment is prorated by `usage`.'),
  used_count: integer().nullable(),
  prorated_max_uses: integer({ min: 0 }).nullable(),
};

export const showPaymentResolution = read({
  path: '/customer_membership_holds/{id}/payment_resolution',
  summary: 'Get what a hold gives back and charges',
  description:
    'As calculated when the hold was created or last changed; a `dry_run` of either returns the same. The amounts are recorded as account entries: `GET /account_entries`.',
  who,
  target: customerMembershipHold,
  returns: answer({
    prorate_strategy: oneOf(STRATEGIES).describe('`usage`: prorated by the uses. `none`: nothing is prorated.'),
    start_billing_period: object({ ...period, credit: money() })
      .nullable()
      .named('StartBillingPeriod')
      .describe(
        'The billing period in which the hold starts, and what is given back for it. Null if there are no billing periods.',
      ),
    reactivation_billing_period: object({
      ...period,
      charge: money(),
      due_date: date().nullable().describe('Null if nothing is charged.'),
    })
      .nullable()
      .named('ReactivationBillingPeriod')
      .describe(
        'The billing period in which the membership becomes active again, and what is charged for the rest of it. Null if this is not known yet, or if the membership ends before.',
      ),
    resolution: object({
      type: oneOf(['charge', 'credit', 'none']),
      amount: money().describe('Never negative.'),
      due_date: date().nullable().describe('Null if there is no amount.'),
      credit: money(),
      charge: money(),
      explanation: text(),
    })
      .named('Resolution')
      .describe('The credit and the charge together.'),
  }),
  run: async ({ work, target }) => {
    const { strategy, start, reactivation, resolution } = target.resolution as Decided;
    const amount = (minor: number) => wireMoney({ minor, currency: work.tenant.currency });
    return {
      prorate_strategy: strategy,
      start_billing_period: start && { ...start, price: amount(start.price), credit: amount(start.credit) },
      reactivation_billing_period: reactivation && {
        ...reactivation,
        price: amount(reactivation.price),
        charge: amount(reactivation.charge),
      },
      resolution: {
        ...resolution,
        amount: amount(resolution.amount),
        credit: amount(resolution.credit),
        charge: amount(resolution.charge),
      },
    };
  },
});
