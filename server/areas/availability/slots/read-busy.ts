/** What instructors and rooms are used for: one statement. It reads the time that is asked for and no history. */
import { externalBusy } from '../calendars/index.ts';
import { instant, join, sql } from '../../../kernel/db/sql.ts';
import type { Use } from './rules/starts.ts';
import type { Work } from '../../../kernel/work.ts';

export interface BusyUse extends Use {
  /** id; null: it comes from a calendar elsewhere */
  readonly event: number | null;
  /** it counts for the limit of a day */
  readonly appointment: boolean;
  /** by the clock of its venue */
  readonly date: string | null;
}

export interface Busy {
  /** by id */
  readonly instructors: ReadonlyMap<number, readonly BusyUse[]>;
  /** those that are used alone, by id */
  readonly rooms: ReadonlyMap<number, readonly BusyUse[]>;
}

export interface BusyAsked {
  readonly instructors: readonly number[];
  readonly rooms: readonly number[];
  /** epoch ms */
  readonly from: number;
  readonly to: number;
  /** an event that is about to give up its time */
  readonly without?: number;
}

interface Row {
  kind: 'i' | 'r' | 'x';
  id: number;
  event: number | null;
  /** of what is kept free around it too, minutes */
  buffer_before: number;
  buffer_after: number;
  starts_at: number;
  ends_at: number;
  venue: number | null;
  appointment: boolean | null;
  date: string | null;
}

const MINUTE = 60_000;

/**
 * The list of those asked about is joined and not compared: the index finds each one's uses in the range, and the cost
 * is that of what is found there.
 */
export async function readBusy({ tx, providerId }: Pick<Work, 'tx' | 'providerId'>, asked: BusyAsked): Promise<Busy> {
  const { instructors, rooms, without = null } = asked;
  const [from, to] = [instant(asked.from), instant(asked.to)];
  const ofInstructors = sql`
    SELECT 'i' AS kind, i.id, e.id AS event, e.buffer_before, e.buffer_after, e.starts_at, e.ends_at, e.venue_id AS venue,
           o.schedule_type = 'appointment' AS appointment, e.local_starts_at::date AS date
    FROM unnest(${instructors}::bigint[]) AS i (id)
      JOIN event_instructor ei ON ei.provider_id = ${providerId} AND ei.instructor_id = i.id AND ei.active AND ei.during && tstzrange(${from}, ${to})
      JOIN event e ON e.provider_id = ${providerId} AND e.id = ei.event_id
      JOIN offering_type o ON o.provider_id = ${providerId} AND o.id = e.offering_type_id
    WHERE e.id IS DISTINCT FROM ${without}::bigint
    UNION ALL
    SELECT 'x', x.instructor_id, NULL, 0, 0, lower(x.during), upper(x.during), NULL, NULL, NULL
    FROM (${externalBusy(providerId, sql`${instructors}::bigint[]`, sql`${from}::timestamptz`, sql`${to}::timestamptz`)}) x`;
  // Behind OFFSET each room is looked up by the index: the planner would else read all events for a list of rooms.
  const ofRooms = sql`
    SELECT 'r' AS kind, r.id, e.id AS event, e.buffer_before, e.buffer_after, e.starts_at, e.ends_at, NULL::bigint AS venue, NULL::boolean AS appointment, NULL::date AS date
    FROM unnest(${rooms}::bigint[]) AS r (id) CROSS JOIN LATERAL (
      SELECT e.* FROM event e WHERE e.provider_id = ${providerId} AND e.venue_room_id = r.id AND e.status = 'active' AND e.venue_room_id IS NOT NULL AND e.room_exclusive
        AND event_uses(e.starts_at, e.ends_at, e.buffer_before, e.buffer_after) && tstzrange(${from}, ${to}) OFFSET 0) e
    WHERE e.id IS DISTINCT FROM ${without}::bigint`;
  const parts = [...(instructors.length > 0 ? [ofInstructors] : []), ...(rooms.length > 0 ? [ofRooms] : [])];
  const rows = parts.length === 0 ? [] : await tx.rows<Row>(join(parts, ' UNION ALL '));
  const busy = { instructors: new Map<number, BusyUse[]>(), rooms: new Map<number, BusyUse[]>() };
  for (const row of rows) {
    const of = row.kind === 'r' ? busy.rooms : busy.instructors;
    const use = {
      start: row.starts_at - row.buffer_before * MINUTE,
      end: row.ends_at + row.buffer_after * MINUTE,
      startsAt: row.starts_at,
      endsAt: row.ends_at,
      venue: row.venue,
      event: row.event,
      appointment: row.appointment ?? false,
      date: row.date,
    };
    const known = of.get(row.id);
    if (known) known.push(use);
    else of.set(row.id, [use]);
  }
  return busy;
}
