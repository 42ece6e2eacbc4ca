/** Events of a file that have instructors or a room. */
import { createEvent, lockUses, type Places, type Session } from '../../../scheduling/schedule/index.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { roomAt } from './rooms.ts';
import type { Issue } from './portion.ts';
import type { Taught } from './instructors.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** 23P01: an instructor, or the room, has another event at that time. */
const CLASH = '23P01';
const ROOM = 'event_room_free';

const unassigned = ({ column, value }: Taught, reason: string): Issue[] => [{ column, value, reason }];

export interface Used {
  /** by line */
  readonly taught: ReadonlyMap<number, Taught>;
  readonly rooms: ReadonlyMap<number, number | Issue>;
}

export interface TaughtEvents {
  /** new events, by line */
  readonly made: ReadonlyMap<number, number>;
  /** instructors and rooms that are not assigned, by line */
  readonly issues: ReadonlyMap<number, readonly Issue[]>;
}

/**
 * Creates the new events that have instructors or a room. Events that exist keep theirs: a change would notify the
 * instructors, and an import sends no messages. An event whose instructors and room are all busy is left to the caller,
 * without them.
 */
export async function createTaught(
  work: Work,
  sessions: readonly Session[],
  { taught, rooms }: Used,
  places: Places,
): Promise<TaughtEvents> {
  const idsOf = (line: number): readonly number[] => taught.get(line)?.ids ?? [];
  const asked = sessions.filter(({ line }) => idsOf(line).length > 0 || roomAt(rooms, line) !== undefined);
  const [made, issues] = [new Map<number, number>(), new Map<number, Issue[]>()];
  if (asked.length === 0) return { made, issues };
  const stored = await storedInstructors(
    work,
    asked.map(({ externalId }) => externalId),
  );
  const fresh = asked.filter(({ externalId }) => !stored.has(externalId));
  for (const { line, externalId } of asked) {
    const before = stored.get(externalId);
    if (before && taught.has(line) && before.symmetricDifference(new Set(idsOf(line))).size > 0)
      issues.set(
        line,
        unassigned(taught.get(line)!, 'teaches this event in the file, but not here: change it on the event'),
      );
  }
  // Locked together and in the order of ids, like everywhere several rooms or instructors are locked.
  await lockUses(
    work,
    fresh.map(({ line }) => roomAt(rooms, line)),
    fresh.flatMap(({ line }) => idsOf(line)),
  );
  for (const session of fresh) {
    const { line } = session;
    const created = await createFree(work, session, { taught: taught.get(line), room: roomAt(rooms, line) }, places);
    if (created.event !== null) made.set(line, created.event);
    if (created.issues.length > 0) issues.set(line, [...created.issues]);
  }
  return { made, issues };
}

interface Created {
  /** null if neither its instructors nor its room are free */
  readonly event: number | null;
  readonly issues: readonly Issue[];
}

/** Creates the event with what is free: without its instructors if one is busy, and without its room if that is. */
async function createFree(
  work: Work,
  session: Session,
  asked: { readonly taught: Taught | undefined; readonly room: number | undefined },
  places: Places,
): Promise<Created> {
  let { room } = asked;
  let instructors = asked.taught?.ids ?? [];
  const issues: Issue[] = [];
  while (instructors.length > 0 || room !== undefined) {
    const event = await createWith(work, session, { instructors, room }, places);
    if (typeof event === 'number') return { event, issues };
    if (event.constraint === ROOM || instructors.length === 0) {
      room = undefined;
      issues.push({
        column: '',
        value: session.name,
        reason: 'needs a room in which another event takes place at that time; it is imported without a room',
      });
    } else {
      instructors = [];
      issues.push(
        ...unassigned(asked.taught!, 'teaches another event at that time; the event is imported without instructors'),
      );
    }
  }
  return { event: null, issues };
}

/** Returns the new event, or the constraint that refuses it. */
async function createWith(
  work: Work,
  session: Session,
  { instructors, room }: { readonly instructors: readonly number[]; readonly room: number | undefined },
  places: Places,
): Promise<number | { readonly constraint: string | undefined }> {
  const beside = work.beside();
  try {
    const event = await work.tx.attempt(() =>
      createEvent(beside, {
        name: session.name,
        external_id: session.externalId,
        offering_type: places.offeringTypes.get(session.offeringType.externalId)!,
        venue: places.venues.get(session.venue.externalId)!.id,
        venue_room: room,
        starts_at: instant(session.startsAt)!,
        ends_at: instant(session.endsAt)!,
        max_occupancy: session.maxOccupancy,
        instructors: [...instructors],
        on_closed_day: true,
      }),
    );
    work.take(beside);
    return event;
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string };
    if (code !== CLASH) throw error;
    return { constraint };
  }
}

/** Returns the instructors of events that exist, by external id. */
async function storedInstructors(
  { tx, providerId }: Work,
  externalIds: readonly string[],
): Promise<Map<string, Set<number>>> {
  const rows = await tx.rows<{ external_id: string; instructors: number[] }>(
    sql`SELECT e.external_id, ARRAY(SELECT ei.instructor_id FROM event_instructor ei
          WHERE ei.provider_id = e.provider_id AND ei.event_id = e.id) AS instructors
      FROM event e WHERE e.provider_id = ${providerId} AND e.external_id = ANY(${externalIds}::text[])`,
  );
  return new Map(rows.map(({ external_id: key, instructors }) => [key, new Set(instructors)]));
}
