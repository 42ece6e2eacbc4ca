import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import {
  boolean,
  collection,
  embedded,
  id,
  idsOf,
  integer,
  moneyText,
  oneOf,
  ref,
  text,
} from '../../../kernel/base/fields/kinds.ts';
import { ofMyFamily } from '../../people/customers/index.ts';
import { imageRef, shownImage } from '../../platform/images/index.ts';
import { resource } from '../../../kernel/api/resource.ts';
import { appointmentSettings, roomRentalSettings } from './slot-settings.ts';

export const SCHEDULE_TYPES = ['class', 'appointment', 'room_rental', 'course'] as const;

/** A link of an offering type: the table, and its columns for both ends. */
export const instructorLink = { table: 'offering_type_instructor', parent: 'offering_type_id', child: 'instructor_id' };
export const timelineLink = {
  table: 'offering_type_registration_timeline',
  parent: 'offering_type_id',
  child: 'registration_timeline_id',
};

/** Returns the field for a color as #rrggbb. */
const color = () => text({ max: 7, pattern: /^#[0-9a-f]{6}$/i, hint: 'Must be a color, for example #3366cc.' });

/** Returns the field for minutes before the start. */
const interval = () => integer({ min: 0, max: 525_600 }).nullable();

const age = () => integer({ min: 0, max: 150 }).nullable();

/** Returns the condition that visitors see it. */
const onOffer = (t: string): Sql => raw(`${t}.status = 'active' AND ${t}.customer_visibility = 'public'`);

/**
 * Returns the same condition for customers: an offering for members only is visible to a family in which somebody has a
 * membership for it.
 */
export const onOfferToMembers = (
  t: string,
): Sql => sql`${raw(t)}.status = 'active' AND (${raw(t)}.customer_visibility = 'public'
  OR (${raw(t)}.customer_visibility = 'membership_holders' AND EXISTS (SELECT FROM membership_coverage mc
    JOIN customer_membership_owned h ON h.provider_id = mc.provider_id AND h.membership_id = mc.membership_id
    WHERE mc.provider_id = ${raw(t)}.provider_id AND mc.offering_type_id = ${raw(t)}.id
      AND ${ofMyFamily('h.customer_id')})))`;

export const offeringType = resource('offering_type', {
  description:
    'Something that the business offers: a class, an appointment, a room for rent or a course. Each event belongs to an offering type.',
  fields: {
    id: id(),
    name: text({ max: 256 }),
    description: text({ blank: true }).nullable(),
    schedule_type: oneOf(SCHEDULE_TYPES),
    category: ref('offering_type_category', 'category_id').nullable(),
    status: oneOf(['active', 'archived']),
    customer_visibility: oneOf(['public', 'membership_holders', 'private']),
    order: integer({ min: 0, max: 1_000_000 })
      .nullable()
      .from((t) => raw(`${t}.sort_order`))
      .describe('Position in lists. Null comes last.'),
    color: color(),
    background_color: color(),
    image: shownImage().nullable().describe('A picture of it.'),
    allows_dropins: boolean(),
    dropin_price: moneyText().from((t) => raw(`${t}.dropin_price_minor`)),
    online_dropin_price: moneyText()
      .nullable()
      .from((t) => raw(`${t}.online_dropin_price_minor`))
      .describe('The price of a place online. If null, it costs the same as a place at the venue.'),
    has_pricing: boolean()
      .from((t) => raw(`greatest(${t}.dropin_price_minor, ${t}.online_dropin_price_minor) > 0`))
      .describe('False if every drop-in is free.'),
    is_draft: boolean()
      .from(() => raw('false'))
      .describe('Always false: drafts are not stored. Use `customer_visibility` to hide what is not ready.'),
    min_allowed_age: age().describe('In years, on the day of the event.'),
    max_allowed_age: age().describe('In years, on the day of the event.'),
    registrations_open_interval: interval().describe(
      'Minutes before the start. If null, the setting of the business applies.',
    ),
    registrations_close_interval: interval().describe(
      'Minutes before the start. If null, the setting of the business applies.',
    ),
    cancellation_notice_interval: interval().describe(
      'Minutes before the start. If null, the setting of the business applies.',
    ),
    waitlist_max: integer({ min: 0, max: 65_535 }).nullable().describe('If null, the setting of the business applies.'),
    appointment_settings: appointmentSettings,
    room_rental_settings: roomRentalSettings,
    instructors: collection('instructor', instructorLink, (typeId) => `/instructors?offering_type=${typeId}`),
    registration_timelines: embedded('registration_timeline', timelineLink).deferred(),
  },
  visible: { provider: true, customer: onOfferToMembers, unregistered: onOffer },
});

const f = offeringType.fields;

/** Writable properties of an offering type. */
export const writable = {
  name: f.name,
  description: f.description.optional(),
  category: f.category.optional(),
  customer_visibility: f.customer_visibility.optional(),
  order: f.order.optional(),
  color: f.color.optional(),
  background_color: f.background_color.optional(),
  allows_dropins: f.allows_dropins.optional(),
  dropin_price: f.dropin_price.optional(),
  online_dropin_price: f.online_dropin_price.optional(),
  min_allowed_age: f.min_allowed_age.optional(),
  max_allowed_age: f.max_allowed_age.optional(),
  registrations_open_interval: f.registrations_open_interval.optional(),
  registrations_close_interval: f.registrations_close_interval.optional(),
  cancellation_notice_interval: f.cancellation_notice_interval.optional(),
  waitlist_max: f.waitlist_max.optional(),
  image: imageRef().nullable().optional(),
  appointment_settings: f.appointment_settings.optional(),
  room_rental_settings: f.room_rental_settings.optional(),
  instructors: idsOf('instructor', instructorLink).optional(),
  registration_timelines: idsOf('registration_timeline', timelineLink).optional(),
};
