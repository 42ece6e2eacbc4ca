import { boolean } from '../../../kernel/api/kinds.ts';
import { create, staffWith, update } from '../../../kernel/api/endpoint.ts';
import { sql } from '../../../kernel/db/sql.ts';
import { invalid, Problem } from '../../../kernel/api/problem.ts';
import { changeVenueRoom, createVenueRoom } from './writes.ts';
import { eventsInWords } from './in-words.ts';
import { venueRoom } from './venue-room.ts';
import { VENUE_PROBLEMS } from './problems.ts';
import type { Work } from '../../../kernel/work.ts';

const f = venueRoom.fields;

const create_venue_room = create(venueRoom, {
  path: '/venue_rooms',
  summary: 'Create a room in a venue',
  who: staffWith('super_admin'),
  body: { name: f.name, venue: f.venue, allows_double_booking: boolean().optional() },
  run: async ({ work, body }) => {
    const venue = await work.tx.one<{ archived: boolean }>(
      sql`SELECT archived FROM venue WHERE provider_id = ${work.providerId} AND id = ${body.venue}`,
    );
    if (venue!.archived) throw invalid('venue', 'This venue is archived. Unarchive it first.');
    return createVenueRoom(work, body);
  },
});

const update_venue_room = update(venueRoom, {
  path: '/venue_rooms/{id}',
  summary: 'Update a room',
  description:
    'A change of what the room allows applies immediately to its events that have not ended. Double booking can’t be turned off while two of them are at the same time.',
  who: staffWith('super_admin'),
  body: { name: f.name, status: f.status, allows_double_booking: boolean().optional() },
  problems: ['in_use', VENUE_PROBLEMS.room_taken],
  run: async ({ work, body, target }) => {
    if (body.status === 'archived' && target.status !== 'archived') await checkUnused(work, target.id);
    const { allows_double_booking: shared } = body;
    if (shared !== undefined && shared !== target.allows_double_booking)
      await work.registry.follow('venue_room', work, target.id, { allows_double_booking: shared });
    await changeVenueRoom(work, target.id, body);
    return target.id;
  },
});

async function checkUnused(work: Work, roomId: number): Promise<void> {
  const n = await work.registry.countUses('venue_room', work, roomId);
  if (n === 0) return;
  const why = `The room has ${eventsInWords(n)} that ${n === 1 ? 'has' : 'have'} not ended.`;
  throw new Problem('in_use', `${why} Cancel them or move them to another room, then archive it.`, { status: [why] });
}

export const changeVenueRooms = [create_venue_room, ...update_venue_room];
