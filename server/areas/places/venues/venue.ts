import { raw } from '../../../kernel/base/db/sql.ts';
import { boolean, collection, id, number, object, oneOf, text, uri } from '../../../kernel/base/fields/kinds.ts';
import { allOptional } from '../../../kernel/base/fields/field.ts';
import { atVenue, resource } from '../../../kernel/api/resource.ts';

const address = {
  street: text({ max: 200, blank: true }),
  city: text({ max: 100, blank: true }),
  region: text({ max: 100, blank: true }),
  postal_code: text({ max: 20, blank: true }),
  country: text({ max: 100, blank: true }).means('country'),
};

/** Optional parts of an address. */
const further = {
  street_secondary: text({ max: 200, blank: true }).nullable(),
  lat: number({ min: -90, max: 90 }).nullable(),
  lng: number({ min: -180, max: 180 }).nullable(),
};

/** The address in a body. */
export const physicalAddress = { ...address, ...allOptional(further) };

/** Selects the address with every part, even if it was never sent. */
const shownAddress = (t: string) =>
  raw(
    `CASE WHEN jsonb_typeof(${t}.physical_address) = 'object' THEN jsonb_build_object('street_secondary', NULL, 'lat', NULL, 'lng', NULL) || ${t}.physical_address END`,
  );

const part = (name: string) => (t: string) => raw(`(${t}.physical_address->>'${name}')::float8`);

export const venue = resource('venue', {
  description: 'A place, physical or online, with its own time zone.',
  fields: {
    id: id(),
    name: text({ max: 200 }),
    description: text({ blank: true }).nullable(),
    address: text({ blank: true })
      .from((t) =>
        raw(
          `concat_ws(', ', nullif(${t}.physical_address->>'street', ''), nullif(${t}.physical_address->>'city', ''), nullif(${t}.physical_address->>'region', ''), nullif(${t}.physical_address->>'postal_code', ''))`,
        ),
      )
      .describe('The physical address in one line. Empty if there is none.'),
    physical_address: object({ ...address, ...further })
      .nullable()
      .from(shownAddress),
    timezone: text({ max: 250 })
      .means('zone')
      .describe('IANA name. The times of events here are local times in this time zone.'),
    video_url: uri()
      .nullable()
      .describe(
        'Address of the video call. Shown to staff, and to customers from 15 minutes before a class here that they booked until it ends. Give them the link of their booking instead: `POST /events/{id}/generate_online_access_link`.',
      ),
    video_url_type: oneOf(['static', 'zoom']),
    zoom_user: id()
      .nullable()
      .from(() => raw('NULL::bigint'))
      .describe('Always null: Zoom accounts can’t be connected. Put the address of the meeting into `video_url`.'),
    venue_type: oneOf(['physical', 'online']),
    venue_rooms: collection('venue_room', { column: 'venue_id' }, (id) => `/venue_rooms?venue=${id}`),
    lat: number().nullable().from(part('lat')).describe('Coordinate of the physical address. Null if unknown.'),
    lng: number().nullable().from(part('lng')).describe('Coordinate of the physical address. Null if unknown.'),
    archived: boolean(),
    is_online: boolean().from((t) => raw(`${t}.venue_type = 'online'`)),
  },
  visible: {
    provider: true,
    customer: (t) => raw(`NOT ${t}.archived`),
    unregistered: (t) => raw(`NOT ${t}.archived`),
  },
  // Areas that know the customers' bookings decide whether to show it to them.
  shown: { video_url: { customer: false, unregistered: false } },
  place: atVenue('id', 'public'),
});
