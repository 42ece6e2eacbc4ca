/** Instructors who could teach an event instead, and reasons why others could not. */
import { addDays, wallAt } from '../../../kernel/base/values/zone.ts';
import { boolean, id, listOf, object, oneOf, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { busyElsewhere } from './busy-elsewhere.ts';
import { event } from '../../scheduling/schedule/index.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { openTimes, spanOf } from './rules/open-times.ts';
import { pageOf, paging, read, staffWith } from '../../../kernel/api/endpoint.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { readHours, type Hours } from './read-hours.ts';
import { REASONS, reasonsAgainst, type Candidate, type Reason } from './rules/substitute.ts';
import type { Period } from '../../../kernel/base/values/period.ts';
import type { TimeRange } from './rules/ranges.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export interface SubstitutedEvent {
  id: number;
  offering_type_id: number;
  venue_id: number;
  timezone: string;
  starts_at: number;
  ends_at: number;
  /** minutes that its instructors keep free around it */
  buffer_before: number;
  buffer_after: number;
}

interface Row {
  id: number;
  name: string;
  qualified: boolean;
  keeps_hours: boolean;
  blocked: { date: string; times: TimeRange[] }[];
  teaching: { event: number; start: number; end: number }[];
}

export const substitutes = read({
  path: '/events/{id}/substitutes',
  summary: 'List who could teach an event instead',
  description:
    'Every instructor who does not teach the event now, with what speaks against them. Those who could teach it come first. To replace an instructor, send `instructors` with PATCH /events/{id}.',
  who: staffWith('super_admin', 'manage_events'),
  target: event,
  query: {
    available: boolean().optional().describe('Only those who could teach it, or only the others.'),
    ...paging(),
  },
  returns: pageOf({
    instructor: id(),
    name: text(),
    available: boolean().describe('Nothing speaks against it.'),
    reasons: listOf(
      object({
        reason: oneOf(Object.keys(REASONS) as Reason[]),
        explanation: text(),
        event: ref('event').nullable().describe('For `teaching`: the event that they teach.'),
      }),
    ),
  }),
  problems: ['already_cancelled'],
  run: async ({ work, target, query: { available, page, page_size: size } }) => {
    if (target.status === 'cancelled') throw new Problem('already_cancelled', 'The event is cancelled.');
    const all = (await judgeSubstitutes(work, target as SubstitutedEvent)).filter(
      (one) => available === undefined || one.available === available,
    );
    const sorted = [...all.filter((one) => one.available), ...all.filter((one) => !one.available)];
    const length = Math.min(size, 100);
    return { count: sorted.length, results: sorted.slice((page - 1) * length, page * length) };
  },
});

const keptFor = (of: SubstitutedEvent): Period => ({
  start: of.starts_at - of.buffer_before * 60_000,
  end: of.ends_at + of.buffer_after * 60_000,
});

/** Judges everybody who does not teach the event, ordered by name. `only` restricts this to one instructor. */
export async function judgeSubstitutes(work: Work, of: SubstitutedEvent, only: number | null = null) {
  const { date: from } = wallAt(of.starts_at, of.timezone);
  const { date: to } = wallAt(of.ends_at, of.timezone);
  const candidates = await candidatesFor(work, of, { from: addDays(from, -1), to, only });
  // In other zones, the event may fall on the day before or after.
  const days = { from: addDays(from, -1), to: addDays(to, 1) };
  const hours = await readHours(work, { offeringType: of.offering_type_id, venues: [of.venue_id], ...days });
  const hoursOf = Map.groupBy(hours, (one) => one.instructor);
  const elsewhere = await elsewhereOf(work, candidates, keptFor(of));
  const time = { start: of.starts_at, end: of.ends_at };
  const kept = keptFor(of);
  return candidates.map((row) => {
    const reasons = reasonsAgainst(
      { ...candidateOf(row, hoursOf.get(row.id) ?? [], of, days), elsewhere: elsewhere(row.id) },
      time,
      kept,
    );
    const clash = row.teaching.find(({ start, end }) => start < kept.end && kept.start < end);
    return {
      instructor: row.id,
      name: row.name,
      available: reasons.length === 0,
      reasons: reasons.map((reason) => ({
        reason,
        explanation: REASONS[reason],
        event: reason === 'teaching' ? clash!.event : null,
      })),
    };
  });
}

/** Reads the busy times of all of them, from every source. */
async function elsewhereOf(work: Work, rows: readonly Row[], time: Period): Promise<(id: number) => readonly Period[]> {
  const ids = rows.map(({ id: instructor }) => instructor);
  const all = await Promise.all(busyElsewhere.filled.map(({ read: readBusy }) => readBusy(work, ids, time)));
  return (instructor) => all.flatMap((found) => found.get(instructor) ?? []);
}

/**
 * Blocked times are wall times at the event's venue. They replace those of the schedules, because they apply to the
 * event's kind of booking.
 */
function candidateOf(
  row: Row,
  hours: readonly Hours[],
  of: SubstitutedEvent,
  days: { from: string; to: string },
): Omit<Candidate, 'elsewhere'> {
  return {
    qualified: row.qualified,
    hours: row.keeps_hours ? hours.map((one) => openTimes({ ...one, blocked: new Map() }, days.from, days.to)) : null,
    blocked: row.blocked.flatMap(({ date, times }) => times.flatMap((range) => spanOf(range, date, of.timezone) ?? [])),
    teaching: row.teaching,
  };
}

/** Blocked times are read for the days of the event and the day before, and other teaching if it overlaps the event. */
const candidatesFor = (
  { tx, providerId }: Work,
  of: SubstitutedEvent,
  { from, to, only }: { from: string; to: string; only: number | null },
) =>
  tx.rows<Row>(sql`SELECT i.id, i.name,
      EXISTS (SELECT FROM offering_type_instructor l
        WHERE l.provider_id = i.provider_id AND l.instructor_id = i.id AND l.offering_type_id = t.id)
        OR EXISTS (SELECT FROM availability_schedule s JOIN availability_schedule_offering_type n
          ON n.provider_id = s.provider_id AND n.availability_schedule_id = s.id
          WHERE s.provider_id = i.provider_id AND s.instructor_id = i.id AND n.offering_type_id = t.id) AS qualified,
      t.schedule_type <> 'room_rental' AND EXISTS
      (SELECT FROM availability_schedule s WHERE s.provider_id = i.provider_id
            AND s.instructor_id = i.id) AS keeps_hours,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('date', b.date, 'times', b.blocked_times)), '[]')
          FROM blocked_time b
        WHERE b.provider_id = i.provider_id AND b.instructor_id = i.id AND b.date BETWEEN ${from}::date AND ${to}::date
          AND (b.applicable_to IS NULL OR b.applicable_to = CASE t.schedule_type WHEN 'appointment' THEN 'IU'
            WHEN 'room_rental' THEN 'RRTL' ELSE 'GC' END)) AS blocked,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('event', ei.event_id, 'start',
        extract(epoch FROM lower(ei.during)) * 1000, 'end', extract(epoch FROM upper(ei.during)) * 1000)
          ORDER BY lower(ei.during)), '[]') FROM event_instructor ei
        WHERE ei.provider_id = i.provider_id AND ei.instructor_id = i.id AND ei.active AND ei.event_id <> ${of.id}
          AND ei.during && tstzrange(${instant(keptFor(of).start)}, ${instant(keptFor(of).end)})) AS teaching
    FROM instructor i JOIN offering_type t ON t.provider_id = i.provider_id AND t.id = ${of.offering_type_id}
    WHERE i.provider_id = ${providerId} AND NOT i.archived AND (${only}::bigint IS NULL OR i.id = ${only}::bigint)
      AND NOT EXISTS (SELECT FROM event_instructor now
        WHERE now.provider_id = i.provider_id AND now.instructor_id = i.id AND now.event_id = ${of.id})
    ORDER BY lower(i.name), i.id`);
