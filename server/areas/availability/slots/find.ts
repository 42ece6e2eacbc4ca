/** Finds free times: converts lanes to slots, in order. */
import {
  findStartBounds,
  dateAt,
  readLanes,
  roomsFree,
  type Bounds,
  type Lane,
  type Lanes,
  type LanesAsked,
} from './lanes.ts';
import { fairest } from './rules/pick.ts';
import { subtractAll, startsWithin } from './rules/starts.ts';
import { readPlanned, type PlannedFacts } from '../../scheduling/schedule/index.ts';
import type { Offered } from './slot-id.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** A free time. */
export interface Slot extends Offered {
  readonly zone: string;
  /** in the zone of the venue */
  readonly date: string;
}

interface FindAsked extends LanesAsked {
  /** one slot for each time and venue, with the free instructor who has the fewest appointments that day */
  readonly anyInstructor?: boolean;
  /** the customer whose window applies, and for whom payers are looked up; null: nobody in particular */
  readonly customer: number | null;
}

export interface Found {
  readonly lanes: Lanes;
  readonly slots: readonly Slot[];
  /** returns the customer's facts for a slot; null if no customer was named */
  readonly plannedOn: (slots: readonly Slot[]) => Promise<(slot: Slot) => PlannedFacts | null>;
}

export async function findSlots(work: Work, asked: FindAsked): Promise<Found> {
  const lanes = await readLanes(work, asked);
  const planned = plannedFacts(work, lanes, asked.customer);
  const byStaff = work.viewer.mode === 'provider';
  const { now } = work;
  const open = lanes.lanes.flatMap((lane) => slotsOf(lanes, lane, now));
  const bounds = await boundsFor(lanes, open, { now, byStaff, planned });
  const free = open.filter((slot) => within(bounds(slot.date), slot.startsAt) && isUnderLimit(lanes, slot));
  return {
    lanes,
    slots: asked.anyInstructor ? onePerTime(inOrder(free), lanes) : apart(inOrder(free)),
    plannedOn: planned,
  };
}

const within = ({ notBefore, notAfter }: Bounds, startsAt: number): boolean =>
  startsAt >= notBefore && startsAt <= notAfter;

function isUnderLimit({ appointments, limitOf }: Lanes, { instructor, date }: Slot): boolean {
  if (instructor === null) return true;
  const limit = limitOf(instructor);
  return limit === null || appointments(instructor, date) < limit;
}

/** Returns all starts of a lane on the requested dates, with a free room if one is needed, regardless of the window. */
function slotsOf(lanes: Lanes, lane: Lane, now: number): Slot[] {
  const { offering, asked } = lanes;
  const { instructor, venue, zone, rooms } = lane;
  const common = { offeringType: offering.id, venue, zone, instructor, anyInstructor: false };
  const dated = (startsAt: number) => ({ startsAt, date: dateAt(startsAt, zone) });
  const wanted = ({ startsAt, date }: { startsAt: number; date: string }) =>
    startsAt > now && date >= asked.from && date <= asked.to;
  if (instructor !== null || rooms === null)
    return startsWithin(lane.hours, lane.free, offering.offer)
      .map(dated)
      .filter(wanted)
      .flatMap((at) => {
        const [room] = roomsFree(lanes, lane, at.startsAt);
        return room === undefined ? [] : [{ ...common, ...at, room, anyRoom: room !== null }];
      });
  const each = rooms.flatMap((room) => {
    const free = offering.rooms.get(room)!.shared ? lane.free : subtractAll(lane.free, lanes.roomKept(room));
    return startsWithin(lane.hours, free, offering.offer)
      .map(dated)
      .filter(wanted)
      .map((at) => ({ ...common, ...at, room, anyRoom: offering.uniform }));
  });
  if (!offering.uniform) return each;
  const first = new Map<number, Slot>();
  for (const slot of each) if (!first.has(slot.startsAt)) first.set(slot.startsAt, slot);
  return [...first.values()];
}

const inOrder = (slots: readonly Slot[]): Slot[] =>
  slots.toSorted((a, b) => a.startsAt - b.startsAt || a.venue - b.venue || whomOf(a) - whomOf(b));

/** Returns the instructor of an appointment, in whatever room, or the room of a rental. */
const whomOf = ({ instructor, room }: Slot): number => instructor ?? room ?? 0;

const isSameTime = (a: Slot, b: Slot): boolean => a.startsAt === b.startsAt && a.venue === b.venue;

/**
 * Removes duplicates: two schedules may offer the same time of one instructor or one room. After sorting, they are
 * adjacent.
 */
const apart = (sorted: readonly Slot[]): Slot[] =>
  sorted.filter((slot, i) => i === 0 || !isSameTime(slot, sorted[i - 1]) || whomOf(slot) !== whomOf(sorted[i - 1]));

function onePerTime(sorted: readonly Slot[], { appointments }: Lanes): Slot[] {
  const times: Slot[][] = [];
  for (const slot of sorted) {
    const last = times.at(-1);
    if (last && isSameTime(last[0], slot)) last.push(slot);
    else times.push([slot]);
  }
  return times.map((same) =>
    same[0].instructor === null
      ? same[0]
      : {
          ...fairest(
            same.map((slot) => ({
              ...slot,
              instructor: slot.instructor!,
              appointments: appointments(slot.instructor!, slot.date),
            })),
          ),
          anyInstructor: true,
        },
  );
}

/**
 * The window depends on the memberships that the customer has on the day of each slot, if there are timelines at all.
 * In that case, the customer is read for each day that has slots, with one statement.
 */
async function boundsFor(
  lanes: Lanes,
  slots: readonly Slot[],
  { now, byStaff, planned }: { now: number; byStaff: boolean; planned: Found['plannedOn'] },
): Promise<(date: string) => Bounds> {
  const asking = !byStaff && lanes.offering.facts.windowFacts.timelines.length > 0;
  const days = asking ? [...new Map(slots.map((slot) => [slot.date, slot])).values()] : [];
  const facts = await planned(days);
  const usual = findStartBounds(lanes, null, { now, byStaff });
  const known = new Map(
    days.map((slot) => [slot.date, findStartBounds(lanes, facts(slot)?.who ?? null, { now, byStaff })]),
  );
  return (date) => known.get(date) ?? usual;
}

/** The customer's facts depend on the day: each day is read once. */
function plannedFacts(work: Work, { offering }: Lanes, customer: number | null): Found['plannedOn'] {
  const known = new Map<string, PlannedFacts>();
  return async (slots) => {
    if (customer === null) return () => null;
    const missing = [...new Map(slots.map((slot) => [slot.date, slot])).values()].filter((s) => !known.has(s.date));
    const read = await readPlanned(
      work,
      missing.map(({ venue, zone, startsAt }) => ({
        offeringType: offering.id,
        venue,
        zone,
        startsAt,
        endsAt: startsAt + offering.offer.duration,
      })),
      customer,
    );
    for (const [i, slot] of missing.entries()) known.set(slot.date, read[i]);
    return (slot) => known.get(slot.date) ?? null;
  };
}
