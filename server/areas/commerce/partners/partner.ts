import { boolean, id, instant, integer, oneOf, ref, text, uri } from '../../../kernel/base/fields/kinds.ts';
import { may } from '../../../kernel/work/access/viewer.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { resource, type Policy } from '../../../kernel/api/resource.ts';
import { ADMITS } from './rules/admission.ts';

export const KINDS = ['door', 'booking_platform'] as const;
export const MESSAGE_TYPES = ['entry.requested', 'booking.requested', 'booking.cancelled', 'booking.attended'] as const;

export type MessageType = (typeof MESSAGE_TYPES)[number];

/** Messages go to this path, followed by the ids of the business and of the partner. */
export const PARTNERS_PATH = '/partners';

/** Partners act for the whole business, so staff who are limited to venues see none of them. */
const forOwners = (rule: (t: string) => ReturnType<typeof sql> | boolean): Policy => ({
  provider: (t, viewer) => viewer.venues === null && may(viewer, 'super_admin') && rule(t),
  customer: false,
  unregistered: false,
});

export const partner = resource('partner', {
  description: 'A system of another company that sends signed messages: a door, or a platform that books places.',
  fields: {
    id: id(),
    kind: oneOf(KINDS),
    name: text({ max: 100 }),
    status: oneOf(['active', 'paused']).describe('Messages from a paused partner are refused.'),
    venue: ref('venue', 'venue_id')
      .nullable()
      .describe('The venue of a door, or the only venue whose events a platform can book. Null: all venues.'),
    admits: oneOf(ADMITS).describe(
      'For doors: customers with a booking, also those with a valid membership, or all customers.',
    ),
    opens_minutes_before: integer({ min: 0, max: 240 }).describe(
      'For doors: how many minutes before a booked event customers can come in.',
    ),
    checks_in: boolean().describe('For doors: whether those who come in are checked in at their event and the venue.'),
    places_per_event: integer({ min: 1, max: 10_000 })
      .nullable()
      .describe('For platforms: how many places of an event they can book. Null: as many as are free.'),
    url: uri()
      .computed(
        (t) => [raw(`${t}.provider_id`), raw(`${t}.id`)],
        ([provider, one], wire) => `${wire.pagesUrl}${PARTNERS_PATH}/${provider}/${one}`,
      )
      .describe('The URL that the partner sends its messages to.'),
    secret: text({ max: 255 })
      .nullable()
      .from(() => raw('NULL::text'))
      .describe('Secret that messages are signed with. Only in the response that creates it, otherwise null.'),
    created_at: instant(),
    updated_at: instant(),
  },
  secret: ['sealed'],
  visible: forOwners((t) => sql`${raw(t)}.deleted_at IS NULL`),
});

export const partnerMessage = resource('partner_message', {
  description: 'A message of a partner, and how it was answered.',
  fields: {
    id: id(),
    partner: ref('partner', 'partner_id'),
    external_id: text().nullable().describe('The partner’s id of the message. Null if staff sent it.'),
    type: oneOf(MESSAGE_TYPES),
    customer: ref('customer', 'customer_id').nullable(),
    event: ref('event', 'event_id').nullable(),
    attendance: ref('attendance', 'attendance_id').nullable(),
    is_accepted: boolean(),
    reason: text()
      .nullable()
      .describe('For an entry: what let the customer in. For a refusal: its code. Null otherwise.'),
    message: text().nullable().describe('The refusal in words, for the person at the door or on the platform.'),
    received_at: instant(),
  },
  visible: forOwners(() => true),
});
