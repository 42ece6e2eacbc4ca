/** The memberships of the demo studio, their holders, and bookings that are paid with them. */
import { addDays, formatWall } from '../kernel/base/values/zone.ts';
import { createCustomerMembership } from '../areas/memberships/customer-memberships/index.ts';
import {
  createGrant,
  createMembership,
  createMembershipCategory,
  createPaymentPlan,
  setAllotment,
  type Allotment,
  type NewMembership,
} from '../areas/memberships/memberships/index.ts';
import type { Work } from '../kernel/work/unit/work.ts';

const SOLD = {
  visible_to_customers: true,
  purchasable_only_by_provider: false,
  new_customers_only: false,
  allow_repeat_purchases: true,
};

type Limit = Allotment['limits'][number];
const limit = (period: Limit['period'], maxUses: number): Limit => ({
  period,
  maxUses,
  rollOver: 0,
  offeringTypes: [],
});

/** Ids of what the studio sells; `plan`: how the club is paid. */
export type Sold = Readonly<Record<'pack' | 'month' | 'club' | 'plan', number>>;

/**
 * Sells three memberships that are limited to one offering type, so that everything else can be tried without one.
 * `holders`: one of the pack, two of the club, one of the month.
 */
export async function sellMemberships(
  work: Work,
  offering: number,
  [first, second, third, fourth]: readonly number[],
): Promise<Sold> {
  const category = await createMembershipCategory(work, { name: 'Passes' });
  const make = async (
    values: Omit<NewMembership, 'category' | keyof typeof SOLD>,
    limits: readonly Limit[],
  ): Promise<number> => {
    const id = await createMembership(work, { ...SOLD, ...values, category });
    await setAllotment(work, { id, type: values.type }, { types: ['event'], ignoreNoShows: false, limits });
    await createGrant(work, { membership: id, registration_option: offering, on_allotment_price: '0.00' });
    return id;
  };
  const pack = await make(
    {
      type: 'pack',
      name: 'Ten reformer classes',
      description: 'Good for half a year, and to be shared.',
      one_time_fee: '240.00',
      duration: 6,
      duration_unit: 'months',
      shareable: true,
    },
    [limit('total', 10)],
  );
  const month = await make(
    {
      type: 'prepaid_plan',
      name: 'Reformer month',
      description: 'As often as you like.',
      one_time_fee: '160.00',
      duration: 1,
      duration_unit: 'months',
    },
    [],
  );
  const club = await make(
    { type: 'recurring_plan', name: 'Reformer club', description: 'Eight classes every month.' },
    [limit('billing_period', 8)],
  );
  const plan = await createPaymentPlan(work, {
    membership: club,
    price: '120.00',
    billing_period_length: 1,
    billing_period_unit: 'months',
    committed_billing_periods: 3,
    cancellation_notice_days: 14,
    commitment_expiration_scheme: 'continue_by_period',
  });
  const today = formatWall(work.now, work.tenant.zone).slice(0, 10);
  await createCustomerMembership(work, { membership: pack, customer: first });
  await createCustomerMembership(work, { membership: club, customer: second, plan, startDate: addDays(today, -20) });
  await createCustomerMembership(work, { membership: club, customer: third, plan });
  await createCustomerMembership(work, { membership: month, customer: fourth });
  return { pack, month, club, plan };
}
