/** The memberships of a person and their family, and what can be done with each. */
import { forMembers, shownTo, at, type Business, type Desk, type Entry } from '../frame/index.ts';
import { asking, nameOf, type Asking } from './asking.ts';
import { membershipsPage, type Held } from './views/memberships.ts';
import { minorOf } from '../../../kernel/api/amount.ts';
import { seeOther } from '../../../kernel/pages/visit.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

const MAX_MEMBERSHIPS = 20;

const MEMBERSHIP =
  'id,name,status,customer,customers_can_hold,active_hold,start_date,allowed_cancellation_date,expiration_date,next_billing_date,billed_price,is_set_for_cancellation,unpaid_invoice,usage_summary';

/** A limit with an end date includes that day; a limit that never resets has none. */
type OwnMembership = Entry<'GET /customer_memberships', typeof MEMBERSHIP>;

const leftOf = ({ max_uses: most, remaining_count: left, end_date: until }: OwnMembership['usage_summary'][number]) =>
  most === null || left === null ? null : { left, most, until };

/**
 * Returns the holds only to people who act for the owner; a membership without a first day can't be put on hold yet.
 */
function holdsOf({ people }: Asking, one: OwnMembership): Held['holds'] {
  if (!people.some(({ id }) => id === one.customer)) return null;
  if (one.active_hold !== null) return { id: one.id, has: true };
  return one.customers_can_hold && one.start_date !== null && !one.is_set_for_cancellation
    ? { id: one.id, has: false }
    : null;
}

/** Returns the recurring plan that the person can end, or whose end they can see. */
const endOf = ({ people }: Asking, one: OwnMembership): Held['end'] =>
  people.some(({ id }) => id === one.customer) && one.allowed_cancellation_date !== null
    ? { id: one.id, set: one.is_set_for_cancellation }
    : null;

async function memberships(asking: Asking): Promise<Held[]> {
  const { today, currency } = asking;
  const { results } = await asking.ask('GET /customer_memberships', {
    query: {
      status: 'active,hold',
      fields: MEMBERSHIP,
      page_size: MAX_MEMBERSHIPS,
    },
  });
  return results.map((one): Held => ({
    name: one.name,
    forWhom: nameOf(asking, one.customer),
    onHold: one.status === 'hold',
    holds: holdsOf(asking, one),
    end: endOf(asking, one),
    unpaid: one.unpaid_invoice !== null,
    begins: one.start_date === null ? 'with_use' : one.start_date > today ? one.start_date : null,
    ends: one.expiration_date,
    endsForGood: one.is_set_for_cancellation,
    renewsOn: one.next_billing_date,
    price: { minor: minorOf('billed_price', shownTo(one.billed_price).string, currency), currency },
    uses: one.usage_summary.map(leftOf).filter((left) => left !== null),
  }));
}

export const membershipRoutes = (desk: Desk): PageRoute<Business>[] => [
  {
    path: '/{provider_id}/profile/memberships',
    charged: 'page',
    get: forMembers(desk, async (visit, member) => {
      const held = await asking(desk, visit, member, memberships);
      return held ? membershipsPage(visit, held) : seeOther(at(visit.site, 'profile'));
    }),
  },
];
