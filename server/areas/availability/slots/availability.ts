/** When an instructor is free, day by day, and what is in the way otherwise. */
import { addDays, formatInstant, formatWall, startOfDay } from '../../../kernel/values/zone.ts';
import { answer, read } from '../../../kernel/api/endpoint.ts';
import { boolean, date, id, instant, listOf, object, oneOf, text } from '../../../kernel/api/kinds.ts';
import { boundsOf, readLanes, type Bounds, type Lane, type Lanes } from './lanes.ts';
import { dates, datesOf } from './find-slots.ts';
import { instructor } from '../../people/staff/index.ts';
import { intersect, spansOf, subtract, type Spans } from '../../../kernel/values/intervals.ts';
import { whoSeesEvents } from '../../scheduling/schedule/index.ts';

const REASONS = [
  'outside_hours',
  'closed',
  'blocked',
  'instructor_busy',
  'travel',
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
  free: listOf(object(span)).describe(
    'When the offering can take place, with what has to stay free around it taken off.',
  ),
  unavailable: listOf(object({ ...span, reason: oneOf(REASONS), event: id().nullable() }))
    .optional()
    .describe('What is not free, with the first reason for it: only with `explain`. Only staff see the event.'),
};

/** What takes time away, in the order in which it is told. */
function reasonsOf({ offering, limitOf, appointments }: Lanes, lane: Lane, whole: Spans, bounds: Bounds, of: string) {
  const { duration } = offering.offer;
  const limit = lane.instructor === null ? null : limitOf(lane.instructor);
  const full = limit !== null && appointments(lane.instructor!, of) >= limit;
  const soon = [{ start: -Infinity, end: Math.max(bounds.notBefore, -8e15) }];
  const far = [{ start: bounds.notAfter + duration, end: Infinity }];
  return [
    ['outside_hours', subtract(whole, lane.open)],
    ['closed', lane.closed],
    ['blocked', lane.blocked],
    ['instructor_busy', lane.kept],
    ['travel', lane.travel],
    ['daily_limit', full ? whole : []],
    ['registration_closed', soon],
    ['registration_not_open', Number.isFinite(far[0].start) ? far : []],
  ] as const satisfies readonly (readonly [Reason, Spans])[];
}

/** The parts of a day at one venue: what is free, and each other part once, by its first reason. */
function dayAt(lanes: Lanes, lane: Lane, of: string, bounds: Bounds) {
  const whole = [{ start: startOfDay(of, lane.zone), end: startOfDay(addDays(of, 1), lane.zone) }];
  let left: Spans = whole;
  const taken: { reason: Reason; start: number; end: number; event: number | null }[] = [];
  for (const [reason, spans] of reasonsOf(lanes, lane, whole, bounds, of)) {
    for (const part of intersect(left, spans))
      taken.push({ ...part, reason, event: reason === 'instructor_busy' ? eventIn(lanes, lane, part) : null });
    left = subtract(left, spans);
  }
  return { free: left, taken: taken.toSorted((a, b) => a.start - b.start) };
}

/** The first event that makes a part of a day busy. */
function eventIn({ busy, offering }: Lanes, { instructor: who }: Lane, { start, end }: { start: number; end: number }) {
  const { before, after } = offering.offer;
  const uses = busy.instructors.get(who ?? 0) ?? [];
  return uses.find((use) => use.start - after < end && use.end + before > start && use.event !== null)?.event ?? null;
}

export const availability = read({
  path: '/instructors/{id}/availability',
  summary: 'Get when an instructor is free',
  description:
    'Returns the free ranges of each day for one offering type. With `explain`, it also says why the rest of each day is not free. ' +
    'GET /slots lists the times at which something can start.',
  who: whoSeesEvents,
  target: instructor,
  query: {
    offering_type: id().describe('An appointment: its hours, and what stays free around it, count.'),
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
    const bounds = boundsOf(lanes, null, { now: work.now, byStaff });
    const all = [];
    for (let of = from; of <= to; of = addDays(of, 1)) {
      const parts = byVenue(lanes).map((lane) => ({ lane, ...dayAt(lanes, lane, of, bounds) }));
      all.push({
        date: of,
        free: parts.flatMap(({ lane, free }) => free.map((part) => shown(lane, part))),
        ...(query.explain && {
          unavailable: parts.flatMap(({ lane, taken }) =>
            taken.map((part) => ({ ...shown(lane, part), reason: part.reason, event: byStaff ? part.event : null })),
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

/** Several schedules of one venue are one: what one of them leaves open is open. */
function byVenue({ lanes }: Lanes): Lane[] {
  return [...Map.groupBy(lanes, (lane) => lane.venue).values()].map((same) => ({
    ...same[0],
    open: spansOf(same.flatMap((lane) => lane.open)),
    blocked: same.map((lane) => lane.blocked).reduce(intersect),
  }));
}
