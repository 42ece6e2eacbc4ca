/** The verdict on exactly one time: free, with whom and where, or the reason why not. */
import { around, meets } from '../../../kernel/base/values/intervals.ts';
import { dateAt, roomsFree, type Bounds, type Lane, type Lanes } from './lanes.ts';
import { fairest } from './rules/pick.ts';
import { fits } from './rules/starts.ts';
import { NO_HOURS, slotVerdicts, type SlotVerdict } from './rules/verdicts.ts';
import type { Offered } from './slot-id.ts';

export interface Wanted extends Pick<
  Offered,
  'startsAt' | 'venue' | 'instructor' | 'room' | 'anyInstructor' | 'anyRoom'
> {}

interface Asker {
  readonly now: number;
  readonly byStaff: boolean;
  readonly bounds: Bounds;
}

export interface Chosen {
  readonly lane: Lane;
  readonly room: number | null;
}

const isOf = (lane: Lane, { venue, instructor, anyInstructor }: Wanted): boolean =>
  lane.venue === venue && (anyInstructor ? lane.instructor !== null : lane.instructor === instructor);

/** Returns the wanted rooms that are free. */
const roomsFor = (lanes: Lanes, lane: Lane, { startsAt, room, anyRoom }: Wanted): (number | null)[] =>
  roomsFree(lanes, lane, startsAt).filter((id) => anyRoom || id === room);

/**
 * Chooses the instructor and room for the time: those shown to the customer if they are still free, otherwise by the
 * rule for all candidates. Null if nothing is free.
 */
export function chooseAt(lanes: Lanes, wanted: Wanted, { now, byStaff, bounds }: Asker): Chosen | null {
  const { startsAt } = wanted;
  if (startsAt <= now || (!byStaff && (startsAt < bounds.notice || startsAt > bounds.horizon))) return null;
  const free = lanes.lanes
    .filter(
      (lane) =>
        isOf(lane, wanted) && fits(lane.free, startsAt, lanes.offering.offer) && isUnderLimit(lanes, lane, startsAt),
    )
    .flatMap((lane) => {
      const rooms = roomsFor(lanes, lane, wanted);
      return rooms.length === 0 ? [] : [{ lane, room: rooms.includes(wanted.room) ? wanted.room : rooms[0] }];
    });
  if (free.length === 0) return null;
  const shown = free.find(({ lane }) => lane.instructor === wanted.instructor);
  return (
    shown ??
    fairest(
      free.map((one) => ({
        ...one,
        instructor: one.lane.instructor!,
        appointments: lanes.appointments(one.lane.instructor!, dateAt(startsAt, one.lane.zone)),
      })),
    )
  );
}

function isUnderLimit({ limitOf, appointments }: Lanes, { instructor, zone }: Lane, startsAt: number): boolean {
  const limit = instructor === null ? null : limitOf(instructor);
  return limit === null || appointments(instructor!, dateAt(startsAt, zone)) < limit;
}

const refused = (verdicts: readonly SlotVerdict[]): number => verdicts.filter((v) => !v.passed).length;

/** Returns all rules, applied to the candidate that is closest to being free. */
export function verdictsAt(lanes: Lanes, wanted: Wanted, asker: Asker): SlotVerdict[] {
  const all = lanes.lanes.filter((lane) => isOf(lane, wanted)).map((lane) => ofLane(lanes, lane, wanted, asker));
  return all.toSorted((a, b) => refused(a) - refused(b))[0] ?? [NO_HOURS];
}

function ofLane(lanes: Lanes, lane: Lane, wanted: Wanted, { now, byStaff, bounds }: Asker): SlotVerdict[] {
  const { offering, busy } = lanes;
  const { startsAt } = wanted;
  const endsAt = startsAt + offering.offer.duration;
  const itself = { start: startsAt, end: endsAt };
  const uses = (busy.instructors.get(lane.instructor ?? 0) ?? []).filter(
    (use) => use.startsAt < endsAt && use.endsAt > startsAt,
  );
  return slotVerdicts({
    now,
    startsAt,
    endsAt,
    zone: lane.zone,
    byStaff,
    closed: meets(lane.closed, itself),
    open: around(lane.open, itself) !== undefined,
    hoursFrom: lane.hoursFrom(dateAt(startsAt, lane.zone)),
    blocked: meets(lane.blocked, itself),
    busy: uses.length > 0,
    busyWith: [...new Set(uses.map((use) => use.event))],
    near: meets(lane.kept, itself),
    onTheWay: meets(lane.travel, itself),
    roomFree: lane.rooms === null ? null : roomsFor(lanes, lane, wanted).length > 0,
    appointments: lane.instructor === null ? 0 : lanes.appointments(lane.instructor, dateAt(startsAt, lane.zone)),
    limit: lane.instructor === null ? null : lanes.limitOf(lane.instructor),
    notice: bounds.notice,
    closes: bounds.closes,
    horizon: bounds.horizon,
    opens: bounds.opens,
  });
}
