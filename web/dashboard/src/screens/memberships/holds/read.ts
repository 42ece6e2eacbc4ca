/** Holds as the interface returns them, and their display names. */
import { nameOf } from '../../../app/customers.ts';
import { usePages } from '../../../app/pages.ts';

export const WHICH = ['open', 'active', 'upcoming', 'ended', 'all'] as const;
const STATES = { open: ['active', 'upcoming'], active: ['active'], upcoming: ['upcoming'], ended: ['ended'] } as const;

export const useHolds = (which: (typeof WHICH)[number], customer: number | null) =>
  usePages(
    'GET /customer_membership_holds',
    {
      query: {
        ...(which !== 'all' && { status: [...STATES[which]] }),
        ...(customer !== null && { customer: [customer] }),
        sort: ['start_date', 'id'],
        page_size: 50,
      },
      fields: [
        'id',
        'status',
        'start_date',
        'end_date',
        'made_by',
        'extend_expirations',
        'customer_membership.id',
        'customer_membership.name',
        'customer_membership.expiration_date',
        'customer_membership.customer.id',
        'customer_membership.customer.first_name',
        'customer_membership.customer.last_name',
      ],
    },
    { keep: true },
  );

export type HoldRead = NonNullable<ReturnType<typeof useHolds>['data']>['pages'][number]['results'][number];

/** Returns the customer and the membership. */
export const holdName = ({ customer_membership: owned }: HoldRead): string =>
  [owned?.customer && nameOf(owned.customer), owned?.name].filter(Boolean).join(': ');
