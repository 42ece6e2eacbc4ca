import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { id, idsOf, integer, oneOf, text } from '../../../kernel/base/fields/kinds.ts';
import { ofMyFamily } from '../../people/customers/index.ts';
import { shownImage } from '../../platform/images/index.ts';
import { resource } from '../../../kernel/api/resource.ts';

export const AUDIENCES = [
  'everyone',
  'business_only',
  'membership_holders',
  'specific_memberships',
  'specific_customers',
  'private_url',
] as const;

export const customerLink = {
  table: 'registration_timeline_customer',
  parent: 'registration_timeline_id',
  child: 'customer_id',
};

export const membershipLink = {
  table: 'registration_timeline_membership',
  parent: 'registration_timeline_id',
  child: 'membership_id',
};

/** Returns the field for minutes before the start. */
const interval = () => integer({ min: 0, max: 525_600 }).nullable();

const forEveryone = (t: string) => raw(`${t}.audience_type = 'everyone'`);

/**
 * Returns the condition that a timeline names a member of the viewer's family: the family books for its children, so it
 * sees their timelines too.
 */
const forMyFamily = (t: string) => sql`${raw(t)}.audience_type = 'specific_customers' AND EXISTS (
  SELECT FROM registration_timeline_customer named WHERE named.provider_id = ${raw(t)}.provider_id
    AND named.registration_timeline_id = ${raw(t)}.id AND ${ofMyFamily('named.customer_id')})`;

export const registrationTimeline = resource('registration_timeline', {
  description: 'When booking is open and to whom, for the offering types and events that refer to it.',
  fields: {
    id: id(),
    name: text({ max: 256 }).nullable(),
    audience_type: oneOf(AUDIENCES),
    thumbnail: shownImage().nullable().describe('A picture of it.'),
    calendar_opens_interval: interval().describe(
      'Number of minutes before the start when customers can first see an event. Null means immediately.',
    ),
    registrations_open_interval: interval().describe(
      'Minutes before the start. If null, the setting of the offering type or the business applies.',
    ),
    registrations_close_interval: interval().describe(
      'Minutes before the start. If null, the setting of the offering type or the business applies.',
    ),
    cancellation_notice_interval: interval().describe(
      'Minutes before the start. If null, the setting of the offering type or the business applies.',
    ),
    customers: idsOf('customer', customerLink)
      .deferred()
      .describe('For the audience `specific_customers`: the customers that the caller may see.'),
    memberships: idsOf('membership', membershipLink)
      .deferred()
      .describe('For the audience `specific_memberships`: the memberships that the caller may see.'),
  },
  visible: {
    provider: true,
    customer: (t) => sql`${forEveryone(t)} OR (${forMyFamily(t)})`,
    unregistered: forEveryone,
  },
});
