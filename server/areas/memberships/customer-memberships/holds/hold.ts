import { boolean, date, id, instant, integer, oneOf, ref } from '../../../../kernel/base/fields/kinds.ts';
import { ofMyFamily } from '../../../people/customers/index.ts';
import { raw, sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import { resource } from '../../../../kernel/api/resource.ts';
import { stateOn, type State } from './rules/hold.ts';
import { wallAt } from '../../../../kernel/base/values/zone.ts';
import type { Wire } from '../../../../kernel/base/fields/field.ts';

export const STATES = ['upcoming', 'active', 'ended'] as const satisfies readonly State[];

const days = (t: string) => [raw(`${t}.start_date`), raw(`${t}.end_date`)];
const stateOf = ([start, end]: (string | null)[], { now, zone }: Wire): State =>
  stateOn({ start: start!, end }, wallAt(now, zone).date);

/**
 * Returns the condition for holds of memberships that the viewer's family owns; people with whom a membership is shared
 * do not see them.
 */
const ownedByMyFamily = (t: string): Sql => sql`EXISTS (SELECT FROM customer_membership cm
  WHERE cm.provider_id = ${raw(t)}.provider_id AND cm.id = ${raw(t)}.customer_membership_id
    AND ${ofMyFamily('cm.customer_id')})`;

export const customerMembershipHold = resource('customer_membership_hold', {
  description: "A time during which a customer's membership is on hold: it can't be used, and is not paid for.",
  fields: {
    id: id(),
    customer_membership: ref('customermembership', 'customer_membership_id'),
    active: boolean()
      .computed(days, (row, wire) => stateOf(row, wire) === 'active')
      .describe('The membership is on hold today.'),
    status: oneOf(STATES).computed(days, stateOf),
    start_date: date().describe('The first day of the hold.'),
    end_date: date().nullable().describe('The last day of the hold. Null means until someone ends it.'),
    days_to_add: integer({ min: 1 })
      .nullable()
      .describe('The number of days by which the hold was extended since it was created. Null if it was not.'),
    prorate_usage: boolean().describe(
      'Reduces the uses in the periods that the hold touches and, if each billing period has a number of uses, what is paid for them.',
    ),
    disable_prorates: boolean().describe(
      'Nothing is given back for the billing period in which the hold starts, and nothing is charged for the one in which it ends.',
    ),
    extend_expirations: boolean().describe(
      "The membership's last day moves by the days of the hold. For an open-ended hold, it moves once the end is known.",
    ),
    made_by: oneOf(['customer', 'staff']),
    previous_expiration_date: date()
      .nullable()
      .describe('The last day of the membership before it was moved. Null if it was not moved.'),
    ended_at: instant().nullable().describe('When someone ended the hold. Null if it lasts as long as planned.'),
    created_at: instant(),
    updated_at: instant().deferred(),
  },
  visible: { provider: true, customer: ownedByMyFamily, unregistered: false },
});
