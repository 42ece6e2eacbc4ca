/** Writes of schedules, for the endpoints of this area and for the demo. */
import { changedNames, insertRow, lockRows, updateRow } from '../../../kernel/work/unit/row.ts';
import { invalid, Issues } from '../../../kernel/base/problem.ts';
import { json, sql } from '../../../kernel/base/db/sql.ts';
import { WEEK } from './schedule.ts';
import { availabilityScheduleOfferingTypeFeed, availabilityScheduleFeed } from './feed.ts';
import { united } from './time-ranges.ts';
import type { TimeRange } from './rules/ranges.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Values of a schedule. Undefined means the default, or no change. */
interface ScheduleValues extends Partial<Record<(typeof WEEK)[number], readonly TimeRange[]>> {
  name?: string;
  /** id; null: every venue */
  venue?: number | null;
  /** id */
  instructor?: number;
  /** the first and the last day on which the schedule is valid */
  valid_from?: string | null;
  valid_until?: string | null;
}

/**
 * Creates a schedule and returns its id. An instructor's schedule is named after the instructor unless a name is given.
 */
export async function createSchedule(work: Work, values: ScheduleValues): Promise<number> {
  checkValidity({}, values);
  const id = await insertRow(work, 'availability_schedule', {
    ...columnsOf(values),
    schedule_type: values.instructor === undefined ? 'RRTL' : 'IU',
    name: values.name ?? (await nameFor(work, values.instructor)),
  });
  work.record(availabilityScheduleFeed.created, id, { availability_schedule: id });
  return id;
}

async function nameFor({ tx, providerId }: Work, instructor: number | undefined): Promise<string> {
  if (instructor === undefined) return 'Room rental';
  const row = await tx.one<{ name: string }>(
    sql`SELECT left(name, 32) AS name FROM instructor WHERE provider_id = ${providerId} AND id = ${instructor}`,
  );
  return row!.name.trim();
}

/** Changes a schedule. `stored` is its current row, locked. */
export async function changeSchedule(work: Work, stored: Record<string, any>, values: ScheduleValues): Promise<void> {
  checkValidity(stored, values);
  const changed = changedNames(values);
  if (changed.length === 0) return;
  if (values.venue !== undefined && values.venue !== null && values.venue !== stored.venue_id)
    await checkRoomsAt(work, stored.id, values.venue);
  await updateRow(work, 'availability_schedule', stored.id, columnsOf(values));
  work.record(availabilityScheduleFeed.updated, stored.id, { availability_schedule: stored.id, changed });
}

export async function deleteSchedule(work: Work, id: number): Promise<void> {
  for (const link of await namedBy(work, [id])) recordLink(work, availabilityScheduleOfferingTypeFeed.deleted, link);
  const mine = sql`provider_id = ${work.providerId} AND availability_schedule_id = ${id}`;
  await work.tx.all([
    sql`DELETE FROM availability_schedule_offering_type_room
      WHERE provider_id = ${work.providerId} AND availability_schedule_offering_type_id IN (
      SELECT id FROM availability_schedule_offering_type WHERE ${mine})`,
    sql`DELETE FROM availability_schedule_offering_type WHERE ${mine}`,
    sql`DELETE FROM availability_override WHERE ${mine}`,
    sql`DELETE FROM availability_schedule WHERE provider_id = ${work.providerId} AND id = ${id}`,
  ]);
  work.record(availabilityScheduleFeed.deleted, id, { availability_schedule: id });
}

function columnsOf({ venue, instructor, ...values }: ScheduleValues): Record<string, unknown> {
  const issues = new Issues();
  const weekly = WEEK.flatMap((day) => {
    const ranges = values[day];
    return ranges === undefined ? [] : [[day, json(united(ranges, day, issues))]];
  });
  issues.throwIfAny();
  return { ...values, venue_id: venue, instructor_id: instructor, ...Object.fromEntries(weekly) };
}

/** Values that a change leaves out are checked as they are stored. */
function checkValidity(stored: Record<string, any>, values: ScheduleValues): void {
  const { valid_from: from = stored.valid_from ?? null, valid_until: until = stored.valid_until ?? null } = values;
  if (from === null || until === null || from <= until) return;
  throw invalid(
    values.valid_until === undefined ? 'valid_from' : 'valid_until',
    'The last day must not be before the first.',
  );
}

async function checkRoomsAt({ tx, providerId }: Work, schedule: number, venue: number): Promise<void> {
  const elsewhere = await tx.one(sql`SELECT FROM availability_schedule_offering_type l
    JOIN availability_schedule_offering_type_room lr ON lr.provider_id = l.provider_id
      AND lr.availability_schedule_offering_type_id = l.id
    JOIN venue_room r ON r.provider_id = lr.provider_id AND r.id = lr.venue_room_id
    WHERE l.provider_id = ${providerId} AND l.availability_schedule_id = ${schedule} AND r.venue_id <> ${venue}
    LIMIT 1`);
  if (elsewhere)
    throw invalid(
      'venue',
      'The schedule names rooms of another venue. Change its rooms first, with POST /availability_schedule_offering_types/bulk_update.',
    );
}

/** An offering type that a schedule names. */
interface Named {
  /** id */
  readonly availability_schedule: number;
  /** id */
  readonly offering_type: number;
  /** ids; empty: any room; absent: unchanged */
  readonly venue_rooms?: readonly number[];
}

interface Link extends Record<string, unknown> {
  id: number;
  availability_schedule_id: number;
  offering_type_id: number;
}

/** Adds offering types to schedules, with these rooms; existing ones remain. Each pair may be given once. */
export async function nameOfferingTypes(work: Work, all: readonly Named[]): Promise<void> {
  const { tx, providerId } = work;
  const ids = [...new Set(all.map((one) => one.availability_schedule))];
  const schedules = await lockRows<Schedule>(work, 'availability_schedule', ids);
  await checkNamed(work, all, new Map(schedules.map((row) => [row.id, row])));
  const before = await namedBy(work, ids);
  const made = await tx.rows<Link>(sql`INSERT INTO availability_schedule_offering_type
      (provider_id, availability_schedule_id, offering_type_id)
    SELECT ${providerId}, s, t
    FROM unnest(${all.map((one) => one.availability_schedule)}::bigint[],
      ${all.map((one) => one.offering_type)}::bigint[])
      WITH ORDINALITY AS given (s, t, nth) ORDER BY nth
    ON CONFLICT ON CONSTRAINT availability_schedule_offering_type_one DO NOTHING
    RETURNING id, availability_schedule_id, offering_type_id`);
  for (const { id } of made) work.touch('availability_schedule_offering_type', id, null);
  const links = new Map(
    [...before, ...made].map((link) => [keyOf(link.availability_schedule_id, link.offering_type_id), link]),
  );
  const rooms = await setRooms(
    work,
    all.flatMap(({ availability_schedule: schedule, offering_type: type, venue_rooms: named }) =>
      named === undefined ? [] : [{ link: links.get(keyOf(schedule, type))!, rooms: named }],
    ),
  );
  const isNew = new Set(made.map(({ id }) => id));
  for (const one of made) recordLink(work, availabilityScheduleOfferingTypeFeed.created, one);
  for (const one of rooms.filter(({ id }) => !isNew.has(id)))
    recordLink(work, availabilityScheduleOfferingTypeFeed.updated, one);
}

type LinkKind =
  | typeof availabilityScheduleOfferingTypeFeed.created
  | typeof availabilityScheduleOfferingTypeFeed.updated
  | typeof availabilityScheduleOfferingTypeFeed.deleted;

const recordLink = (
  work: Work,
  kind: LinkKind,
  { id, availability_schedule_id: schedule, offering_type_id: type }: Link,
) =>
  work.record(kind, id, {
    availability_schedule_offering_type: id,
    availability_schedule: schedule,
    offering_type: type,
  });

const keyOf = (schedule: number, type: number): string => `${schedule}:${type}`;

interface Schedule {
  readonly id: number;
  readonly schedule_type: string;
  readonly venue_id: number | null;
}

const namedBy = ({ tx, providerId }: Work, schedules: readonly number[]): Promise<Link[]> =>
  tx.rows(sql`SELECT * FROM availability_schedule_offering_type
    WHERE provider_id = ${providerId} AND availability_schedule_id = ANY(${schedules}::bigint[])`);

async function checkNamed(
  { tx, providerId }: Work,
  all: readonly Named[],
  schedules: ReadonlyMap<number, Schedule>,
): Promise<void> {
  const [types, rooms] = await tx.all([
    sql`SELECT id, schedule_type FROM offering_type
      WHERE provider_id = ${providerId} AND id = ANY(${all.map((one) => one.offering_type)}::bigint[])`,
    sql`SELECT id, venue_id, status FROM venue_room
      WHERE provider_id = ${providerId} AND id = ANY(${all.flatMap((one) => one.venue_rooms ?? [])}::bigint[])`,
  ]);
  const typeOf = new Map(types.map((row) => [row.id as number, row.schedule_type as string]));
  const roomOf = new Map(rooms.map((row) => [row.id as number, row]));
  const issues = new Issues();
  const seen = new Set<string>();
  for (const [n, one] of all.entries()) {
    const schedule = schedules.get(one.availability_schedule)!;
    const key = keyOf(one.availability_schedule, one.offering_type);
    if (seen.has(key)) issues.add(`items.${n}.offering_type`, 'The schedule and the offering type are named twice.');
    seen.add(key);
    const rental = schedule.schedule_type === 'RRTL';
    if (rental !== (typeOf.get(one.offering_type) === 'room_rental'))
      issues.add(
        `items.${n}.offering_type`,
        rental
          ? 'A room rental schedule is for offering types with the schedule_type room_rental.'
          : 'An instructor’s schedule can’t be for room rentals. Use a schedule of the type RRTL.',
      );
    for (const room of one.venue_rooms ?? []) {
      const { venue_id: venue, status } = roomOf.get(room)!;
      if (schedule.venue_id !== null && venue !== schedule.venue_id)
        issues.add(`items.${n}.venue_rooms`, `The room ${room} does not belong to the venue of the schedule.`);
      else if (status !== 'active') issues.add(`items.${n}.venue_rooms`, `The room ${room} is archived.`);
    }
  }
  issues.throwIfAny();
}

/** Sets the rooms of links to exactly these, in the same statements for all links. Returns the links that changed. */
async function setRooms(
  work: Work,
  wanted: readonly { readonly link: Link; readonly rooms: readonly number[] }[],
): Promise<Link[]> {
  const { tx, providerId } = work;
  const stored = await tx.rows<{
    link: number;
    room: number;
  }>(sql`SELECT availability_schedule_offering_type_id AS link, venue_room_id AS room
    FROM availability_schedule_offering_type_room
    WHERE provider_id = ${providerId}
      AND availability_schedule_offering_type_id = ANY(${wanted.map(({ link }) => link.id)}::bigint[])`);
  const had = Map.groupBy(stored, (row) => row.link);
  const changes = wanted
    .map(({ link, rooms }) => ({
      link,
      before: (had.get(link.id) ?? []).map((row) => row.room),
      after: [...new Set(rooms)],
    }))
    .filter(({ before, after }) => before.length !== after.length || after.some((room) => !before.includes(room)));
  if (changes.length === 0) return [];
  const ids = changes.map(({ link }) => link.id);
  const pairs = changes.flatMap(({ link, after }) => after.map((room) => ({ link: link.id, room })));
  await tx.all([
    sql`DELETE FROM availability_schedule_offering_type_room
      WHERE provider_id = ${providerId} AND availability_schedule_offering_type_id = ANY(${ids}::bigint[])`,
    sql`INSERT INTO availability_schedule_offering_type_room
      (provider_id, availability_schedule_offering_type_id, venue_room_id) SELECT ${providerId}, link, room
        FROM unnest(${pairs.map((one) => one.link)}::bigint[], ${pairs.map((one) => one.room)}::bigint[]) AS g
          (link, room)`,
  ]);
  for (const { link, before, after } of changes) {
    work.touch('availability_schedule_offering_type', link.id, link);
    work.touchLinks('availability_schedule_offering_type', link.id, { name: 'venue_room_ids', before, after });
  }
  return changes.map(({ link }) => link);
}

/** Removes an offering type from a schedule, which is locked. Has no effect if the schedule does not name it. */
export async function forgetOfferingType(work: Work, schedule: number, type: number): Promise<void> {
  const { tx, providerId } = work;
  const before = await namedBy(work, [schedule]);
  const link = before.find((one) => one.offering_type_id === type);
  if (!link) return;
  await tx.all([
    sql`DELETE FROM availability_schedule_offering_type_room
      WHERE provider_id = ${providerId} AND availability_schedule_offering_type_id = ${link.id}`,
    sql`DELETE FROM availability_schedule_offering_type WHERE provider_id = ${providerId} AND id = ${link.id}`,
  ]);
  const types = before.map((one) => one.offering_type_id);
  work.touchLinks('availability_schedule', schedule, {
    name: 'offering_type_ids',
    before: types,
    after: types.filter((one) => one !== type),
  });
  recordLink(work, availabilityScheduleOfferingTypeFeed.deleted, link);
}
