import { boolean } from '../../../kernel/api/kinds.ts';
import { changes } from '../../../kernel/api/resource-changes.ts';
import { staffWith } from '../../../kernel/api/endpoint.ts';
import { instant, sql } from '../../../kernel/db/sql.ts';
import { invalid, Problem } from '../../../kernel/api/problem.ts';
import { changeVenueRoom, createVenueRoom } from './writes.ts';
import { countEventsAhead, eventsInWords } from './events-ahead.ts';
import { venueRoom } from './venue-room.ts';
import { VENUE_PROBLEMS } from './problems.ts';
import type { Work } from '../../../kernel/work.ts';

const f = venueRoom.fields;

export const changeVenueRooms = changes(venueRoom, {
  path: '/venue_rooms',
  noun: 'room',
  who: staffWith('super_admin'),
  body: { name: f.name, status: f.status, allows_double_booking: boolean().optional() },
  first: { name: f.name, venue: f.venue, allows_double_booking: boolean().optional() },
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
      if (shared !== undefined && shared !== target.allows_double_booking) await shareRoom(work, target.id, shared);
      await changeVenueRoom(work, target.id, body);
    },
  },
});

async function checkUnused(work: Work, roomId: number): Promise<void> {
  const n = await countEventsAhead(work, 'venue_room_id', roomId);
  if (n === 0) return;
  const why = `The room has ${eventsInWords(n)} that ${n === 1 ? 'has' : 'have'} not ended.`;
  throw new Problem('in_use', `${why} Cancel them or move them to another room, then archive it.`, { status: [why] });
}

/** Lets events share the room, or excludes that from now on; events that are over stay as they were. */
async function shareRoom(work: Work, roomId: number, shared: boolean): Promise<void> {
  const collision = shared ? undefined : await firstCollision(work, roomId);
  if (collision) {
    const why = `The events ${collision.one} and ${collision.other} use the room at the same time.`;
    throw new Problem(VENUE_PROBLEMS.room_taken, `${why} Move or cancel one of them first.`, {
      allows_double_booking: [why],
    });
  }
  await work.tx.run(
    sql`UPDATE event SET room_exclusive = ${!shared} WHERE provider_id = ${work.providerId} AND venue_room_id = ${roomId}
        AND status = 'active' AND ends_at > ${instant(work.now)}`,
  );
}

/**
 * Two events of the room that overlap; asked beforehand so that the refusal can name them. The constraint stays the
 * judge.
 */
function firstCollision(work: Work, roomId: number): Promise<{ one: number; other: number } | undefined> {
  return work.tx.one(
    sql`SELECT a.id AS one, b.id AS other FROM event a
        JOIN event b ON b.provider_id = a.provider_id AND b.venue_room_id = a.venue_room_id AND b.id > a.id
          AND b.status = 'active' AND b.starts_at < a.ends_at AND b.ends_at > a.starts_at
        WHERE a.provider_id = ${work.providerId} AND a.venue_room_id = ${roomId} AND a.status = 'active'
          AND a.ends_at > ${instant(work.now)} AND b.ends_at > ${instant(work.now)}
        ORDER BY a.starts_at, a.id, b.id LIMIT 1`,
  );
}
