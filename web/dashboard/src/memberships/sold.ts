/** Memberships as they are sold at the desk: a recurring plan once for each of its payment plans. */
import type { AskedOf, Money } from 'rollcall-sdk';
import { amountOf } from '../words/times.ts';
import { planName } from './plan-name.ts';
import { useCall } from '../app/calls.ts';

type Query = NonNullable<AskedOf<'GET /memberships', never, never>['query']>;

export interface SoldMembership {
  readonly key: string;
  readonly name: string;
  /** formatted; empty if it has none */
  readonly price: string;
  /** the item of a checkout */
  readonly item: { readonly membership: number; readonly plan?: number };
}

interface Shown {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly price: Money | null;
  readonly plans: readonly (Parameters<typeof planName>[0] & { readonly id: number; readonly status: string })[];
}

/** Returns the memberships that match the query and are on sale. */
export function useSoldMemberships(query: Query, options: { readonly enabled?: boolean } = {}) {
  const { data, ...rest } = useCall(
    'GET /memberships',
    {
      query: { ...query, for_sale: true, archived: false, is_draft: false, sort: ['order'] },
      fields: [
        'id',
        'name',
        'type',
        'price',
        'plans.id',
        'plans.status',
        'plans.price',
        'plans.billing_period_length',
        'plans.billing_period_unit',
      ],
      expand: ['plans'],
    },
    options,
  );
  return { ...rest, sold: (data?.results ?? []).flatMap(waysOf) };
}

function waysOf({ id, name, type, price, plans }: Shown): SoldMembership[] {
  if (type !== 'recurring_plan')
    return [{ key: String(id), name, price: price ? amountOf(price) : '', item: { membership: id } }];
  return plans
    .filter(({ status }) => status === 'for_sale')
    .map((plan) => ({
      key: `${id} ${plan.id}`,
      name,
      price: planName(plan),
      item: { membership: id, plan: plan.id },
    }));
}
