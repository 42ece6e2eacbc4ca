/** Takes a time that is offered: used by other areas, and by every booking of a slot. */
import { addDays, instantOfWall, wallAt } from '../../../kernel/base/values/zone.ts';
import { findStartBounds, readLanes, type Lanes } from './lanes.ts';
import { chooseAt, verdictsAt, type Chosen, type Wanted } from './at-time.ts';
import { createEvent, endEmpty, lockEvent, lockUses } from '../../scheduling/schedule/index.ts';
import { findSlots, type Found, type Slot } from './find.ts';
import { instant } from '../../../kernel/base/db/sql.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { printSlots } from './slot.ts';
import { NO_HOURS } from './rules/verdicts.ts';
import { readSlotId, slotExpiry, slotId, type Offered } from './slot-id.ts';
import { SLOT_PROBLEMS, slotTaken } from './problems.ts';
import type { Wording } from '../../../kernel/base/values/wording.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

interface TakenSlot {
  readonly event: number;
}

interface SlotAsked {
  readonly offeringType: number;
  /** null: any, or none because it is a rental */
  readonly instructor: number | null;
  readonly venue: number;
  /** null: any, or none is needed */
  readonly room: number | null;
  /** wall time at the venue, `YYYY-MM-DDTHH:MM:SS` */
  readonly localStartsAt: string;
  readonly people: number;
}

/** Reads the lanes of exactly one time. The dates around it include it in every zone. */
export function lanesAround(
  work: Work,
  { offeringType, venue, instructor, anyInstructor, room, anyRoom, startsAt }: Offered,
  without?: number,
): Promise<Lanes> {
  const date = wallAt(startsAt, 'UTC').date;
  return readLanes(work, {
    offeringType,
    venues: [venue],
    instructors: anyInstructor || instructor === null ? undefined : [instructor],
    rooms: anyRoom || room === null ? undefined : [room],
    from: addDays(date, -1),
    to: addDays(date, 1),
    without,
  });
}

export const readAsker = (work: Work, lanes: Lanes) => {
  const who = { now: work.now, byStaff: work.viewer.mode === 'provider' };
  return { ...who, bounds: findStartBounds(lanes, null, who) };
};

/** A time with its instructor and room, locked until the transaction ends: nobody else can take it in the meantime. */
interface HeldTime {
  readonly lanes: Lanes;
  readonly chosen: Chosen;
}

/**
 * Looks for the time, locks all candidate rooms and then instructors, each by id, and looks again: earlier transactions
 * have then committed and are visible. Daily limits and travel between venues, which no constraint can express,
 * therefore hold as reliably as the exclusion of overlapping ranges.
 * @throws Problem `slot_taken`, with the nearest alternatives
 */
export async function holdTime(work: Work, offered: Offered, without?: number): Promise<HeldTime> {
  const before = await lanesAround(work, offered, without);
  if (!chooseAt(before, offered, readAsker(work, before))) throw await taken(work, offered);
  const mine = before.lanes.filter((lane) => lane.venue === offered.venue);
  await lockUses(
    work,
    mine.flatMap((lane) => lane.rooms ?? []),
    mine.flatMap((lane) => lane.instructor ?? []),
    without === undefined ? [] : [without],
  );
  const lanes = await lanesAround(work, offered, without);
  const chosen = chooseAt(lanes, offered, readAsker(work, lanes));
  if (!chosen) throw await taken(work, offered);
  return { lanes, chosen };
}

/** Number of alternatives that are named, and of days around that are searched. */
const NAMED = 5;
const DAYS_BEFORE = 1;
const DAYS_AFTER = 6;

async function taken(work: Work, offered: Offered): Promise<Problem> {
  const date = wallAt(offered.startsAt, 'UTC').date;
  const { found, nearest } = await nearestTo(work, offered, {
    from: addDays(date, -DAYS_BEFORE),
    to: addDays(date, DAYS_AFTER),
  });
  return slotTaken(await printSlots(work, found, nearest, 1));
}

/**
 * Returns the free times on these dates that are nearest to a taken one; if several are equally near, those of the same
 * instructor come first.
 */
export async function nearestTo(
  work: Work,
  {
    offeringType,
    venue,
    startsAt,
    anyInstructor,
    instructor,
  }: Omit<Wanted, 'room' | 'anyRoom'> & Pick<Offered, 'offeringType'>,
  { from, to }: { from: string; to: string },
): Promise<{ found: Found; nearest: readonly Slot[] }> {
  const found = await findSlots(work, { offeringType, venues: [venue], anyInstructor, from, to, customer: null });
  const far = (slot: Offered) => Math.abs(slot.startsAt - startsAt);
  const other = (slot: Offered) => (slot.instructor === instructor ? 0 : 1);
  const nearest = found.slots
    .toSorted((a, b) => far(a) - far(b) || other(a) - other(b) || a.startsAt - b.startsAt)
    .slice(0, NAMED);
  return { found, nearest };
}

/** Returns the values of an event at that time. */
export function valuesOf({ lanes: { offering }, chosen: { lane, room } }: HeldTime, { startsAt }: Wanted) {
  const { offer } = offering;
  return {
    venue: lane.venue,
    venue_room: room,
    starts_at: instant(startsAt)!,
    ends_at: instant(startsAt + offer.duration)!,
    instructors: lane.instructor === null ? [] : [lane.instructor],
    buffer_before: offer.before / 60_000,
    buffer_after: offer.after / 60_000,
  };
}

/** Reads the slot from its id. @throws Problem not_found, slot_expired */
export const offeredBy = (work: Work, slot: string): Offered =>
  readSlotId(work.installation.box, work.providerId, slot, work.now);

/**
 * Creates the event of a slot, with a place for each of the people. Books nobody.
 * @throws Problem `slot_taken`, with the nearest alternatives
 */
export async function takeSlot(work: Work, { slot, people }: { slot: string; people: number }): Promise<TakenSlot> {
  const offered = offeredBy(work, slot);
  return { event: await createHeld(work, await holdTime(work, offered), offered, people) };
}

/** Creates the event of a locked time and returns its id. */
export const createHeld = (work: Work, held: HeldTime, wanted: Wanted, people: number): Promise<number> =>
  createEvent(work, {
    name: held.lanes.offering.name.slice(0, 200),
    offering_type: held.lanes.offering.id,
    ...valuesOf(held, wanted),
    max_occupancy: people,
    waitlist_max_override: 0,
  });

/**
 * Ends an appointment that was created for a purchase that was not completed, if nobody is booked and no seat is held.
 */
export async function dropAppointment(work: Work, event: number): Promise<void> {
  if (await lockEvent(work, event)) await endEmpty(work, event);
}

/** Returns the slot of exactly this time, or the reason why there is none. */
export async function slotAt(work: Work, asked: SlotAsked): Promise<{ slot: string } | { refused: Problem }> {
  const { offeringType, instructor, venue, room, localStartsAt } = asked;
  const date = localStartsAt.slice(0, 10);
  const lanes = await readLanes(work, {
    offeringType,
    venues: [venue],
    instructors: instructor === null ? undefined : [instructor],
    rooms: room === null ? undefined : [room],
    from: date,
    to: date,
  });
  const place = lanes.offering.venues.get(venue);
  if (!place) throw invalid('venue', `There is no venue with the id ${venue}, or it is archived.`);
  const wanted = {
    offeringType,
    venue,
    instructor,
    anyInstructor: instructor === null && lanes.offering.kind === 'appointment',
    room,
    anyRoom: room === null,
    startsAt: instantOfWall(localStartsAt, place.zone),
  };
  const asker = readAsker(work, lanes);
  const chosen = chooseAt(lanes, wanted, asker);
  if (!chosen) return { refused: refusedBy(verdictsAt(lanes, wanted, asker).find((v) => !v.passed)?.message) };
  const offered = { ...wanted, instructor: chosen.lane.instructor, room: chosen.room };
  const until = slotExpiry(work.now, lanes.offering.settings.slot_expires_after);
  return { slot: slotId(work.installation.box, work.providerId, offered, until) };
}

const refusedBy = (why: Wording = NO_HOURS.message): Problem => new Problem(SLOT_PROBLEMS.slot_taken, why);
