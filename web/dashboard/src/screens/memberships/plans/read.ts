/** A membership for its page and its form, with the version that was read. */
import { useQuery } from '@tanstack/react-query';
import type { ItemOf } from 'rollcall-sdk';
import { clientOf } from '../../../app/client.ts';
import { keyOf, useCall } from '../../../app/calls.ts';
import { useBusiness } from '../../../app/business.ts';

export const TYPES = ['pack', 'prepaid_plan', 'recurring_plan'] as const;

/** Higher than the number that any business sells. */
const MAX_ROWS = 200;

export const MEMBERSHIP_FIELDS = [
  'id',
  'type',
  'name',
  'description',
  'category.id',
  'category.name',
  'order',
  'for_sale',
  'visible_to_customers',
  'purchasable_only_by_provider',
  'new_customers_only',
  'allow_repeat_purchases',
  'shareable',
  'shared_with_families',
  'customers_can_hold',
  'max_holds_per_year',
  'max_hold_days_per_year',
  'min_allowed_age',
  'max_allowed_age',
  'one_time_fee',
  'display_price',
  'begin_on_first_registration',
  'duration',
  'duration_unit',
  'start_date',
  'expiration_date',
  'use_prorate',
  'incomplete_reasons',
  'active_member_count',
  'archived_at',
] as const;

export type MembershipRead = ItemOf<'GET /memberships', (typeof MEMBERSHIP_FIELDS)[number]>;

/** Returns the membership with its `etag`, for `ifMatch` of a change that names the same fields. */
export function useMembership(id: number) {
  const { id: business } = useBusiness();
  const asked = { params: { id }, fields: MEMBERSHIP_FIELDS };
  return useQuery({
    queryKey: keyOf(business, 'GET /memberships/{id}', { ...asked, etag: true }),
    queryFn: async ({ signal }) => {
      const { value, etag } = await clientOf(business)
        .call('GET /memberships/{id}', { ...asked, signal })
        .answer();
      return { membership: value, etag };
    },
  });
}

export const useCategories = () =>
  useCall('GET /membership_categories', { query: { page_size: MAX_ROWS }, fields: ['id', 'name'] });

/** Reads the payment plans of a recurring plan. */
export const usePaymentPlans = (membership: number, enabled = true) =>
  useCall(
    'GET /membership_payment_plans',
    {
      query: { membership, page_size: MAX_ROWS },
      fields: [
        'id',
        'status',
        'price',
        'billing_period_length',
        'billing_period_unit',
        'committed_billing_periods',
        'commitment_expiration_scheme',
        'fixed_billing_day_of_month',
        'fixed_billing_day_of_week',
        'cancellation_notice_days',
      ],
    },
    { enabled },
  );

export type PaymentPlan = NonNullable<ReturnType<typeof usePaymentPlans>['data']>['results'][number];
