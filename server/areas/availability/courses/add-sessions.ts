/**
 * Adds sessions to a series after it was sold: they are created, and every enrolled customer is booked for them, either
 * free of charge or at the price of one of their sessions. Customers who booked single dates are not.
 */
import { action, answer } from '../../../kernel/api/endpoint.ts';
import { addEntries } from '../../money/account-entries/index.ts';
import { ADDED_SESSION } from './account-reasons.ts';
import { boolean, id, listOf, money, moneyText, object, oneOf, text } from '../../../kernel/base/fields/kinds.ts';
import { bookPart, CLASHES, lockEvents, lockToPay } from '../../scheduling/schedule/index.ts';
import { COURSE_NOTICES, notifyCustomers } from './notices.ts';
import { courseDateSeries } from './course-date-series.ts';
import {
  addedText,
  daysIn,
  daysOf,
  oneSeries,
  timesIn,
  type EnrollmentRow,
  type Series,
  type Session,
} from './facts.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { lockEnrollments } from './cancel-enrollment.ts';
import { makeSessions, plannedSessions } from './make-sessions.ts';
import { wireMoney } from '../../../kernel/base/values/money.ts';
import { spokenAmount } from '../../../kernel/base/languages/spoken.ts';
import { many, say, textIn, type Text } from '../../../kernel/base/values/words.ts';
import { minorOf } from '../../../kernel/api/amount.ts';
import { offerPlaces } from './waitlist.ts';
import { priceOfAdded } from './rules/price.ts';
import { courseDateSeriesFeed } from './feed.ts';
import { sessionDates } from './session-dates.ts';
import { updateRow } from '../../../kernel/work/unit/row.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import { whoManages } from './change-courses.ts';
import type { Reader } from '../../../kernel/base/languages/languages.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** A customer who gets the added sessions, and the price of each in minor units. */
interface Joining {
  readonly row: EnrollmentRow;
  readonly price: number;
}

interface Added {
  readonly enrollment: EnrollmentRow;
  readonly price: number;
  /** the sessions that they got */
  readonly events: readonly number[];
  /** reason why they did not get the others */
  readonly because: string | null;
}

/** Returns all enrolled customers, locked after the events and everything that pays. */
async function enrolledIn(work: Work, series: number, prorated: boolean): Promise<Joining[]> {
  const found = await work.tx.rows<{ id: number; customer: number; sessions: number }>(sql`
    SELECT n.id, n.customer_id AS customer, (SELECT count(*) FROM course_enrollment_date x
      WHERE x.provider_id = n.provider_id
      AND x.course_enrollment_id = n.id AND x.added_at IS NULL) AS sessions
    FROM course_enrollment n WHERE n.provider_id = ${work.providerId} AND n.course_date_series_id = ${series}
      AND n.status = 'active' ORDER BY n.id`);
  await lockToPay(
    work,
    found.map(({ customer }) => customer),
  );
  const rows = await lockEnrollments(
    work,
    found.map((one) => one.id),
  );
  const sessions = new Map(found.map((one) => [one.id, one.sessions]));
  return rows
    .filter(({ status }) => status === 'active')
    .map((row) => ({
      row,
      price:
        prorated && ['checkout', 'account'].includes(row.paid_by)
          ? priceOfAdded(row.price_minor, sessions.get(row.id)!)
          : 0,
    }));
}

/**
 * Books each event for all of them together. If a customer lacks a place or a use, that session is skipped for that
 * customer.
 */
async function bookAdded(work: Work, joining: readonly Joining[], events: readonly number[]): Promise<Added[]> {
  const got = new Map<number, number[]>(joining.map(({ row }) => [row.id, []]));
  const because = new Map<number, string>();
  const enrollments = joining.map(({ row }) => row.id);
  // Written before the booking: what an enrollment includes is paid for by it.
  await work.tx.run(sql`
    INSERT INTO course_enrollment_date (provider_id, course_enrollment_id, event_id, added_at)
    SELECT ${work.providerId}::bigint, n, e, ${instant(work.now)}::timestamptz
    FROM unnest(${enrollments}::bigint[]) n, unnest(${[...events]}::bigint[]) e`);
  for (const event of events) {
    const results = await bookPart(
      work,
      event,
      joining.map(({ row }) => ({
        customer: row.customer_id,
        comped: row.paid_by === 'comped',
        payer:
          row.customer_membership_id === null
            ? null
            : { subject: 'customer_membership', id: row.customer_membership_id },
      })),
    );
    const missed: number[] = [];
    for (const [n, result] of results.entries()) {
      const { row } = joining[n];
      if (!(result instanceof Problem)) {
        got.get(row.id)!.push(event);
        continue;
      }
      missed.push(row.id);
      because.set(row.id, result.message);
      work.effect('session_not_added', 'course_enrollment', row.id, {
        customer: row.customer_id,
        course_session: event,
        because: result.message,
      });
    }
    if (missed.length > 0)
      await work.tx
        .run(sql`DELETE FROM course_enrollment_date WHERE provider_id = ${work.providerId} AND event_id = ${event}
        AND course_enrollment_id = ANY(${missed}::bigint[])`);
  }
  return joining.map(({ row, price }) => ({
    enrollment: row,
    price,
    events: got.get(row.id)!,
    because: because.get(row.id) ?? null,
  }));
}

/** Charges one entry for each session, because each can be credited separately. */
async function charge(work: Work, series: Series, added: readonly Added[]): Promise<void> {
  const owed = added
    .filter(({ price }) => price > 0)
    .flatMap(({ enrollment, price, events }) => events.map((event) => ({ enrollment, price, event })));
  if (owed.length === 0) return;
  const sessions = new Map(series.sessions.map((session) => [session.event, session]));
  const dueOn = wallAt(work.now, work.tenant.zone).date;
  const entries = await addEntries(
    work,
    owed.map(({ enrollment, price, event }) => ({
      customer: enrollment.customer_id,
      kind: 'charge',
      amount: price,
      reason: ADDED_SESSION,
      subject: enrollment.id,
      customerMembership: null,
      explanation: addedText(work, series.name, sessions.get(event)!),
      dueOn,
      period: null,
    })),
  );
  await work.tx.run(sql`
    UPDATE course_enrollment_date x SET added_entry_id = o.entry
    FROM unnest(${owed.map(({ enrollment }) => enrollment.id)}::bigint[], ${owed.map(({ event }) => event)}::bigint[],
      ${entries}::bigint[]) AS o (enrollment, event, entry)
    WHERE x.provider_id = ${work.providerId} AND x.course_enrollment_id = o.enrollment AND x.event_id = o.event`);
}

/** Sends each customer one message: which sessions were added, and what they cost. */
async function tellAdded(work: Work, series: Series, added: readonly Added[], message: string | null): Promise<void> {
  const { currency } = work.tenant;
  const costsOf = ({ enrollment, price, events }: Added, reader: Reader): Text => {
    if (enrollment.paid_by === 'membership') return say`Each of these ${many.session} takes a use.`;
    if (price === 0) return say`They cost nothing extra.`;
    const amount = spokenAmount(reader, { minor: price * events.length, currency });
    return say`They cost ${amount}, which is charged to your account.`;
  };
  const alike = Map.groupBy(
    added.filter(({ events }) => events.length > 0),
    ({ enrollment, price, events }) => `${enrollment.paid_by} ${price} ${events.join()}`,
  );
  for (const some of alike.values()) {
    const dates = series.sessions.filter(({ event }) => some[0].events.includes(event));
    await notifyCustomers(work, {
      type: COURSE_NOTICES.sessionsAdded,
      customers: some.map(({ enrollment }) => enrollment.customer_id),
      key: `${series.id}:${dates[0].event}`,
      values: (reader, words) => ({
        'course.name': series.name,
        'course.dates': daysIn(reader, dates),
        'course.times': timesIn(reader, dates),
        costs: textIn(words, costsOf(some[0], reader)),
        message,
      }),
    });
  }
}

const roomAndInstructorsOf = async ({ tx, providerId }: Work, { sessions }: Series) => {
  const last = sessions.at(-1);
  const row = await tx.one<{ room: number | null; instructors: number[] }>(sql`
    SELECT e.venue_room_id AS room, ARRAY(SELECT i.instructor_id FROM event_instructor i
      WHERE i.provider_id = e.provider_id AND i.event_id = e.id ORDER BY 1) AS instructors
    FROM event e WHERE e.provider_id = ${providerId} AND e.id = ${last?.event ?? null}::bigint`);
  return row ?? { room: null, instructors: [] };
};

const ahead = ({ sessions }: Series, now: number): Session[] => sessions.filter(({ startsAt }) => startsAt > now);

export const addSessions = action({
  path: '/course_date_series/{id}/add_sessions',
  summary: 'Add sessions to a date series of a course',
  description:
    'Creates the sessions, and books everyone who is enrolled: for nothing, or for what one of their sessions cost, which is charged to their account. A membership that pays for an enrolment gives a use for each. People who booked single dates are not booked. A dry run shows who gets which session, and at which price.',
  tells: true,
  who: whoManages,
  target: courseDateSeries,
  // The events of its sessions are locked before it.
  unlocked: true,
  body: {
    ...sessionDates,
    cost: oneOf(['free', 'prorated']).describe(
      'Price of the added sessions for people who are enrolled already. `prorated`: for each session as much as one of theirs cost, before discount, fees and taxes. Enrolments that cost nothing or were comped stay free.',
    ),
    price: moneyText()
      .optional()
      .describe(
        'Price of all sessions, including the added ones, for people who enrol from now on. If left out, it stays unchanged.',
      ),
    tell: boolean().default(true).describe('Whether the people who take part are notified.'),
    message: text({ max: 5000 }).nullable().optional().describe('For the people who take part.'),
  },
  returns: answer({
    course_sessions: listOf(id()).describe('The sessions that were created.'),
    enrollments: listOf(
      object({
        course_enrollment: id(),
        customer: id(),
        course_sessions: listOf(id()).describe('Those of the new sessions that the customer is booked for.'),
        charged: money(),
        reason: text().nullable().describe('Why the customer did not get all of them. Null if they did.'),
      }),
    ),
  }),
  problems: [...CLASHES, 'already_cancelled'],
  run: async ({ work, target, body, dryRun }) => {
    const before = await oneSeries(work, target.id);
    // Concurrent enrollments wait here, and get the new sessions with the others.
    await lockEvents(
      work,
      ahead(before, work.now)
        .map(({ event }) => event)
        .toSorted((a, b) => a - b),
    );
    const known = await oneSeries(work, target.id);
    if (known.status === 'cancelled') throw new Problem('already_cancelled', 'The series is cancelled.');
    const { venue_room, instructors, cost, price, tell: tells, message = null, ...plan } = body;
    const planned = await plannedSessions(work, { ...plan, venue: known.venue });
    const like = await roomAndInstructorsOf(work, known);
    const course = await work.tx.one<{ id: number; name: string | null; offering_type_id: number; published: boolean }>(
      sql`SELECT id, name, offering_type_id, published FROM course
        WHERE provider_id = ${work.providerId} AND id = ${known.course}`,
    );
    const events = await makeSessions(work, {
      series: known.id,
      course: course!,
      values: {
        venue: known.venue,
        venue_room: venue_room === undefined ? like.room : venue_room,
        instructors: instructors ?? like.instructors,
        max_occupancy: target.max_occupancy,
      },
      planned,
      before: known.sessions.length,
      onlyTried: dryRun,
    });
    const series = await oneSeries(work, target.id);
    const early = series.sessions.find(({ event, startsAt }) => events.includes(event) && startsAt <= work.now);
    if (early) throw invalid('dates', `Must be later than now. ${daysOf([early])} has begun.`);
    const added = await bookAdded(work, await enrolledIn(work, known.id, cost === 'prorated'), events);
    await charge(work, series, added);
    const [row] = await work.tx.rows<Record<string, any> & { id: number }>(
      sql`SELECT * FROM course_date_series WHERE provider_id = ${work.providerId} AND id = ${known.id}
        FOR NO KEY UPDATE`,
    );
    work.touch('course_date_series', row.id, row);
    const price_minor = price === undefined ? undefined : minorOf('price', price, work.tenant.currency);
    await updateRow(work, 'course_date_series', row.id, { price_minor });
    const changed = [
      'course_sessions',
      ...(price_minor === undefined || price_minor === row.price_minor ? [] : ['price']),
    ];
    work.record(courseDateSeriesFeed.updated, row.id, { course_date_series: row.id, course: known.course, changed });
    offerPlaces(work, row.id);
    for (const { enrollment, price: each, events: mine } of added)
      work.effect('sessions_added', 'course_enrollment', enrollment.id, {
        customer: enrollment.customer_id,
        course_sessions: mine,
        amount_minor: each * mine.length,
      });
    if (tells) await tellAdded(work, series, added, message);
    return {
      course_sessions: events,
      enrollments: added.map(({ enrollment, price: each, events: mine, because }) => ({
        course_enrollment: enrollment.id,
        customer: enrollment.customer_id,
        course_sessions: [...mine],
        charged: wireMoney({ minor: each * mine.length, currency: work.tenant.currency }),
        reason: because,
      })),
    };
  },
});
