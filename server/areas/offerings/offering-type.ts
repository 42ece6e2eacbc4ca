import { raw } from '../../kernel/db/sql.ts';
import { boolean, collection, embedded, id, integer, moneyText, oneOf, ref, text } from '../../kernel/api/kinds.ts';
import { hasEventsAhead } from '../venues/index.ts';
import { resource } from '../../kernel/api/resource.ts';

export const SCHEDULE_TYPES = ['class', 'appointment', 'room_rental', 'course'] as const;

/** Links of an offering type: table, and the columns of both ends. */
export const instructorLink = { table: 'offering_type_instructor', parent: 'offering_type_id', child: 'instructor_id' };
export const timelineLink = { table: 'offering_type_registration_timeline', parent: 'offering_type_id', child: 'registration_timeline_id' };

/** What memberships are for is defined by the area that sells them, in one view; here it is read. */
const coverage = { table: 'membership_coverage', parent: 'offering_type_id', child: 'membership_id' };

/** A colour as #rrggbb. */
const color = () => text({ max: 7, pattern: /^#[0-9a-f]{6}$/i, hint: 'A colour is required, as #3366cc.' });

/** Minutes before the start. */
const interval = () => integer({ min: 0, max: 525_600 }).nullable();

const age = () => integer({ min: 0, max: 150 }).nullable();

/** Customers and visitors; with memberships their holders see more. */
const onOffer = (t: string) => raw(`${t}.status = 'active' AND ${t}.customer_visibility = 'public'`);

export const offeringType = resource('offering_type', {
  description: 'What the business offers: a class, an appointment, a room for rent, a course. Events are made of it.',
  fields: {
    id: id(),
    name: text({ max: 256 }),
    description: text({ blank: true }).nullable(),
    schedule_type: oneOf(SCHEDULE_TYPES),
    category: ref('offering_type_category', 'category_id').nullable(),
    status: oneOf(['active', 'archived']),
    customer_visibility: oneOf(['public', 'membership_holders', 'private']),
    order: integer({ min: 0, max: 1_000_000 }).nullable().from((t) => raw(`${t}.sort_order`)).describe('Place in lists; null comes last.'),
    color: color(),
    background_color: color(),
    image: text().nullable().from(() => raw('NULL::text')).describe('Null: pictures of offering types are not kept.'),
    allows_dropins: boolean(),
    dropin_price: moneyText().from((t) => raw(`${t}.dropin_price_minor`)),
    has_pricing: boolean().from((t) => raw(`${t}.dropin_price_minor > 0`)).describe('False where a drop-in is free.'),
    has_active_schedules: boolean().from((t) => hasEventsAhead(t, 'offering_type_id')).describe('It has active events that are not over.'),
    is_draft: boolean().from(() => raw('false')).describe('Always false: what is stored is complete. `customer_visibility` hides what is not ready.'),
    min_allowed_age: age().describe('Years on the day of the event.'),
    max_allowed_age: age().describe('Years on the day of the event.'),
    registrations_open_interval: interval().describe('Minutes before the start; null: as the business has it.'),
    registrations_close_interval: interval().describe('Minutes before the start; null: as the business has it.'),
    cancellation_notice_interval: interval().describe('Minutes before the start; null: as the business has it.'),
    waitlist_max: integer({ min: 0, max: 65_535 }).nullable().describe('Null: as the business has it.'),
    instructors: collection('instructor', instructorLink, (typeId) => `/instructors?offering_type=${typeId}`),
    registration_timelines: embedded('registration_timeline', timelineLink).deferred(),
    memberships: embedded('membership', coverage).deferred().describe('Those that may be used for it: of what the caller may see.'),
  },
  visible: { provider: true, customer: onOffer, unregistered: onOffer },
});
