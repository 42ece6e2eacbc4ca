import { boolean } from '../../../kernel/base/fields/kinds.ts';
import { changes } from '../../../kernel/api/resource-changes.ts';
import { staffWith } from '../../../kernel/api/endpoint.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { changeVenueRoom, createVenueRoom } from './writes.ts';
import { eventsInWords } from './in-words.ts';
import { imageRef } from '../../platform/images/index.ts';
import { venueRoom } from './venue-room.ts';
import { VENUE_PROBLEMS } from './problems.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const f = venueRoom.fields;

const more = { allows_double_booking: boolean().optional(), thumbnail: imageRef().nullable().optional() };

export const changeVenueRooms = changes(venueRoom, {
  path: '/venue_rooms',
  noun: 'room',
  who: staffWith('super_admin'),
  body: { name: f.name, status: f.status, ...more },
  first: { name: f.name, venue: f.venue, ...more },
  create: {
    summary: 'Create a room in a venue',
    run: async ({ work, body }) => {
      const venue = await work.tx.one<{ archived: boolean }>(
        sql`SELECT archived FROM venue WHERE provider_id = ${work.providerId} AND id = ${body.venue}`,
      );
      if (venue!.archived) throw invalid('venue', 'This venue is archived. Unarchive it first.');
      return createVenueRoom(work, body);
    },
  },
  update: {
    description:
      'A change of what the room allows applies immediately to its events that have not ended. Double booking can’t be turned off while two of them are at the same time.',
    problems: ['in_use', VENUE_PROBLEMS.room_taken],
    run: async ({ work, body, target }) => {
      if (body.status === 'archived' && target.status !== 'archived') await checkUnused(work, target.id);
      const { allows_double_booking: shared } = body;
      if (shared !== undefined && shared !== target.allows_double_booking)
        await work.registry.follow('venue_room', work, target.id, { allows_double_booking: shared });
      await changeVenueRoom(work, target.id, body);
    },
  },
});

async function checkUnused(work: Work, roomId: number): Promise<void> {
  const n = await work.registry.countUses('venue_room', work, roomId);
  if (n === 0) return;
  const why = `The room has ${eventsInWords(n)} that ${n === 1 ? 'has' : 'have'} not ended.`;
  throw new Problem('in_use', `${why} Cancel them or move them to another room, then archive it.`, { status: [why] });
}
