/** Writes one batch of sessions as events: creates missing ones, changes different ones, and skips identical ones. */
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { formatWall } from '../../../../kernel/base/values/zone.ts';
import { eventChanged, eventCreated } from '../feed.ts';
import { giveFreedSeats } from '../waitlist/freed-seats.ts';
import type { Rejection } from '../../../../kernel/base/csv/read-csv.ts';
import type { Session } from './read-session.ts';
import type { Places } from './places.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

export interface WrittenEvents {
  made: number;
  changed: number;
  unchanged: number;
  rejected: Rejection[];
  /** events with their result, by the line of their session */
  fates: Map<number, { readonly event: number; readonly fate: 'created' | 'changed' | 'unchanged' }>;
}

interface Planned {
  readonly line: number;
  readonly external_id: string;
  readonly name: string;
  readonly offering_type_id: number;
  readonly venue_id: number;
  readonly timezone: string;
  readonly local_starts_at: string;
  readonly local_ends_at: string;
  readonly starts_at: number;
  readonly ends_at: number;
  readonly max_occupancy: number | null | undefined;
}

type Stored = Omit<Planned, 'line' | 'max_occupancy'> & {
  id: number;
  status: string;
  max_occupancy: number | null;
  taken: number;
  waiting_count: number;
};

/** Columns of an event that follow the file, with their names in the interface. */
const FOLLOWED = {
  name: 'name',
  offering_type_id: 'offering_type',
  venue_id: 'venue',
  starts_at: 'starts_at',
  ends_at: 'ends_at',
  timezone: 'timezone',
  max_occupancy: 'max_occupancy',
} as const;

export async function writeEvents(work: Work, sessions: readonly Session[], places: Places): Promise<WrittenEvents> {
  const planned = sessions.map((session) => plan(session, places));
  const stored = await storedEvents(
    work,
    planned.map((p) => p.external_id),
  );
  const written: WrittenEvents = { made: 0, changed: 0, unchanged: 0, rejected: [], fates: new Map() };
  const fresh: Planned[] = [];
  const differing: Difference[] = [];
  for (const p of planned) {
    const before = stored.get(p.external_id);
    if (!before) {
      fresh.push(p);
      continue;
    }
    const changed = (Object.keys(FOLLOWED) as (keyof typeof FOLLOWED)[]).filter(
      (key) => p[key] !== undefined && p[key] !== before[key],
    );
    const refused = changed.length > 0 ? refusal(p, before) : null;
    if (refused) written.rejected.push(refused);
    else if (changed.length > 0) differing.push({ planned: p, before, changed: changed.map((key) => FOLLOWED[key]) });
    else {
      written.unchanged++;
      written.fates.set(p.line, { event: before.id, fate: 'unchanged' });
    }
  }
  if (fresh.length > 0) {
    const made = await insertEvents(work, fresh);
    written.made = fresh.length;
    for (const { line, external_id: key } of fresh) written.fates.set(line, { event: made.get(key)!, fate: 'created' });
  }
  if (differing.length > 0) {
    const done = await changeEvents(work, differing);
    written.changed = done.changed;
    written.rejected.push(...done.rejected);
    const refused = new Set(done.rejected.map(({ line }) => line));
    for (const { planned, before } of differing)
      if (!refused.has(planned.line)) written.fates.set(planned.line, { event: before.id, fate: 'changed' });
  }
  return written;
}

/** Plans the event in the zone of its venue, even if the file has another one. */
function plan(session: Session, places: Places): Planned {
  const venue = places.venues.get(session.venue.externalId)!;
  return {
    line: session.line,
    external_id: session.externalId,
    name: session.name,
    offering_type_id: places.offeringTypes.get(session.offeringType.externalId)!,
    venue_id: venue.id,
    timezone: venue.zone,
    local_starts_at: formatWall(session.startsAt, venue.zone),
    local_ends_at: formatWall(session.endsAt, venue.zone),
    starts_at: session.startsAt,
    ends_at: session.endsAt,
    max_occupancy: session.maxOccupancy,
  };
}

async function storedEvents(work: Work, externalIds: readonly string[]): Promise<Map<string, Stored>> {
  // Locked in the order of ids, like everywhere several events are locked.
  const rows = await work.tx.rows<Stored>(sql`
    SELECT id, external_id, name, status, offering_type_id, venue_id, timezone, local_starts_at, local_ends_at, starts_at, ends_at, max_occupancy,
           attending_count + held_count AS taken, waiting_count
    FROM event WHERE provider_id = ${work.providerId} AND external_id = ANY(${externalIds}::text[]) ORDER BY id FOR NO KEY UPDATE`);
  return new Map(rows.map((row) => [row.external_id, row]));
}

function refusal({ line, external_id, max_occupancy: max }: Planned, before: Stored): Rejection | null {
  if (before.status === 'cancelled')
    return { line, column: '', value: external_id, reason: 'would change an event that is cancelled in Rollcall' };
  if (typeof max === 'number' && max < before.taken)
    return {
      line,
      column: '',
      value: String(max),
      reason: `is less than the ${before.taken} places that are booked or kept`,
    };
  return null;
}

const columnsOf = (rows: readonly Planned[]) => sql`unnest(
  ${rows.map((r) => r.external_id)}::text[], ${rows.map((r) => r.name)}::text[], ${rows.map((r) => r.offering_type_id)}::bigint[],
  ${rows.map((r) => r.venue_id)}::bigint[], ${rows.map((r) => r.timezone)}::text[], ${rows.map((r) => r.local_starts_at)}::timestamp[],
  ${rows.map((r) => r.local_ends_at)}::timestamp[], ${rows.map((r) => instant(r.starts_at))}::timestamptz[],
  ${rows.map((r) => instant(r.ends_at))}::timestamptz[], ${rows.map((r) => r.max_occupancy ?? null)}::int[])
  AS r (external_id, name, offering_type_id, venue_id, timezone, local_starts_at, local_ends_at, starts_at, ends_at, max_occupancy)`;

/** Inserts events and returns their ids by external id. */
async function insertEvents(work: Work, rows: readonly Planned[]): Promise<Map<string, number>> {
  const at = instant(work.now);
  const made = await work.tx.rows<{ id: number; external_id: string }>(sql`
    INSERT INTO event (provider_id, external_id, name, offering_type_id, venue_id, timezone, local_starts_at, local_ends_at, starts_at, ends_at,
                       max_occupancy, created_at, updated_at)
    SELECT ${work.providerId}::bigint, r.*, ${at}::timestamptz, ${at}::timestamptz FROM ${columnsOf(rows)} RETURNING id, external_id`);
  for (const { id } of made) work.record(eventCreated, id, { event: id });
  return new Map(made.map((row) => [row.external_id, row.id]));
}

interface Difference {
  readonly planned: Planned;
  readonly before: Stored;
  readonly changed: string[];
}

/** 23P01: the room or an instructor of the event is in use at the new time. */
const CLASH = '23P01';

async function changeEvents(
  work: Work,
  differing: readonly Difference[],
): Promise<{ changed: number; rejected: Rejection[] }> {
  try {
    await work.tx.attempt(() => updateEvents(work, differing));
    return { changed: differing.length, rejected: [] };
  } catch (error) {
    if ((error as { code?: string }).code !== CLASH) throw error;
    const { planned } = differing[0];
    if (differing.length === 1) {
      const reason = 'another event uses its room or its instructor at that time';
      return { changed: 0, rejected: [{ line: planned.line, column: '', value: planned.external_id, reason }] };
    }
    // Splits into halves, down to the event that conflicts, so that the others are changed.
    const half = Math.ceil(differing.length / 2);
    const [a, b] = [
      await changeEvents(work, differing.slice(0, half)),
      await changeEvents(work, differing.slice(half)),
    ];
    return { changed: a.changed + b.changed, rejected: [...a.rejected, ...b.rejected] };
  }
}

async function updateEvents(work: Work, differing: readonly Difference[]): Promise<void> {
  // Values that the file does not state stay as the business has set them.
  const rows = differing.map(({ planned, before }) => ({
    ...planned,
    max_occupancy: planned.max_occupancy === undefined ? before.max_occupancy : planned.max_occupancy,
  }));
  await work.tx.run(sql`
    UPDATE event e SET name = r.name, offering_type_id = r.offering_type_id, venue_id = r.venue_id, timezone = r.timezone,
      venue_room_id = CASE WHEN e.venue_id = r.venue_id THEN e.venue_room_id END,
      local_starts_at = r.local_starts_at, local_ends_at = r.local_ends_at, starts_at = r.starts_at, ends_at = r.ends_at,
      max_occupancy = r.max_occupancy, updated_at = ${instant(work.now)}
    FROM ${columnsOf(rows)} WHERE e.provider_id = ${work.providerId} AND e.external_id = r.external_id`);
  for (const { before, changed } of differing) {
    work.record(eventChanged, before.id, { event: before.id, changed, notify: null });
    if (before.waiting_count > 0 && changed.includes('max_occupancy')) await giveFreedSeats(work, before.id);
  }
}
