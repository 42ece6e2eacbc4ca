/** Memberships for sale, as the interface shows them to the reader. */
import { formsBeforePurchase, formsForMembership } from '../../../agreements/customer-fields/index.ts';
import type { Ask, Entry, Person, ShownPlan } from '../../frame/index.ts';
import { moneyOf, type Money } from '../../../../kernel/base/values/money.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

export interface Plan {
  readonly id: number;
  readonly price: Money;
  readonly every: { readonly length: number; readonly unit: 'days' | 'weeks' | 'months' };
  readonly joiningFee: Money | null;
  readonly terms: ShownPlan;
}

export interface Sold {
  readonly id: number;
  readonly type: 'pack' | 'prepaid_plan' | 'recurring_plan';
  readonly name: string;
  readonly description: string;
  /** null: its payment plans have prices */
  readonly price: Money | null;
  readonly plans: readonly Plan[];
  readonly newOnly: boolean;
  readonly single: boolean;
  readonly atDesk: boolean;
  readonly shareable: boolean;
  /** customers can put it on hold */
  readonly pausable: boolean;
  readonly valid: { readonly length: number; readonly unit: 'days' | 'weeks' | 'months' } | null;
}

const PLANS =
  'plans.id,plans.status,plans.price,plans.joining_fee,plans.billing_period_length,plans.billing_period_unit,plans.committed_billing_periods,plans.commitment_expiration_scheme,plans.cancellation_notice_days,plans.fixed_billing_day_of_month,plans.fixed_billing_day_of_week' as const;
const SHOWN =
  `id,type,name,description,price,is_dropin,new_customers_only,purchasable_only_by_provider,duration,duration_unit,shareable,customers_can_hold,${PLANS}` as const;
const MAX_ROWS = 100;

export async function soldMemberships(ask: Ask): Promise<readonly Sold[]> {
  const { results } = await ask('GET /memberships', {
    query: { fields: SHOWN, expand: 'plans', for_sale: true, page_size: MAX_ROWS },
  });
  return results.map(soldOf);
}

/** @throws Problem 404 */
export const soldMembership = async (ask: Ask, id: number): Promise<Sold> =>
  soldOf(await ask('GET /memberships/{id}', { params: { id }, query: { fields: SHOWN, expand: 'plans' } }));

/** Returns the names of the forms that anyone who buys has to answer first; null: nothing is known about the reader. */
export async function askedBefore(
  at: Pick<Work, 'tx' | 'providerId' | 'now'>,
  membership: number,
  buyers: readonly Person[] | null,
): Promise<readonly string[]> {
  if (buyers === null) return formsForMembership(at, membership);
  const wanted = buyers.map(({ id: customer }) => ({ customer, membership }));
  return [...new Set((await formsBeforePurchase(at, wanted)).map(({ title }) => title))];
}

const soldOf = (one: Entry<'GET /memberships', typeof SHOWN, 'plans'>): Sold => ({
  id: one.id,
  type: one.type,
  name: one.name,
  description: one.description,
  price: one.type === 'recurring_plan' || one.price === null ? null : moneyOf(one.price),
  plans: one.plans
    .filter(({ status }) => status === 'for_sale')
    .map((plan) => ({
      id: plan.id,
      price: moneyOf(plan.price),
      every: { length: plan.billing_period_length, unit: plan.billing_period_unit },
      joiningFee: plan.joining_fee && moneyOf(plan.joining_fee.amount),
      terms: plan,
    })),
  newOnly: one.new_customers_only,
  single: one.is_dropin,
  atDesk: one.purchasable_only_by_provider,
  shareable: one.shareable,
  pausable: one.customers_can_hold,
  valid: one.duration === null ? null : { length: one.duration, unit: one.duration_unit },
});
