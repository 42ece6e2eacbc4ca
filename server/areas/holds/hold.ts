import { boolean, date, id, instant, integer, oneOf, ref } from '../../kernel/api/kinds.ts';
import { heldByMyFamily } from '../entitlements/index.ts';
import { raw } from '../../kernel/db/sql.ts';
import { resource } from '../../kernel/api/resource.ts';
import { stateOn, type State } from './rules/hold.ts';
import { wallAt } from '../../kernel/values/zone.ts';
import type { Wire } from '../../kernel/api/field.ts';

export const STATES = ['upcoming', 'active', 'ended'] as const satisfies readonly State[];

const days = (t: string) => [raw(`${t}.start_date`), raw(`${t}.end_date`)];
const stateOf = ([start, end]: (string | null)[], { now, zone }: Wire): State => stateOn({ start: start!, end }, wallAt(now, zone).date);

export const customerMembershipHold = resource('customer_membership_hold', {
  description: 'A time in which a membership that somebody holds rests: it is not used, and not paid for.',
  fields: {
    id: id(),
    customer_membership: ref('customermembership', 'customer_membership_id'),
    active: boolean().computed(days, (row, wire) => stateOf(row, wire) === 'active').describe('The membership rests today.'),
    status: oneOf(STATES).computed(days, stateOf),
    start_date: date().describe('The first day of it.'),
    end_date: date().nullable().describe('The last day of it; null: until somebody ends it.'),
    days_to_add: integer({ min: 1 }).nullable().describe('Days by which it was made longer since it was made; null: none.'),
    prorate_usage: boolean().describe('It shrinks what may be used in the periods that it touches, and what is paid with it where there is a number of uses in each billing period.'),
    disable_prorates: boolean().describe('Nothing is given back for the period in which it begins, and nothing is charged for the one in which it ends.'),
    extend_expirations: boolean().describe('The last day of the membership moves by the days of the hold; of one without an end when that is known.'),
    made_by: oneOf(['customer', 'staff']),
    previous_expiration_date: date().nullable().describe('The last day of the membership before it was moved; null: it was not.'),
    ended_at: instant().nullable().describe('Somebody ended it; null: it lasts as long as it was made for.'),
    created_at: instant(),
    updated_at: instant().deferred(),
  },
  visible: { provider: true, customer: heldByMyFamily, unregistered: false },
});
