/** The writes of an event, for endpoints, series, importer and demo. All of them hold the lock of the event's row. */
import { instant, sql } from '../../kernel/db/sql.ts';
import { insertRow, replaceLinks, updateRow } from '../../kernel/db/row.ts';
import { formatWall, parseInstant } from '../../kernel/values/zone.ts';
import { invalid, Problem } from '../../kernel/api/problem.ts';
import { eventCancelled, eventChanged, eventCreated, registrationCancelled } from './feed.ts';
import { giveFreedSeats } from './freed-seats.ts';
import type { Work } from '../../kernel/work.ts';

/** A week is longer than any meeting; a slip of the date is more likely. */
const LONGEST_MS = 7 * 86_400_000;

export interface EventValues {
  name: string;
  offering_type: number;
  venue: number;
  venue_room?: number | null;
  /** ISO 8601; without an offset in the venue's zone */
  starts_at: string;
  ends_at: string;
  instructors?: number[];
  category?: number | null;
  /** null or 0: without limit */
  max_occupancy?: number | null;
  waitlist_max_override?: number | null;
  description?: string | null;
  registration_timelines?: number[] | null;
  /** epoch ms */
  calendar_opens_at?: number | null;
  external_id?: string | null;
}

export interface SeriesPlace {
  readonly id: number;
  /** the wall time that the series planned */
  readonly plannedAt: string;
}

/** Locked until the event is written, so that the venue can neither change its zone nor be archived in between. */
export async function venueZone(work: Work, venueId: number): Promise<string> {
  const row = await work.tx.one<{ timezone: string; archived: boolean }>(
    sql`SELECT timezone, archived FROM venue WHERE provider_id = ${work.providerId} AND id = ${venueId} FOR KEY SHARE`,
  );
  if (!row) throw invalid('venue', `There is no venue with the id ${venueId}.`);
  if (row.archived) throw invalid('venue', 'The venue is archived.');
  return row.timezone;
}

/** Wall times and instants of a plan; the one place where they are made of each other. */
export function plannedTimes(zone: string, startsText: string, endsText: string) {
  const [startsAt, endsAt] = [parseInstant(startsText, zone), parseInstant(endsText, zone)];
  if (startsAt === null) throw invalid('starts_at', 'A time is required.');
  if (endsAt === null) throw invalid('ends_at', 'A time is required.');
  if (endsAt <= startsAt) throw invalid('ends_at', 'Must be after starts_at.');
  if (endsAt - startsAt > LONGEST_MS) throw invalid('ends_at', 'An event lasts at most a week.');
  return timeColumns(zone, startsAt, endsAt);
}

export const timeColumns = (zone: string, startsAt: number, endsAt: number) => ({
  timezone: zone,
  local_starts_at: formatWall(startsAt, zone),
  local_ends_at: formatWall(endsAt, zone),
  starts_at: instant(startsAt),
  ends_at: instant(endsAt),
});

/**
 * Locks what events are going to use: the rooms, then the instructors, each by id. Two who want the same room at the same
 * time would else both write, wait for each other's row, and be told apart by a deadlock a second later. The rows of the
 * events themselves are locked before.
 */
export async function lockUses(work: Work, rooms: readonly (number | null | undefined)[], instructors: readonly number[], eventIds: readonly number[] = []): Promise<void> {
  const { providerId, tx } = work;
  const roomIds = rooms.filter((id) => id != null);
  if (roomIds.length > 0) await tx.run(sql`SELECT FROM venue_room WHERE provider_id = ${providerId} AND id = ANY(${roomIds}::bigint[]) ORDER BY id FOR NO KEY UPDATE`);
  if (instructors.length === 0 && eventIds.length === 0) return;
  await tx.run(
    sql`SELECT FROM instructor WHERE provider_id = ${providerId} AND (id = ANY(${instructors}::bigint[]) OR id IN (
          SELECT instructor_id FROM event_instructor WHERE provider_id = ${providerId} AND event_id = ANY(${eventIds}::bigint[])))
        ORDER BY id FOR NO KEY UPDATE`,
  );
}

async function checkRoom(work: Work, venueId: number, roomId: number | null | undefined): Promise<boolean> {
  if (!roomId) return true;
  const room = await work.tx.one<{ allows_double_booking: boolean; status: string }>(
    sql`SELECT allows_double_booking, status FROM venue_room WHERE provider_id = ${work.providerId} AND id = ${roomId} AND venue_id = ${venueId} FOR NO KEY UPDATE`,
  );
  if (!room) throw invalid('venue_room', 'The room does not belong to the venue.');
  if (room.status !== 'active') throw invalid('venue_room', 'The room is archived.');
  return !room.allows_double_booking;
}

const links = {
  instructors: { table: 'event_instructor', column: 'instructor_id' },
  registration_timelines: { table: 'event_registration_timeline', column: 'registration_timeline_id' },
};

async function linkAll(work: Work, eventId: number, values: Partial<Pick<EventValues, 'instructors' | 'registration_timelines'>>): Promise<void> {
  for (const [name, { table, column }] of Object.entries(links)) {
    const ids = values[name as keyof typeof links];
    if (ids !== undefined) await replaceLinks(work, table, { column: 'event_id', id: eventId }, { column, ids: ids ?? [] });
  }
}

/** Columns of the values that are stored as they come. */
const plain = ({ name, category, description, external_id, waitlist_max_override, max_occupancy, calendar_opens_at }: Partial<EventValues>) => ({
  name,
  category_id: category,
  description,
  external_id,
  waitlist_max_override,
  max_occupancy: max_occupancy === undefined ? undefined : max_occupancy || null,
  calendar_opens_at: calendar_opens_at === undefined ? undefined : instant(calendar_opens_at),
});

export async function createEvent(work: Work, values: EventValues, series?: SeriesPlace): Promise<number> {
  const zone = await venueZone(work, values.venue);
  await lockUses(work, [values.venue_room], values.instructors ?? []);
  const exclusive = await checkRoom(work, values.venue, values.venue_room);
  const id = await insertRow(work, 'event', {
    ...plain(values),
    offering_type_id: values.offering_type,
    venue_id: values.venue,
    venue_room_id: values.venue_room,
    room_exclusive: exclusive,
    ...plannedTimes(zone, values.starts_at, values.ends_at),
    series_id: series?.id,
    series_local_starts_at: series?.plannedAt,
  });
  await linkAll(work, id, values);
  work.record(eventCreated, id, { event: id });
  return id;
}

/** `row` is the event as it is stored, locked. Answers whether anything changed. */
export async function changeEvent(work: Work, row: Record<string, any>, values: Partial<EventValues>, notify: string | null = null): Promise<boolean> {
  if (row.status === 'cancelled') throw new Problem('already_cancelled', 'The event is cancelled; a cancelled event is not changed.');
  const venue = values.venue ?? row.venue_id;
  const room = values.venue_room !== undefined ? values.venue_room : values.venue === undefined || values.venue === row.venue_id ? row.venue_room_id : null;
  const moved = values.starts_at !== undefined || values.ends_at !== undefined || venue !== row.venue_id;
  const zone = venue === row.venue_id ? row.timezone : await venueZone(work, venue);
  if (moved || room !== row.venue_room_id || values.instructors !== undefined) await lockUses(work, [room], values.instructors ?? [], [row.id]);
  const columns = {
    ...plain(values),
    venue_id: values.venue,
    venue_room_id: room === row.venue_room_id ? undefined : room,
    room_exclusive: room === row.venue_room_id ? undefined : await checkRoom(work, venue, room),
    // What is planned is the wall time: in a venue of another zone the event keeps its clock time there.
    ...(moved && plannedTimes(zone, values.starts_at ?? row.local_starts_at, values.ends_at ?? row.local_ends_at)),
  };
  checkCapacity(row, columns.max_occupancy);
  const changed = changedNames(row, columns, values);
  await updateRow(work, 'event', row.id, columns);
  await linkAll(work, row.id, values);
  if (changed.length === 0) return false;
  work.record(eventChanged, row.id, { event: row.id, changed, notify });
  work.effect('event_changed', 'event', row.id, { changed, bookings: row.attending_count, waiting: row.waiting_count });
  if (columns.max_occupancy !== undefined) await giveFreedSeats(work, row.id);
  return true;
}

function checkCapacity(row: Record<string, any>, max: number | null | undefined): void {
  const taken = row.attending_count + row.held_count;
  if (max !== undefined && max !== null && max < taken) {
    throw new Problem('capacity_below_bookings', `${taken} places are booked or kept; cancel bookings first or allow at least ${taken}.`, {
      max_occupancy: [`At least ${taken}.`],
    });
  }
}

/** Names of the wire properties whose stored value changes. */
function changedNames(row: Record<string, any>, columns: Record<string, unknown>, values: Partial<EventValues>): string[] {
  const wire: Record<string, string> = { category_id: 'category', venue_id: 'venue', venue_room_id: 'venue_room' };
  const unseen = new Set(['local_starts_at', 'local_ends_at', 'timezone', 'room_exclusive']);
  const same = (name: string, value: unknown) => {
    const stored = row[name];
    return typeof stored === 'number' && typeof value === 'string' && name.endsWith('_at') ? stored === Date.parse(value) : stored === value;
  };
  const names = Object.entries(columns).filter(([name, value]) => value !== undefined && !unseen.has(name) && !same(name, value)).map(([name]) => wire[name] ?? name);
  for (const name of Object.keys(links)) if (values[name as keyof EventValues] !== undefined) names.push(name);
  return names;
}

/** Cancels one event: bookings end without blame, the waitlist ends, everybody can be told. */
export async function cancelEvent(work: Work, row: Record<string, any>, notify: string | null = null): Promise<void> {
  if (row.status === 'cancelled') throw new Problem('already_cancelled', 'The event is cancelled already.');
  const now = instant(work.now);
  const { providerId, tx } = work;
  await tx.run(sql`UPDATE event SET status = 'cancelled', cancelled_at = ${now}, updated_at = ${now} WHERE provider_id = ${providerId} AND id = ${row.id}`);
  const [bookings] = await tx.all([
    sql`UPDATE attendance SET status = 'not_registered', cancelled_at = ${now}, updated_at = ${now}
        WHERE provider_id = ${providerId} AND event_id = ${row.id} AND status = 'registered' RETURNING id, customer_id`,
    sql`UPDATE waitlist_spot SET ended_at = ${now}, end_reason = 'event_cancelled'
        WHERE provider_id = ${providerId} AND event_id = ${row.id} AND ended_at IS NULL`,
  ]);
  work.record(eventCancelled, row.id, { event: row.id, notify });
  for (const { id, customer_id } of bookings) {
    work.record(registrationCancelled, id, { attendance: id, event: row.id, customer: customer_id, reason: 'event_cancelled' });
    work.effect('booking_lost', 'attendance', id, { event: row.id, customer: customer_id });
  }
  work.effect('event_cancelled', 'event', row.id, { bookings: bookings.length, waiting: row.waiting_count });
}
