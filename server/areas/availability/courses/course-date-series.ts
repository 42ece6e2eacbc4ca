import {
  boolean,
  collection,
  id,
  instant,
  integer,
  money,
  oneOf,
  ref,
  text,
} from '../../../kernel/base/fields/kinds.ts';
import { atVenue, resource } from '../../../kernel/api/resource.ts';
import { formatInstant, parsePgInstant } from '../../../kernel/base/values/zone.ts';
import { nowInstant } from '../../../kernel/work/access/viewer.ts';
import { ofCourse, onOffer, shownToCustomers } from './course.ts';
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';

export const GIVES = ['make_up', 'credit'] as const;
export const REFUNDS = ['sessions_left', 'before_start', 'nothing'] as const;
export const LATE_PRICES = ['prorated', 'full_price'] as const;

const sessions = (t: string, pick: Sql, which: Sql = sql`true`): Sql => sql`(SELECT ${pick} FROM course_date d
  JOIN event e ON e.provider_id = d.provider_id AND e.id = d.event_id
  WHERE d.provider_id = ${raw(t)}.provider_id AND d.course_date_series_id = ${raw(t)}.id AND ${which})`;

const left = sql`e.status = 'active' AND e.starts_at > ${nowInstant}::timestamptz`;
const full = raw('e.max_occupancy IS NOT NULL AND e.attending_count + e.held_count >= e.max_occupancy');

/** Selects when its first session starts, or when its last session ends, in the zone of that session. */
const bound = (pick: string) =>
  instant().computed(
    (t) => [
      sessions(t, raw(`${pick}::text`)),
      raw(`(SELECT v.timezone FROM venue v WHERE v.provider_id = ${t}.provider_id AND v.id = ${t}.venue_id)`),
    ],
    ([at, zone]) => (at === null ? null : formatInstant(parsePgInstant(at), zone!)),
  );

export const courseDateSeries = resource('course_date_series', {
  description: 'A run of a course that customers enrol in: its sessions, its price, and the rules by which it is sold.',
  fields: {
    id: id(),
    course: ref('course'),
    name: text({ max: 200 }),
    venue: ref('venue'),
    status: oneOf(['active', 'cancelled']),
    price: money()
      .from((t) => raw(`${t}.price_minor`))
      .describe('Price of all sessions, before fees and taxes.'),
    single_date_price: money()
      .from((t) => raw(`${t}.single_price_minor`))
      .nullable()
      .describe('Price of one session, before fees and taxes. Null if single sessions are not sold.'),
    max_occupancy: integer({ min: 1 }).nullable().describe('Places at each session. Null means no limit.'),
    late_join_limit: integer({ min: 0 })
      .nullable()
      .describe('At most so many sessions have begun when somebody joins. Null: as long as one is left.'),
    late_price: oneOf(LATE_PRICES).describe('Price for somebody who joins late: the sessions left, or the full price.'),
    make_up_days: integer({ min: 1, max: 366 })
      .nullable()
      .describe('Days after a missed session within which it can be made up for in another series. Null: never.'),
    cancelled_session_gives: oneOf(GIVES).describe('Compensation for a session that the business cancels.'),
    cancellation_refunds: oneOf(REFUNDS).describe('Refund for customers who cancel their enrolment.'),
    starts_at: bound('min(e.starts_at)').nullable(),
    ends_at: bound('max(e.ends_at)').nullable(),
    session_count: integer({ min: 0 }).from((t) => sessions(t, raw('count(*)'))),
    sessions_left: integer({ min: 0 }).from((t) => sessions(t, raw('count(*)'), left)),
    enrolled_count: integer({ min: 0 }).from((t) =>
      raw(
        `(SELECT count(*) FROM course_enrollment n
          WHERE n.provider_id = ${t}.provider_id AND n.course_date_series_id = ${t}.id AND n.status = 'active')`,
      ),
    ),
    is_full: boolean()
      .from((t) => sql`EXISTS ${sessions(t, sql`1`, sql`${left} AND ${full}`)}`)
      .describe('True if a session that is left has no free place: anyone who joins gets all of them.'),
    course_sessions: collection(
      'course_session',
      { table: 'course_date', parent: 'course_date_series_id', child: 'event_id' },
      (seriesId) => `/course_sessions?course_date_series=${seriesId}`,
    ),
  },
  visible: {
    provider: true,
    customer: (t) => ofCourse(t, 'course_id', shownToCustomers),
    unregistered: (t) => ofCourse(t, 'course_id', onOffer),
  },
  place: atVenue('venue_id', 'public'),
});
