/** Uses of instructors and rooms, read in one statement. It reads the requested time and no history. */
import { externalBusy } from '../calendars/index.ts';
import { instant, join, raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import type { Use } from './rules/starts.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export interface BusyUse extends Use {
  /** id; null: the use comes from an external calendar */
  readonly event: number | null;
  /** date of an appointment in the zone of its venue: it counts toward the limit of that day */
  readonly date: string | null;
}

export interface Busy {
  /** by id */
  readonly instructors: ReadonlyMap<number, readonly BusyUse[]>;
  /** rooms that can't be shared, by id */
  readonly rooms: ReadonlyMap<number, readonly BusyUse[]>;
}

export interface BusyAsked {
  readonly instructors: readonly number[];
  readonly rooms: readonly number[];
  /** epoch milliseconds */
  readonly from: number;
  readonly to: number;
  /** an event that is about to release its time */
  readonly without?: number;
}

/** There may be thousands of rows, and null values cost nothing to read. */
interface Row {
  instructor: number | null;
  /** set if `instructor` is null */
  room: number | null;
  event: number | null;
  /** minutes that are kept free around it; null: none */
  before: number | null;
  after: number | null;
  starts_at: number;
  ends_at: number;
  venue: number | null;
  /** for appointments only */
  date: string | null;
}

const MINUTE = 60_000;

/** The longest time that an event keeps free before or after it, as limited by the schema. */
const MAX_RESERVED_MS = 1440 * MINUTE;

export async function readBusy({ tx, providerId }: Pick<Work, 'tx' | 'providerId'>, asked: BusyAsked): Promise<Busy> {
  const parts = [
    ...(asked.instructors.length > 0 ? [ofInstructors(providerId, asked)] : []),
    ...(asked.rooms.length > 0 ? [ofRooms(providerId, asked)] : []),
  ];
  return busyOf(parts.length === 0 ? [] : await tx.rows<Row>(join(parts, ' UNION ALL ')));
}

const OF_EVENT = sql`e.id AS event, nullif(e.buffer_before, 0) AS before, nullif(e.buffer_after, 0) AS after,
  e.starts_at, e.ends_at`;

const at = (epochMs: number): Sql => sql`${instant(epochMs)}::timestamptz`;

/**
 * The cost depends on the result, not on history. The database allows no two uses of an instructor or a room at the
 * same time, so the uses of one are in order: those in a range are the last one that began before it and all that begin
 * in it, which an index on the start finds. Under row-level security, no index can be searched with `&&`: here it only
 * removes a last use that has ended already. OFFSET 0 keeps the planner from reading all events, because it assumes
 * that `&&` matches few rows.
 */
function ofInstructors(providerId: number, { instructors, without, ...range }: BusyAsked): Sql {
  const [from, to] = [at(range.from), at(range.to)];
  // Events are read by a list of their ids: the index is then searched once for all neighboring ones.
  return sql`(
    WITH used AS MATERIALIZED (
      SELECT i.id, u.event_id FROM unnest(${instructors}::bigint[]) AS i (id)
        CROSS JOIN LATERAL (SELECT coalesce((SELECT b.uses_from FROM event_instructor b
          WHERE b.provider_id = ${providerId} AND b.instructor_id = i.id AND b.active AND b.uses_from <= ${from}
          ORDER BY b.uses_from DESC LIMIT 1), ${from}) AS begins OFFSET 0) first
        CROSS JOIN LATERAL (SELECT u.event_id FROM event_instructor u
          WHERE u.provider_id = ${providerId} AND u.instructor_id = i.id AND u.active AND u.uses_from >= first.begins
            AND u.uses_from < ${to}
            AND u.during && tstzrange(${from}, ${to}) OFFSET 0) u)
    SELECT used.id AS instructor, NULL::bigint AS room, ${OF_EVENT}, e.venue_id AS venue,
      CASE WHEN e.offering_type_id IN (SELECT o.id FROM offering_type o
          WHERE o.provider_id = ${providerId} AND o.schedule_type = 'appointment')
        THEN e.local_starts_at::date END AS date
    FROM event e JOIN used ON used.event_id = e.id
    WHERE e.provider_id = ${providerId} AND e.id = ANY((SELECT array_agg(event_id) FROM used)::bigint[])
      AND e.id IS DISTINCT FROM ${without ?? null}::bigint
    UNION ALL
    SELECT x.instructor_id, NULL, NULL, NULL, NULL, lower(x.during), upper(x.during), NULL, NULL
    FROM (${externalBusy(providerId, sql`${instructors}::bigint[]`, from, to)}) x)`;
}

/**
 * Reads uses of rooms in the same way. An event starts later than its use of the room, by the time that is kept free
 * before it.
 */
function ofRooms(providerId: number, { rooms, without, ...range }: BusyAsked): Sql {
  const [from, to] = [at(range.from), at(range.to)];
  const isUse = (e: Sql) =>
    sql`${e}.provider_id = ${providerId} AND ${e}.venue_room_id = r.id AND ${e}.status = 'active'
      AND ${e}.venue_room_id IS NOT NULL AND ${e}.room_exclusive`;
  return sql`
    SELECT NULL::bigint AS instructor, r.id AS room, ${OF_EVENT}, NULL::bigint AS venue, NULL::date AS date
    FROM unnest(${rooms}::bigint[]) AS r (id)
      CROSS JOIN LATERAL
        (SELECT coalesce((SELECT b.starts_at FROM event b WHERE ${isUse(raw('b'))} AND b.starts_at <= ${from}
        ORDER BY b.starts_at DESC LIMIT 1), ${from}) AS begins OFFSET 0) first
      CROSS JOIN LATERAL (SELECT u.id, u.buffer_before, u.buffer_after, u.starts_at, u.ends_at FROM event u
        WHERE ${isUse(raw('u'))} AND u.starts_at >= first.begins AND u.starts_at < ${at(range.to + MAX_RESERVED_MS)}
          AND event_uses(u.starts_at, u.ends_at, u.buffer_before, u.buffer_after) && tstzrange(${from}, ${to}) OFFSET 0)
          e
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
