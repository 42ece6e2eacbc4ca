/** What instructors and rooms are used for: one statement. It reads the time that is asked for and no history. */
import { externalBusy } from '../calendars/index.ts';
import { instant, join, raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import type { Use } from './rules/starts.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export interface BusyUse extends Use {
  /** id; null: it comes from a calendar elsewhere */
  readonly event: number | null;
  /** by the clock of its venue, of an appointment: it counts for the limit of that day */
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

/** There may be thousands of them, and what is null costs nothing to read. */
interface Row {
  instructor: number | null;
  /** or else the room */
  room: number | null;
  event: number | null;
  /** minutes that are kept free around it; null: none */
  before: number | null;
  after: number | null;
  starts_at: number;
  ends_at: number;
  venue: number | null;
  /** of appointments */
  date: string | null;
}

const MINUTE = 60_000;

/** The most that an event keeps free before or after it: the schema says so. */
const MOST_KEPT = 1440 * MINUTE;

export async function readBusy({ tx, providerId }: Pick<Work, 'tx' | 'providerId'>, asked: BusyAsked): Promise<Busy> {
  const parts = [
    ...(asked.instructors.length > 0 ? [ofInstructors(providerId, asked)] : []),
    ...(asked.rooms.length > 0 ? [ofRooms(providerId, asked)] : []),
  ];
  return busyOf(parts.length === 0 ? [] : await tx.rows<Row>(join(parts, ' UNION ALL ')));
}

const OF_EVENT = sql`e.id AS event, nullif(e.buffer_before, 0) AS before, nullif(e.buffer_after, 0) AS after, e.starts_at, e.ends_at`;

const at = (epochMs: number): Sql => sql`${instant(epochMs)}::timestamptz`;

/**
 * Cost follows what is found, and not history. The database lets no instructor and no room be used twice at a time, so
 * the uses of one are in order: those of a range are the last one that began before it and all that begin in it, which
 * an index of the beginnings finds. Row-level security lets no index be searched with `&&`: here it only leaves out a last
 * one that has ended. OFFSET 0 keeps the planner from reading all events, because it takes `&&` for rare.
 */
function ofInstructors(providerId: number, { instructors, without, ...range }: BusyAsked): Sql {
  const [from, to] = [at(range.from), at(range.to)];
  // Events are read by a list of their ids: the index is then searched once for all that are neighbours in it.
  return sql`(
    WITH used AS MATERIALIZED (
      SELECT i.id, u.event_id FROM unnest(${instructors}::bigint[]) AS i (id)
        CROSS JOIN LATERAL (SELECT coalesce((SELECT b.uses_from FROM event_instructor b
          WHERE b.provider_id = ${providerId} AND b.instructor_id = i.id AND b.active AND b.uses_from <= ${from}
          ORDER BY b.uses_from DESC LIMIT 1), ${from}) AS begins OFFSET 0) first
        CROSS JOIN LATERAL (SELECT u.event_id FROM event_instructor u
          WHERE u.provider_id = ${providerId} AND u.instructor_id = i.id AND u.active AND u.uses_from >= first.begins AND u.uses_from < ${to}
            AND u.during && tstzrange(${from}, ${to}) OFFSET 0) u)
    SELECT used.id AS instructor, NULL::bigint AS room, ${OF_EVENT}, e.venue_id AS venue,
      CASE WHEN e.offering_type_id IN (SELECT o.id FROM offering_type o WHERE o.provider_id = ${providerId} AND o.schedule_type = 'appointment')
        THEN e.local_starts_at::date END AS date
    FROM event e JOIN used ON used.event_id = e.id
    WHERE e.provider_id = ${providerId} AND e.id = ANY((SELECT array_agg(event_id) FROM used)::bigint[]) AND e.id IS DISTINCT FROM ${without ?? null}::bigint
    UNION ALL
    SELECT x.instructor_id, NULL, NULL, NULL, NULL, lower(x.during), upper(x.during), NULL, NULL
    FROM (${externalBusy(providerId, sql`${instructors}::bigint[]`, from, to)}) x)`;
}

/** In the same way; an event starts after its use of the room does, by what is kept free before it. */
function ofRooms(providerId: number, { rooms, without, ...range }: BusyAsked): Sql {
  const [from, to] = [at(range.from), at(range.to)];
  const isUse = (e: Sql) =>
    sql`${e}.provider_id = ${providerId} AND ${e}.venue_room_id = r.id AND ${e}.status = 'active' AND ${e}.venue_room_id IS NOT NULL AND ${e}.room_exclusive`;
  return sql`
    SELECT NULL::bigint AS instructor, r.id AS room, ${OF_EVENT}, NULL::bigint AS venue, NULL::date AS date
    FROM unnest(${rooms}::bigint[]) AS r (id)
      CROSS JOIN LATERAL (SELECT coalesce((SELECT b.starts_at FROM event b WHERE ${isUse(raw('b'))} AND b.starts_at <= ${from}
        ORDER BY b.starts_at DESC LIMIT 1), ${from}) AS begins OFFSET 0) first
      CROSS JOIN LATERAL (SELECT u.id, u.buffer_before, u.buffer_after, u.starts_at, u.ends_at FROM event u
        WHERE ${isUse(raw('u'))} AND u.starts_at >= first.begins AND u.starts_at < ${at(range.to + MOST_KEPT)}
          AND event_uses(u.starts_at, u.ends_at, u.buffer_before, u.buffer_after) && tstzrange(${from}, ${to}) OFFSET 0) e
    WHERE e.id IS DISTINCT FROM ${without ?? null}::bigint`;
}

function busyOf(rows: readonly Row[]): Busy {
  const busy = { instructors: new Map<number, BusyUse[]>(), rooms: new Map<number, BusyUse[]>() };
  for (const row of rows) {
    const of = row.instructor === null ? busy.rooms : busy.instructors;
    const id = row.instructor ?? row.room!;
    const use = {
      start: row.starts_at - (row.before ?? 0) * MINUTE,
      end: row.ends_at + (row.after ?? 0) * MINUTE,
      startsAt: row.starts_at,
      endsAt: row.ends_at,
      venue: row.venue,
      event: row.event,
      date: row.date,
    };
    const known = of.get(id);
    if (known) known.push(use);
    else of.set(id, [use]);
  }
  return busy;
}
