/** A request of an instructor who can’t teach an event, and its status. */
import { atMyVenues, nowInstant, viewedByStaff } from '../../../kernel/work/access/viewer.ts';
import { boolean, id, idsOf, instant, oneOf, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { resource, type Properties } from '../../../kernel/api/resource.ts';

export const STATUSES = ['open', 'filled', 'declined', 'withdrawn', 'ended'] as const;
/**
 * Selects the status of request `t` at a moment. An open request counts only while the event is in the future and the
 * instructor still teaches it, so that changes of events need no follow-up.
 */
export const statusAt = (t: string, now: unknown): Sql =>
  sql`CASE WHEN ${raw(t)}.status <> 'open' THEN ${raw(t)}.status
    WHEN NOT EXISTS (SELECT FROM event_instructor taught WHERE taught.provider_id = ${raw(t)}.provider_id
      AND taught.event_id = ${raw(t)}.event_id AND taught.instructor_id = ${raw(t)}.instructor_id) THEN 'ended'
    WHEN EXISTS (SELECT FROM event asked WHERE asked.provider_id = ${raw(t)}.provider_id
      AND asked.id = ${raw(t)}.event_id
      AND asked.status = 'active' AND asked.starts_at > ${now}::timestamptz) THEN 'open'
    ELSE 'ended' END`;

export const substituteRequest = resource('substitute_request', {
  description: 'An instructor can’t teach an event, and asks for somebody who teaches it instead.',
  fields: {
    id: id(),
    event: ref('event'),
    instructor: ref('instructor').describe('Instructor who can’t teach the event.'),
    message: text({ max: 1000 }).nullable().describe('Their message. Managers and other instructors read it.'),
    status: oneOf(STATUSES)
      .from((t) => statusAt(t, nowInstant))
      .describe(
        '`open`: a substitute is wanted. `filled`: somebody who offered to now teaches the event. `declined`: a manager declined it. `withdrawn`: the instructor took it back. `ended`: it no longer matters, because the event has started or was cancelled, or because the instructor was replaced in another way.',
      ),
    offers: idsOf('instructor', {
      table: 'substitute_offer',
      parent: 'substitute_request_id',
      child: 'instructor_id',
    }).describe('Instructors who offered to teach the event.'),
    substitute: ref('instructor', 'substitute_id')
      .nullable()
      .describe('Instructor who teaches the event instead, if the status is `filled`.'),
    answer: text({ max: 1000 }).nullable().describe('Message of the manager, if the status is `declined`.'),
    created_at: instant(),
    ended_at: instant().nullable(),
  },
  visible: { provider: true, customer: false, unregistered: false },
  place: {
    within: (t) => sql`EXISTS (SELECT FROM event placed WHERE placed.provider_id = ${raw(t)}.provider_id
      AND placed.id = ${raw(t)}.event_id AND ${atMyVenues('placed.venue_id')})`,
    elsewhere: 'hidden',
  },
});

/** Always false for customers. */
export const eventProperties: Properties = {
  fields: {
    substitute_wanted: boolean()
      .from(
        (t) => sql`(${viewedByStaff}::boolean AND EXISTS (SELECT FROM substitute_request r
          WHERE r.provider_id = ${raw(t)}.provider_id AND r.event_id = ${raw(t)}.id
            AND ${statusAt('r', nowInstant)} = 'open'))`,
      )
      .deferred()
      .describe('For staff: an instructor can’t teach it.'),
  },
};
