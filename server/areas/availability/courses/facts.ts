/** A series with its sessions, in the form that the rules and the writes need. */
import { storedTexts } from '../../../kernel/work/unit/stored-texts.ts';
import { dayText } from '../../../kernel/base/values/spoken-time.ts';
import { say, When, type Text } from '../../../kernel/base/values/words.ts';
import { spokenDay, spokenSpan } from '../../../kernel/base/languages/spoken.ts';
import { joinable, type Joinable, type SessionToJoin } from './rules/joining.ts';
import { notFound } from '../../../kernel/base/problem.ts';
import { priceToJoin } from './rules/price.ts';
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import type { Reader } from '../../../kernel/base/languages/languages.ts';
import type { Row } from '../../../kernel/base/db/rows.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** A row of `course_enrollment`. */
export type EnrollmentRow = Row<'course_enrollment'>;

type At = Pick<Work, 'tx' | 'providerId'>;

export interface Session extends SessionToJoin {
  readonly zone: string;
  readonly endsAt: number;
  /** null: unlimited */
  readonly max: number | null;
  readonly taken: number;
}

/** A series. Amounts are in minor units. */
export interface Series {
  readonly id: number;
  readonly course: number;
  readonly offeringType: number;
  readonly venue: number;
  /** name for people: the course and the series */
  readonly name: string;
  readonly courseName: string;
  readonly published: boolean;
  readonly status: 'active' | 'cancelled';
  readonly price: number;
  readonly singlePrice: number | null;
  readonly lateJoinLimit: number | null;
  readonly latePrice: 'prorated' | 'full_price';
  readonly makeUpDays: number | null;
  readonly cancelledGives: 'make_up' | 'credit';
  readonly refunds: 'sessions_left' | 'before_start' | 'nothing';
  /** in order of their positions */
  readonly sessions: readonly Session[];
}

/** Reads series by their ids; missing ones are left out. Locks nothing: read again whatever is locked afterwards. */
export async function readSeries({ tx, providerId }: At, ids: readonly number[]): Promise<Map<number, Series>> {
  const rows = await tx.rows<Omit<Series, 'name' | 'sessions'> & { seriesName: string; sessions: Session[] }>(sql`
    SELECT s.id, s.course_id AS course, c.offering_type_id AS "offeringType", s.venue_id AS venue,
      s.name AS "seriesName",
      coalesce(c.name, o.name) AS "courseName", c.published, s.status, s.price_minor AS price,
      s.single_price_minor AS "singlePrice",
      s.late_join_limit AS "lateJoinLimit", s.late_price AS "latePrice", s.make_up_days AS "makeUpDays",
      s.cancelled_session_gives AS "cancelledGives", s.cancellation_refunds AS refunds,
      coalesce((SELECT jsonb_agg(jsonb_build_object('event', e.id, 'position', d.position, 'status', e.status, 'zone',
        e.timezone,
          'startsAt', (extract(epoch FROM e.starts_at) * 1000)::bigint, 'endsAt',
          (extract(epoch FROM e.ends_at) * 1000)::bigint,
          'max', e.max_occupancy, 'taken', e.attending_count + e.held_count) ORDER BY d.position)
        FROM course_date d JOIN event e ON e.provider_id = d.provider_id AND e.id = d.event_id
        WHERE d.provider_id = s.provider_id AND d.course_date_series_id = s.id), '[]'::jsonb) AS sessions
    FROM course_date_series s JOIN course c ON c.provider_id = s.provider_id AND c.id = s.course_id
      JOIN offering_type o ON o.provider_id = c.provider_id AND o.id = c.offering_type_id
    WHERE s.provider_id = ${providerId} AND s.id = ANY(${[...ids]}::bigint[])`);
  return new Map(rows.map(({ seriesName, ...row }) => [row.id, { ...row, name: `${row.courseName}: ${seriesName}` }]));
}

export async function oneSeries(work: At, id: number): Promise<Series> {
  const found = (await readSeries(work, [id])).get(id);
  if (!found) throw notFound();
  return found;
}

/** Sessions that somebody gets who joins now, and their price. */
export interface Offer extends Joinable<Session> {
  readonly price: number;
  /** total number of sessions in the series, as in `of 8` */
  readonly sessions: number;
}

interface Joins {
  /** ids of events for which the customer holds a seat: they get these even if they have begun */
  readonly also?: readonly number[];
  /** id of the event of the first session that they want */
  readonly from?: number;
}

export function offerOf(series: Series, now: number, { also = [], from }: Joins = {}): Offer {
  const first = series.sessions.find(({ event }) => event === from)?.startsAt ?? -Infinity;
  const all = joinable(series, now);
  const open = { ...all, left: all.left.filter(({ startsAt }) => startsAt >= first) };
  const held = series.sessions.filter(
    ({ event, status }) => status === 'active' && also.includes(event) && !open.left.some((s) => s.event === event),
  );
  const left = [...held, ...open.left].toSorted((a, b) => a.startsAt - b.startsAt);
  const refusal = held.length > 0 && open.left.length === 0 && series.status === 'active' ? null : open.refusal;
  const price = priceToJoin({ ...series, sessions: series.sessions.length, gets: left.map((s) => s.position) });
  return { left, begun: open.begun - held.length, refusal, price, sessions: series.sessions.length };
}

const inOrder = (sessions: readonly Session[]): Session[] => sessions.toSorted((a, b) => a.startsAt - b.startsAt);

/** Returns the days of all sessions in order, for example `Sunday, 4 October 2026`. */
export const daysOf = (sessions: readonly Session[]): string =>
  inOrder(sessions)
    .map(({ startsAt, zone }) => dayText(startsAt, zone))
    .join('; ');

/** Returns the days in the language of a reader. */
export const daysIn = (reader: Reader, sessions: readonly Session[]): string =>
  inOrder(sessions)
    .map(({ startsAt, zone }) => spokenDay(reader, startsAt, zone))
    .join('; ');

/** Returns the days and times in the language of a reader, each on a line. */
export const timesIn = (reader: Reader, sessions: readonly Session[]): string =>
  inOrder(sessions)
    .map(
      ({ startsAt, endsAt, zone }) =>
        `${spokenDay(reader, startsAt, zone)}, ${spokenSpan(reader, startsAt, endsAt, zone)}`,
    )
    .join('\n');

/** Returns the days as a text for customers, of at least one session. */
export const saidDays = (sessions: readonly Session[]): Text =>
  inOrder(sessions)
    .map(({ startsAt, zone }) => say`${new When(startsAt, zone, true)}`)
    .reduce((before, next) => say`${before}; ${next}`);

/** Returns `8 sessions` or `6 of 8 sessions`. */
export const countText = (some: number, all: number): string =>
  some === all ? `${all} ${all === 1 ? 'session' : 'sessions'}` : `${some} of ${all} sessions`;

/** Returns, for example, `Rowing, 6 of 8 sessions`, in the language of the business. */
export const sessionsText = (work: Pick<Work, 'tenant'>, name: string, some: number, all: number): string => {
  const { say } = storedTexts(work);
  return (some === all ? say('sessions', { name, all }) : say('sessions.some', { name, n: some, all })).slice(0, 1000);
};

/** Returns the text of a charge for a session that was added to a series, in the language of the business. */
export const addedText = (work: Work, name: string, { startsAt, zone }: Session): string =>
  `${name}, ${storedTexts(work).day(wallAt(startsAt, zone).date)}.`.slice(0, 1000);

/** Returns ids of the remaining events of each series, by its id. */
export async function readSeats(
  work: Pick<Work, 'tx' | 'providerId' | 'now'>,
  ids: readonly number[],
): Promise<Map<number, number[]>> {
  const found = await readSeries(work, ids);
  return new Map([...found].map(([id, series]) => [id, offerOf(series, work.now).left.map(({ event }) => event)]));
}

/** A session, when it is sold singly. */
export interface SingleDate {
  readonly series: Series;
  /** minor units; null: not sold singly */
  readonly price: number | null;
  readonly startsAt: number;
  readonly zone: string;
}

/** Returns those of the events that are sessions of courses, by their ids. */
export async function singleDates(work: At, events: readonly number[]): Promise<Map<number, SingleDate>> {
  const rows = await work.tx.rows<{ event: number; series: number }>(
    sql`SELECT event_id AS event, course_date_series_id AS series FROM course_date
      WHERE provider_id = ${work.providerId} AND event_id = ANY(${[...events]}::bigint[])`,
  );
  if (rows.length === 0) return new Map();
  const found = await readSeries(
    work,
    rows.map((row) => row.series),
  );
  return new Map(
    rows.map(({ event, series: id }) => {
      const series = found.get(id)!;
      const { startsAt, zone } = series.sessions.find((session) => session.event === event)!;
      return [event, { series, price: series.singlePrice, startsAt, zone }];
    }),
  );
}

/** Returns a condition: the event is a session of a course, at the business of the row under alias `c`. */
export const isCourseSession = (c: string, event: Sql): Sql =>
  sql`EXISTS (SELECT FROM course_date d WHERE d.provider_id = ${raw(c)}.provider_id AND d.event_id = ${event})`;
