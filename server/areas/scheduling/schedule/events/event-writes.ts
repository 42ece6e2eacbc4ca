/**
 * Writes of an event, for endpoints, series, the importer and the demo. All of them hold the lock of the event's row.
 */
import { lockInstructors } from '../../../people/staff/index.ts';
import { lockVenueRooms, usesRoomAlone, venueZone } from '../../../places/venues/index.ts';
import { instant, raw, sql } from '../../../../kernel/base/db/sql.ts';
import { insertRow, replaceLinks, updateRow } from '../../../../kernel/work/unit/row.ts';
import { formatWall, parseInstant, parseWall, wallOfText } from '../../../../kernel/base/values/zone.ts';
import { invalid, Problem } from '../../../../kernel/base/problem.ts';
import { eventFeed } from '../feed.ts';
import { giveFreedSeats } from '../waitlist/freed-seats.ts';
import { dayOf, refuseClosedDay } from './closed-days.ts';
import { SCHEDULE_PROBLEMS } from '../problems.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** No meeting lasts longer than a week: a wrong date is more likely. */
const LONGEST_MS = 7 * 86_400_000;

export interface EventValues {
  name: string;
  offering_type: number;
  venue: number;
  venue_room?: number | null;
  /** ISO 8601; without an offset, in the venue's zone */
  starts_at: string;
  ends_at: string;
  instructors?: number[];
  category?: number | null;
  /** null or 0 for no limit */
  max_occupancy?: number | null;
  waitlist_max_override?: number | null;
  /** online venue of the places online, and their number; both or neither */
  online_venue?: number | null;
  online_max_occupancy?: number | null;
  description?: string | null;
  registration_timelines?: number[] | null;
  /** in epoch milliseconds */
  calendar_opens_at?: number | null;
  external_id?: string | null;
  /** true if it may be planned on a day on which the venue is closed */
  on_closed_day?: boolean;
  /** minutes during which room and instructors stay free around it; default 0 */
  buffer_before?: number;
  buffer_after?: number;
}

interface SeriesPlace {
  readonly id: number;
  /** wall time that the series planned */
  readonly plannedAt: string;
}

/** Returns the wall times and instants of a plan; the only place that converts between them. */
export function plannedTimes(zone: string, startsText: string, endsText: string) {
  const [startsAt, endsAt] = [parseInstant(startsText, zone), parseInstant(endsText, zone)];
  if (startsAt === null) throw invalid('starts_at', 'Must be a time.');
  if (endsAt === null) throw invalid('ends_at', 'Must be a time.');
  // A start in the hour that clocks skip moves to a later time; an end that would then be before the start, but is
  // after it on the clock, moves with it.
  const ends = endsAt > startsAt ? endsAt : startsAt + wallLength(zone, startsText, endsText);
  if (ends <= startsAt) throw invalid('ends_at', 'Must be after starts_at.');
  if (ends - startsAt > LONGEST_MS) throw invalid('ends_at', 'An event can last at most one week.');
  return timeColumns(zone, startsAt, ends);
}

/** Returns how much later the end is than the start on the clock, in milliseconds; both are validated. */
const wallLength = (zone: string, startsText: string, endsText: string): number =>
  wallDifference(wallOfText(startsText, zone)!, wallOfText(endsText, zone)!);

/** Returns the difference between two wall times on the clock, in milliseconds. */
export const wallDifference = (from: string, to: string): number => parseWall(to)! - parseWall(from)!;

export const timeColumns = (zone: string, startsAt: number, endsAt: number) => ({
  timezone: zone,
  local_starts_at: formatWall(startsAt, zone),
  local_ends_at: formatWall(endsAt, zone),
  starts_at: instant(startsAt),
  ends_at: instant(endsAt),
});

/**
 * Locks what events are going to use: the rooms, then the instructors, each by id. Otherwise, two requests for the same
 * room at the same time would both write, wait for each other's row, and end in a deadlock a second later. The rows of
 * the events themselves are locked before.
 */
export async function lockUses(
  work: Work,
  rooms: readonly (number | null | undefined)[],
  instructors: readonly number[],
  eventIds: readonly number[] = [],
): Promise<void> {
  const roomIds = rooms.filter((id) => typeof id === 'number');
  if (roomIds.length > 0) await lockVenueRooms(work, roomIds);
  if (instructors.length === 0 && eventIds.length === 0) return;
  await lockInstructors(
    work,
    sql`SELECT unnest(${instructors}::bigint[]) UNION
        SELECT instructor_id FROM event_instructor
        WHERE provider_id = ${work.providerId} AND event_id = ANY(${eventIds}::bigint[])`,
  );
}

const links = {
  instructors: { table: 'event_instructor', column: 'instructor_id' },
  registration_timelines: { table: 'event_registration_timeline', column: 'registration_timeline_id' },
};

type LinkName = keyof typeof links;
type LinkValues = Partial<Pick<EventValues, LinkName>>;

interface ChangedLinks {
  readonly name: LinkName;
  readonly before: ReadonlySet<number>;
  readonly after: ReadonlySet<number>;
}

/** Returns the given links that differ from the stored ones: an idempotent call changes nothing. */
async function changedLinks(work: Work, eventId: number, values: LinkValues): Promise<ChangedLinks[]> {
  const changed: ChangedLinks[] = [];
  for (const name of Object.keys(links) as LinkName[]) {
    if (values[name] === undefined) continue;
    const { table, column } = links[name];
    const rows = await work.tx.rows<{ id: number }>(
      sql`SELECT ${raw(column)} AS id FROM ${raw(table)}
        WHERE provider_id = ${work.providerId} AND event_id = ${eventId}`,
    );
    const [before, after] = [new Set(rows.map((r) => r.id)), new Set(values[name] ?? [])];
    if (before.symmetricDifference(after).size > 0) changed.push({ name, before, after });
  }
  return changed;
}

async function linkAll(
  work: Work,
  eventId: number,
  values: LinkValues,
  names = Object.keys(links) as LinkName[],
): Promise<void> {
  for (const name of names) {
    const { table, column } = links[name];
    const ids = values[name];
    if (name === 'instructors' && ids?.length) await checkInstructors(work, eventId, ids);
    if (ids !== undefined)
      await replaceLinks(work, table, { column: 'event_id', id: eventId }, { column, ids: ids ?? [] });
  }
}

/** Checks only instructors who are new to the event: those who have left stay with the events that they taught. */
async function checkInstructors(work: Work, eventId: number, ids: readonly number[]): Promise<void> {
  const archived = await work.tx.one<{ id: number }>(
    sql`SELECT id FROM instructor i WHERE provider_id = ${work.providerId} AND id = ANY(${ids}::bigint[]) AND archived
      AND NOT EXISTS (
          SELECT FROM event_instructor ei WHERE ei.provider_id = i.provider_id AND ei.event_id = ${eventId}
            AND ei.instructor_id = i.id) ORDER BY id LIMIT 1`,
  );
  if (archived) throw invalid('instructors', `The instructor with the id ${archived.id} is archived.`);
}

/** Returns the columns that are stored unchanged. */
const plain = ({
  name,
  category,
  description,
  external_id,
  waitlist_max_override,
  max_occupancy,
  calendar_opens_at,
  buffer_before,
  buffer_after,
}: Partial<EventValues>) => ({
  name,
  buffer_before,
  buffer_after,
  category_id: category,
  description: description === '' ? null : description,
  external_id,
  waitlist_max_override,
  max_occupancy: max_occupancy === undefined ? undefined : max_occupancy || null,
  calendar_opens_at: calendar_opens_at === undefined ? undefined : instant(calendar_opens_at),
});

async function checkOffering(work: Work, id: number): Promise<void> {
  const found = await work.tx.one<{ status: string }>(
    sql`SELECT status FROM offering_type WHERE provider_id = ${work.providerId} AND id = ${id}`,
  );
  if (!found) throw invalid('offering_type', `There is no offering type with the id ${id}.`);
  if (found.status !== 'active') throw invalid('offering_type', 'The offering type is archived.');
}

export async function createEvent(work: Work, values: EventValues, series?: SeriesPlace): Promise<number> {
  await checkOffering(work, values.offering_type);
  const zone = await venueZone(work, values.venue);
  const times = plannedTimes(zone, values.starts_at, values.ends_at);
  // A series has already skipped closed days.
  if (!series && !values.on_closed_day)
    await refuseClosedDay(work, { venue: values.venue, date: dayOf(times), field: 'starts_at' });
  await lockUses(work, [values.venue_room], values.instructors ?? []);
  const exclusive = await usesRoomAlone(work, values.venue, values.venue_room);
  const id = await insertRow(work, 'event', {
    ...plain(values),
    ...(await onlinePlaces(work, values, { venue_id: values.venue })),
    offering_type_id: values.offering_type,
    venue_id: values.venue,
    venue_room_id: values.venue_room,
    room_exclusive: exclusive,
    ...times,
    series_id: series?.id,
    series_local_starts_at: series?.plannedAt,
  });
  await linkAll(work, id, values);
  work.record(eventFeed.created, id, { event: id });
  work.effect('event_created', 'event', id, { starts_at: values.starts_at, ends_at: values.ends_at });
  return id;
}

/**
 * Returns null for each value that the event inherits from its offering type and that is sent back as it was shown, so
 * that it stays inherited.
 */
async function inherited(
  work: Work,
  row: Record<string, any>,
  { description, category }: Partial<EventValues>,
): Promise<Partial<EventValues>> {
  const mayBe = {
    description: Boolean(description) && row.description === null,
    category: Boolean(category) && row.category_id === null,
  };
  if (!mayBe.description && !mayBe.category) return {};
  const type = await work.tx.one<{ description: string | null; category_id: number | null }>(
    sql`SELECT description, category_id FROM offering_type
      WHERE provider_id = ${work.providerId} AND id = ${row.offering_type_id}`,
  );
  return {
    ...(mayBe.description && description === type?.description && { description: null }),
    ...(mayBe.category && category === type?.category_id && { category: null }),
  };
}

/** Changes an event. `row` is the stored event, locked. Returns whether anything changed. */
export async function changeEvent(
  work: Work,
  row: Record<string, any>,
  values: Partial<EventValues>,
  notify: string | null = null,
): Promise<boolean> {
  if (row.status === 'cancelled')
    throw new Problem('already_cancelled', "The event is cancelled. Cancelled events can't be changed.");
  return writeChange(work, row, values, notify);
}

/**
 * Changes a cancelled event together with its series, so that it follows the current plan if it is restored. While it
 * is cancelled it uses nothing, so neither a closed day nor another event conflicts with it, and nobody is notified.
 */
export const changeCancelled = (work: Work, row: Record<string, any>, values: Partial<EventValues>): Promise<boolean> =>
  writeChange(work, row, { ...values, on_closed_day: true }, null);

async function writeChange(
  work: Work,
  row: Record<string, any>,
  values: Partial<EventValues>,
  notify: string | null,
): Promise<boolean> {
  const venue = values.venue ?? row.venue_id;
  const room =
    values.venue_room !== undefined
      ? values.venue_room
      : values.venue === undefined || values.venue === row.venue_id
        ? row.venue_room_id
        : null;
  const moved = values.starts_at !== undefined || values.ends_at !== undefined || venue !== row.venue_id;
  const zone = venue === row.venue_id ? row.timezone : await venueZone(work, venue);
  // The plan is a wall time: at a venue in another zone, the event keeps its clock time there.
  const times =
    moved &&
    plannedTimes(
      zone,
      values.starts_at ?? stays(row, 'starts_at', zone),
      values.ends_at ?? stays(row, 'ends_at', zone),
    );
  if (times && !values.on_closed_day) await refuseClosedDayOf(work, row, { venue, date: dayOf(times) });
  if (moved || room !== row.venue_room_id || values.instructors !== undefined)
    await lockUses(work, [room], values.instructors ?? [], [row.id]);
  const columns = {
    ...plain({ ...values, ...(await inherited(work, row, values)) }),
    ...(await onlinePlaces(work, values, { ...row, venue_id: venue })),
    venue_id: values.venue,
    venue_room_id: room === row.venue_room_id ? undefined : room,
    room_exclusive: room === row.venue_room_id ? undefined : await usesRoomAlone(work, venue, room),
    ...times,
  };
  checkCapacity(row, 'max_occupancy', columns.max_occupancy);
  checkCapacity(row, 'online_max_occupancy', columns.online_max_occupancy);
  const links = await changedLinks(work, row.id, values);
  const changedLinkNames = links.map(({ name }) => name);
  const changed = [...changedNames(row, columns), ...changedLinkNames];
  if (changed.length === 0) return false;
  work.touch('event', row.id, row);
  // Also if only links changed: calendars detect changes of the event by `updated_at`.
  await updateRow(work, 'event', row.id, { ...columns, name: columns.name ?? row.name });
  await linkAll(work, row.id, values, changedLinkNames);
  work.record(eventFeed.changed, row.id, { event: row.id, changed, notify });
  const bookings = row.attending_count + row.online_attending_count;
  const waiting = row.waiting_count + row.online_waiting_count;
  work.effect('event_changed', 'event', row.id, { changed, bookings, waiting });
  const taught = row.status === 'active' && links.find(({ name }) => name === 'instructors');
  if (taught)
    work.record(eventFeed.instructors_changed, row.id, {
      event: row.id,
      removed: [...taught.before.difference(taught.after)],
      added: [...taught.after.difference(taught.before)],
      notify,
    });
  if (['starts_at', 'ends_at', 'venue'].some((name) => changed.includes(name))) await reportMoved(work, row);
  if (['max_occupancy', 'online_max_occupancy'].some((name) => changed.includes(name)) && row.status === 'active')
    await giveFreedSeats(work, row.id);
  return true;
}

/** Checks closed days, except for an event that stays at its venue and on its day. */
async function refuseClosedDayOf(
  work: Work,
  row: Record<string, any>,
  { venue, date }: { venue: number; date: string },
): Promise<void> {
  const sameDay = date === dayOf(row as { local_starts_at: string });
  if (sameDay && venue === row.venue_id) return;
  await refuseClosedDay(work, { venue, date, field: sameDay ? 'venue' : 'starts_at' });
}

/**
 * Returns a time that was not sent: its instant, which is unambiguous if a wall time happens twice; in another zone its
 * wall time.
 */
const stays = (row: Record<string, any>, name: 'starts_at' | 'ends_at', zone: string): string =>
  zone === row.timezone ? instant(row[name])! : row[`local_${name}`];

async function reportMoved(
  work: Work,
  { id, attending_count, online_attending_count }: Record<string, any>,
): Promise<void> {
  if (attending_count + online_attending_count === 0) return;
  const bookings = await work.tx.rows<{ id: number; customer_id: number }>(
    sql`SELECT id, customer_id FROM attendance
      WHERE provider_id = ${work.providerId} AND event_id = ${id} AND status = 'registered' ORDER BY id`,
  );
  for (const booking of bookings)
    work.effect('booking_moved', 'attendance', booking.id, { event: id, customer: booking.customer_id });
}

type Capacity = 'max_occupancy' | 'online_max_occupancy';

function checkCapacity(row: Record<string, any>, name: Capacity, max: number | null | undefined): void {
  const online = name === 'online_max_occupancy';
  const of = online ? 'online_' : '';
  const taken = row[`${of}attending_count`] + row[`${of}held_count`];
  if (max === undefined || (max === null && !online)) return;
  if (taken > (max ?? 0)) {
    throw new Problem(
      SCHEDULE_PROBLEMS.capacity_below_bookings,
      `${taken} places${online ? ' online' : ''} are booked or kept. Cancel bookings first, or allow at least ${taken}.`,
      { [name]: [`Must be at least ${taken}.`] },
    );
  }
  const waiting = row.online_waiting_count;
  if (max === null && waiting > 0)
    throw new Problem(
      SCHEDULE_PROBLEMS.capacity_below_bookings,
      `${waiting} customers wait for a place online. Take them off the waitlist first.`,
      { [name]: ['Somebody waits for a place online.'] },
    );
}

type OnlineColumns = Partial<Record<'online_venue_id' | 'online_max_occupancy', number | null>>;

/**
 * Returns the columns of the places online, which an event at a physical venue can have. Null for either removes them.
 *
 * @throws Problem if one of the two is missing, or a venue is of the wrong type
 */
async function onlinePlaces(
  work: Work,
  { online_venue, online_max_occupancy }: Partial<EventValues>,
  row: OnlineColumns & { readonly venue_id: number },
): Promise<OnlineColumns> {
  if (online_venue === null || online_max_occupancy === null)
    return { online_venue_id: null, online_max_occupancy: null };
  const venue = online_venue ?? row.online_venue_id ?? null;
  const max = online_max_occupancy ?? row.online_max_occupancy ?? null;
  if (venue === null && max === null) return {};
  if (venue === null) throw invalid('online_venue', 'Required for places online: name an online venue.');
  if (max === null) throw invalid('online_max_occupancy', 'Required for places online.');
  const types = await work.tx.rows<{ id: number; venue_type: string }>(
    sql`SELECT id, venue_type FROM venue
      WHERE provider_id = ${work.providerId} AND id = ANY(${[venue, row.venue_id]}::bigint[])`,
  );
  const typeOfVenue = (id: number) => types.find((found) => found.id === id)?.venue_type;
  if (typeOfVenue(venue) !== 'online') throw invalid('online_venue', 'Must be an online venue.');
  if (typeOfVenue(row.venue_id) === 'online')
    throw invalid('online_venue', 'The whole event is online already. Only an event at a venue has places online too.');
  return { online_venue_id: venue, online_max_occupancy: max };
}

/** Returns the names of properties that are columns and whose stored value changes. */
function changedNames(row: Record<string, any>, columns: Record<string, unknown>): string[] {
  const wire: Record<string, string> = {
    category_id: 'category',
    venue_id: 'venue',
    venue_room_id: 'venue_room',
    online_venue_id: 'online_venue',
  };
  const unseen = new Set([
    'local_starts_at',
    'local_ends_at',
    'timezone',
    'room_exclusive',
    'buffer_before',
    'buffer_after',
  ]);
  const same = (name: string, value: unknown) => {
    const stored = row[name];
    return typeof stored === 'number' && typeof value === 'string' && name.endsWith('_at')
      ? stored === Date.parse(value)
      : stored === value;
  };
  return Object.entries(columns)
    .filter(([name, value]) => value !== undefined && !unseen.has(name) && !same(name, value))
    .map(([name]) => wire[name] ?? name);
}
