/** The rooms that the rows of a schedule name: rooms of the venue of the event, found by their names. */
import { isIssue, issueOf, templateOf, textIn, type Issue, type Portion } from './portion.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { Places, Session } from '../../../scheduling/schedule/index.ts';

interface Room extends Record<string, unknown> {
  readonly id: number;
  readonly venue: number;
  readonly name: string;
}

const plain = (name: string): string => name.trim().replaceAll(/\s+/g, ' ').toLowerCase();

/**
 * Returns the room of each session by line, or the reason why it has none; lines without a room are left out. Rooms
 * are never created: whether two events may share one is for people to decide.
 */
export async function roomsIn(
  portion: Portion,
  sessions: readonly Session[],
  places: Places,
): Promise<Map<number, number | Issue>> {
  const column = templateOf(portion, 'room');
  const rows = new Map(portion.rows.map((row) => [row.line, row]));
  const named = sessions.flatMap(({ line, venue }) => {
    const name = textIn(column, rows.get(line)!);
    return name === null ? [] : [{ line, name: plain(name), venue: places.venues.get(venue.externalId)!.id }];
  });
  if (named.length === 0) return new Map();
  const { tx, providerId } = portion.work;
  const rooms = await tx.rows<Room>(
    sql`SELECT id, venue_id AS venue, lower(regexp_replace(trim(name), '\\s+', ' ', 'g')) AS name FROM venue_room
      WHERE provider_id = ${providerId} AND status = 'active'
        AND venue_id = ANY(${[...new Set(named.map(({ venue }) => venue))]}::bigint[])`,
  );
  const byName = Map.groupBy(rooms, ({ venue, name }) => `${venue} ${name}`);
  return new Map(
    named.map(({ line, name, venue }): [number, number | Issue] => {
      const found = byName.get(`${venue} ${name}`) ?? [];
      if (found.length === 1) return [line, found[0].id];
      const reason =
        found.length > 1
          ? 'is the name of several rooms of the venue; the event is imported without a room'
          : 'is no room of the venue; the event is imported without a room. Add the room and check the file again';
      return [line, issueOf(column, rows.get(line)!, reason)];
    }),
  );
}

/** Returns the id of a room; undefined if there is none. */
export const roomAt = (rooms: ReadonlyMap<number, number | Issue>, line: number): number | undefined => {
  const room = rooms.get(line);
  return room === undefined || isIssue(room) ? undefined : room;
};
