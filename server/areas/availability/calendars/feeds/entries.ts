/** The entries of a calendar feed, read in one statement, however many there are. */
import { instant, join, raw, sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import type { Feed } from './address.ts';

const DAY_MS = 86_400_000;
const BACK_DAYS = 60;
const AHEAD_DAYS = 400;
/** Cancelled entries stay in the feed for this long, so that every program sees the cancellation. */
const CANCELLED_DAYS = 30;
const MAX_ENTRIES = 5000;

export interface Entry {
  readonly event: number;
  /** for an entry of a customer: the booking, and in a family's calendar, the person it is for */
  readonly booking: number | null;
  readonly person: string | null;
  readonly name: string;
  readonly description: string | null;
  readonly starts_at: number;
  readonly ends_at: number;
  readonly timezone: string;
  readonly venue: string;
  readonly room: string | null;
  readonly address: string;
  readonly instructors: string | null;
  readonly cancelled: boolean;
  /** for staff who plan: the number of bookings, and the capacity */
  readonly booked: number | null;
  readonly places: number | null;
  readonly created_at: number;
  readonly changed_at: number;
  /** grows with each change of what is shown */
  readonly revision: number;
}

const ADDRESS = raw(
  `concat_ws(', ', nullif(v.physical_address->>'street', ''), nullif(v.physical_address->>'city', ''), nullif(v.physical_address->>'region', ''), nullif(v.physical_address->>'postal_code', ''))`,
);

const EVENT = sql`e.id AS event, e.name, e.description, e.starts_at, e.ends_at, e.timezone,
  taught.names AS instructors, e.created_at`;

const AROUND = sql`JOIN venue v ON v.provider_id = e.provider_id AND v.id = e.venue_id
  LEFT JOIN venue_room r ON r.provider_id = e.provider_id AND r.id = e.venue_room_id
  LEFT JOIN LATERAL (
    SELECT string_agg(i.name, ', ' ORDER BY i.id) AS names, max(i.updated_at) AS changed_at,
      sum(i.calendar_revision) AS revision
    FROM event_instructor ei JOIN instructor i ON i.provider_id = ei.provider_id AND i.id = ei.instructor_id
    WHERE ei.provider_id = e.provider_id AND ei.event_id = e.id) taught ON true`;

/** Every change to an entry changes one of these. */
const changed = (own: Sql): Sql =>
  sql`greatest(e.updated_at, v.updated_at, r.updated_at, taught.changed_at, ${own}) AS changed_at`;

const THERE = sql`v.name AS venue, r.name AS room, ${ADDRESS} AS address`;

/** The place at which a person takes part: online, or at the venue. */
const PLACE_OF_BOOKING = sql`coalesce(call.name, v.name) AS venue, CASE WHEN call.id IS NULL THEN r.name END AS room,
  CASE WHEN call.id IS NULL THEN ${ADDRESS} ELSE '' END AS address`;

const EVENT_REVISION = sql`
  e.calendar_revision + v.calendar_revision + coalesce(r.calendar_revision, 0) + coalesce(taught.revision, 0)`;

/** The number that an entry for the event has now. */
export const revisionOf = (providerId: number, event: number): Sql =>
  sql`SELECT (${EVENT_REVISION})::bigint AS revision FROM event e ${AROUND}
    WHERE e.provider_id = ${providerId} AND e.id = ${event}`;

export function entriesOf({ providerId, kind, subject }: Feed, now: number): Sql {
  const during = sql`e.ends_at > ${instant(now - BACK_DAYS * DAY_MS)}::timestamptz
    AND e.starts_at < ${instant(now + AHEAD_DAYS * DAY_MS)}::timestamptz`;
  const lately = sql`${instant(now - CANCELLED_DAYS * DAY_MS)}::timestamptz`;
  const order = sql`ORDER BY e.starts_at, e.id LIMIT ${MAX_ENTRIES}`;
  if (kind === 'customer' || kind === 'family') {
    const family = sql`SELECT c.id FROM customer me
      JOIN customer c ON c.provider_id = me.provider_id AND c.deleted_at IS NULL
        AND (c.id = me.id OR (me.family_role = 'manager' AND c.family_id = me.family_id))
      WHERE me.provider_id = ${providerId} AND me.id = ${subject}`;
    return sql`
      SELECT ${EVENT}, ${PLACE_OF_BOOKING}, a.id AS booking,
        ${kind === 'family' ? raw('c.first_name') : raw('NULL::text')} AS person,
        (e.status = 'cancelled' OR a.status IN ('not_registered', 'late_cancelled')) AS cancelled,
        NULL::int AS booked, NULL::int AS places, ${changed(raw('a.updated_at'))},
        (${EVENT_REVISION} + a.calendar_revision + ${raw(kind === 'family' ? 'c.calendar_revision' : '0')})::bigint
        AS revision
      FROM attendance a JOIN event e ON e.provider_id = a.provider_id AND e.id = a.event_id
      JOIN customer c ON c.provider_id = a.provider_id AND c.id = a.customer_id ${AROUND}
      LEFT JOIN venue call ON a.place = 'online' AND call.provider_id = e.provider_id AND call.id = e.online_venue_id
      WHERE a.provider_id = ${providerId}
        AND a.customer_id IN (${kind === 'family' ? family : sql`SELECT ${subject}::bigint`})
        AND ${during} AND ((a.status IN ('registered', 'attended', 'no_show') AND e.status = 'active')
          OR a.cancelled_at > ${lately}
          OR (e.cancelled_at > ${lately} AND a.status IN ('registered', 'attended', 'no_show')))
      ${order}`;
  }
  const which =
    kind === 'instructor'
      ? sql`e.id IN (SELECT mine.event_id FROM event_instructor mine
        WHERE mine.provider_id = ${providerId} AND mine.instructor_id = ${subject})`
      : kind === 'room'
        ? sql`e.venue_room_id = ${subject}`
        : sql`true`;
  const conditions = [
    sql`e.provider_id = ${providerId}`,
    which,
    during,
    sql`(e.status = 'active' OR e.cancelled_at > ${lately})`,
  ];
  return sql`
    SELECT ${EVENT}, ${THERE}, NULL::bigint AS booking, NULL::text AS person, (e.status = 'cancelled') AS cancelled,
      e.attending_count + e.online_attending_count AS booked,
      e.max_occupancy + coalesce(e.online_max_occupancy, 0) AS places, ${changed(raw('bookings.changed_at'))},
      (${EVENT_REVISION} + e.occupancy_revision)::bigint AS revision
    FROM event e ${AROUND}
    LEFT JOIN LATERAL (SELECT max(a.updated_at) AS changed_at FROM attendance a
      WHERE a.provider_id = e.provider_id AND a.event_id = e.id) bookings ON true
    WHERE ${join(conditions, ' AND ')} ${order}`;
}

/** Selects the subject of a calendar. No row: the subject no longer exists. */
export function subjectOf({ providerId, kind, subject }: Feed): Sql {
  switch (kind) {
    case 'customer':
    case 'family':
      return sql`SELECT c.first_name AS name FROM customer c
        WHERE c.provider_id = ${providerId} AND c.id = ${subject} AND c.deleted_at IS NULL AND NOT c.is_walk_in`;
    case 'instructor':
      return sql`SELECT i.name FROM instructor i
        WHERE i.provider_id = ${providerId} AND i.id = ${subject} AND NOT i.archived`;
    case 'room':
      return sql`SELECT r.name FROM venue_room r
        WHERE r.provider_id = ${providerId} AND r.id = ${subject} AND r.status = 'active'`;
    case 'business':
      return sql`SELECT NULL::text AS name`;
  }
}
