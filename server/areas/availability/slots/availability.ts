/** Free times of an instructor, day by day, and reasons for the rest. */
import { addDays, formatInstant, formatWall, startOfDay } from '../../../kernel/base/values/zone.ts';
import { answer, read } from '../../../kernel/api/endpoint.ts';
import { boolean, date, id, instant, listOf, object, oneOf, text } from '../../../kernel/base/fields/kinds.ts';
import { findStartBounds, readLanes, type Bounds, type BusyUse, type Lane, type Lanes } from './lanes.ts';
import { dates, datesOf } from './find-slots.ts';
import { instructor } from '../../people/staff/index.ts';
import { intersect, spansOf, subtract, type Spans } from '../../../kernel/base/values/intervals.ts';
import { moment } from '../../../kernel/base/values/words.ts';
import { REFUSED, type HoursFrom } from './rules/verdicts.ts';
import { sideFor, wordingFor, type Wording } from '../../../kernel/base/values/wording.ts';
import { whoSeesEvents } from '../../scheduling/schedule/index.ts';
import type { Period } from '../../../kernel/base/values/period.ts';

const REASONS = [
  'event_started',
  'closed',
  'outside_hours',
  'blocked',
  'instructor_busy',
  'buffer',
  'travel',
  'room_busy',
  'daily_limit',
  'registration_closed',
  'registration_not_open',
] as const;
type Reason = (typeof REASONS)[number];

const span = {
  venue: id(),
  starts_at: instant(),
  ends_at: instant(),
  local_starts_at: text(),
  local_ends_at: text(),
};

const day = {
  date: date(),
  free: listOf(object(span)).describe('Available times, excluding buffers.'),
  unavailable: listOf(
    object({
      ...span,
      reason: oneOf(REASONS),
      message: text().describe('The reason in a sentence, and what to do about it.'),
      event: id().nullable(),
    }),
  )
    .optional()
    .describe(
      'Times that are not free, with the first reason for each: only with `explain`. Only staff see the event.',
    ),
};

interface Asking {
  readonly now: number;
  readonly bounds: Bounds;
}

interface Taking {
  readonly reason: Reason;
  readonly spans: Spans;
  readonly message: (part: Period) => Wording;
  /** returns the event of a part; undefined if the reason has nothing to do with events */
  readonly event?: (part: Period) => number | null;
}

/** Returns what takes time away, in order: the first that covers a part is its reason. */
function takingsOf(lanes: Lanes, lane: Lane, whole: Spans, { now, bounds }: Asking, of: string): Taking[] {
  const { offering, limitOf, appointments, busy } = lanes;
  const { before, after, duration } = offering.offer;
  const { instructor: who, zone } = lane;
  const limit = who === null ? null : limitOf(who);
  const booked = who === null ? 0 : appointments(who, of);
  const uses = (busy.instructors.get(who ?? 0) ?? []).toSorted((a, b) => a.startsAt - b.startsAt);
  const spoken = (epochMs: number) => (Number.isFinite(epochMs) ? moment(epochMs, zone) : null);
  const during = (part: Period) => uses.filter((use) => use.startsAt < part.end && use.endsAt > part.start);
  const far = bounds.notAfter + duration;
  return [
    { reason: 'event_started', spans: [{ start: -Infinity, end: now }], message: REFUSED.event_started },
    { reason: 'closed', spans: lane.closed, message: REFUSED.closed },
    {
      reason: 'outside_hours',
      spans: subtract(whole, lane.open),
      message: () => REFUSED.outside_hours(lane.hoursFrom(of)),
    },
    { reason: 'blocked', spans: lane.blocked, message: REFUSED.blocked },
    {
      reason: 'instructor_busy',
      spans: spansOf(uses.map(({ startsAt: start, endsAt: end }) => ({ start, end }))),
      message: (part) => REFUSED.instructor_busy(during(part).map(({ event }) => event)),
      event: (part) => firstEvent(during(part)),
    },
    {
      reason: 'buffer',
      spans: lane.kept,
      message: REFUSED.buffer,
      event: (part) => firstEvent(uses.filter((use) => use.start - after < part.end && use.end + before > part.start)),
    },
    { reason: 'travel', spans: lane.travel, message: REFUSED.travel },
    { reason: 'room_busy', spans: withoutRoom(lanes, lane), message: REFUSED.room_busy },
    {
      reason: 'daily_limit',
      spans: limit !== null && booked >= limit ? whole : [],
      message: () => REFUSED.daily_limit(booked, limit!),
    },
    {
      reason: 'registration_closed',
      spans: [{ start: -Infinity, end: bounds.notBefore }],
      message: () => REFUSED.registration_closed(spoken(bounds.notBefore)),
    },
    {
      reason: 'registration_not_open',
      spans: Number.isFinite(far) ? [{ start: far, end: Infinity }] : [],
      message: () => REFUSED.registration_not_open(spoken(bounds.notAfter)),
    },
  ];
}

/** Returns the times at which every room is in use, although one is needed. */
const withoutRoom = ({ offering, roomKept }: Lanes, { rooms }: Lane): Spans =>
  rooms === null || rooms.length === 0 || rooms.some((room) => offering.rooms.get(room)!.shared)
    ? []
    : rooms.map(roomKept).reduce(intersect);

const firstEvent = (uses: readonly BusyUse[]): number | null => uses.find(({ event }) => event !== null)?.event ?? null;

interface Taken extends Period {
  readonly reason: Reason;
  readonly message: Wording;
  readonly event: number | null;
}

/** Splits a day at one venue: the free parts, and every other part once, with its first reason. */
function dayAt(lanes: Lanes, lane: Lane, of: string, asking: Asking): { free: Spans; taken: Taken[] } {
  const whole = [{ start: startOfDay(of, lane.zone), end: startOfDay(addDays(of, 1), lane.zone) }];
  let left: Spans = whole;
  const taken: Taken[] = [];
  for (const { reason, spans, message, event } of takingsOf(lanes, lane, whole, asking, of)) {
    for (const part of intersect(left, spans))
      taken.push({ ...part, reason, message: message(part), event: event?.(part) ?? null });
    left = subtract(left, spans);
  }
  return { free: left, taken: taken.toSorted((a, b) => a.start - b.start) };
}

export const availability = read({
  path: '/instructors/{id}/availability',
  summary: 'Get when an instructor is free',
  description:
    'Returns the free ranges of each day for one offering type. With `explain`, it also says why the rest of each day is not free. ' +
    'GET /slots lists the times at which something can start.',
  who: whoSeesEvents,
  replica: true,
  target: instructor,
  query: {
    offering_type: id().describe('An appointment, whose hours and buffers apply.'),
    venues: listOf(id()).optional().describe('Comma-separated list of ids.'),
    ...dates,
    explain: boolean().default(false),
  },
  returns: answer({ instructor: id(), offering_type: id(), days: listOf(object(day)) }),
  run: async ({ work, query, target }) => {
    const { from, to } = datesOf(work, query);
    const { offering_type: offeringType, venues } = query;
    const lanes = await readLanes(work, { offeringType, venues, instructors: [target.id], from, to });
    const byStaff = work.viewer.mode === 'provider';
    const { now } = work;
    const asking = { now, bounds: findStartBounds(lanes, null, { now, byStaff }) };
    const all = [];
    for (let of = from; of <= to; of = addDays(of, 1)) {
      const parts = byVenue(lanes).map((lane) => ({ lane, ...dayAt(lanes, lane, of, asking) }));
      all.push({
        date: of,
        free: parts.flatMap(({ lane, free }) => free.map((part) => shown(lane, part))),
        ...(query.explain && {
          unavailable: parts.flatMap(({ lane, taken }) =>
            taken.map((part) => ({
              ...shown(lane, part),
              reason: part.reason,
              message: wordingFor(sideFor(work.viewer.mode), part.message, work.tenant.words),
              event: byStaff ? part.event : null,
            })),
          ),
        }),
      });
    }
    return { instructor: target.id, offering_type: offeringType, days: all };
  },
});

const shown = ({ venue, zone }: Lane, { start, end }: { start: number; end: number }) => ({
  venue,
  starts_at: formatInstant(start, zone),
  ends_at: formatInstant(end, zone),
  local_starts_at: formatWall(start, zone),
  local_ends_at: formatWall(end, zone),
});

/** Returns the schedule to show if there are several: one that is valid on the day, preferably one with an override. */
const strongest = (all: readonly HoursFrom[]): HoursFrom =>
  (['override', 'weekly'] as const).find((from) => all.includes(from)) ?? 'not_valid';

/** Merges several schedules of one venue: times that one of them leaves open are open. */
function byVenue({ lanes }: Lanes): Lane[] {
  return [...Map.groupBy(lanes, (lane) => lane.venue).values()].map((same) => ({
    ...same[0],
    hoursFrom: (date) => strongest(same.map((lane) => lane.hoursFrom(date))),
    open: spansOf(same.flatMap((lane) => lane.open)),
    blocked: same.map((lane) => lane.blocked).reduce(intersect),
  }));
}
