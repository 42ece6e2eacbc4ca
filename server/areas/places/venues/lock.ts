/** Locks on venues and rooms that an event is about to use, so that neither changes until it is planned. */
import { invalid } from '../../../kernel/base/problem.ts';
import { lockRows } from '../../../kernel/work/unit/row.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/**
 * Returns the zone of a venue, and locks the venue: it can neither change its zone nor be archived until the
 * transaction ends.
 */
export async function venueZone(work: Work, venueId: number): Promise<string> {
  const [row] = await lockRows(work, 'venue', [venueId], 'KEY SHARE');
  if (!row) throw invalid('venue', `There is no venue with the id ${venueId}.`);
  if (row.archived) throw invalid('venue', 'The venue is archived.');
  return row.timezone;
}

/** Locks venues: none of them can be closed on a day, or change its zone, until the transaction ends. */
export const holdVenues = async (work: Work, ids: readonly number[]): Promise<void> => {
  await lockRows(work, 'venue', ids, 'KEY SHARE');
};

/**
 * Returns the venues to close on some days, all unless some are named: no event can be planned at them until the
 * transaction ends. `lock`: false only reads them.
 */
export const venuesToClose = (
  { tx, providerId }: Work,
  ids: readonly number[] | null,
  lock: boolean,
): Promise<{ id: number; name: string; timezone: string }[]> =>
  tx.rows(
    sql`SELECT id, name, timezone FROM venue
      WHERE provider_id = ${providerId} AND (${ids}::bigint[] IS NULL OR id = ANY(${ids}::bigint[]))
        ORDER BY id ${raw(lock ? 'FOR UPDATE' : '')}`,
  );

/** Locks rooms in the order of their ids. */
export const lockVenueRooms = async (work: Work, ids: readonly number[]): Promise<void> => {
  await lockRows(work, 'venue_room', ids);
};

/**
 * Returns whether an event at the venue has exclusive use of the room; true without a room, because nothing can
 * conflict. Locks the room.
 */
export async function usesRoomAlone(work: Work, venueId: number, roomId: number | null | undefined): Promise<boolean> {
  if (!roomId) return true;
  const room = await work.tx.one<{ allows_double_booking: boolean; status: string }>(
    sql`SELECT allows_double_booking, status FROM venue_room
      WHERE provider_id = ${work.providerId} AND id = ${roomId} AND venue_id = ${venueId} FOR NO KEY UPDATE`,
  );
  if (!room) throw invalid('venue_room', 'The room does not belong to this venue.');
  if (room.status !== 'active') throw invalid('venue_room', 'The room is archived.');
  return !room.allows_double_booking;
}
