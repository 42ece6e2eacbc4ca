/** Single sessions: moving, cancelling and making up for them. */
import { a, day, one as word, say, textIn, type Text } from '../../../kernel/base/values/words.ts';
import { action, one, update } from '../../../kernel/api/endpoint.ts';
import { boolean, oneOf, text } from '../../../kernel/base/fields/kinds.ts';
import { cancelEvent, changeEvent, CLASHES, EVENT_BODY, type EventValues } from '../../scheduling/schedule/index.ts';
import { COURSE_NOTICES, notifyCustomers } from './notices.ts';
import { GIVES } from './course-date-series.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import { courseSession } from './course-session.ts';
import { spokenDay, spokenSpan } from '../../../kernel/base/languages/spoken.ts';
import { oneSeries, type Series } from './facts.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { whoManages } from './change-courses.ts';
import { formatWall } from '../../../kernel/base/values/zone.ts';
import { addDays } from '../../../kernel/base/values/date.ts';
import type { Reader } from '../../../kernel/base/languages/languages.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const { name, starts_at, ends_at, venue, venue_room, instructors } = EVENT_BODY;

const said = {
  tell: boolean().default(true).describe('Whether the people who take part are notified.'),
  message: text({ max: 5000 }).nullable().optional().describe('For the people who take part.'),
};

type EventRow = Readonly<Record<string, any>>;

const timeIn = (reader: Reader, { starts_at: from, ends_at: to, timezone }: EventRow): string =>
  `${spokenDay(reader, from, timezone)}, ${spokenSpan(reader, from, to, timezone)}`;

/** Returns booked customers, and which of them are enrolled in its series. */
async function bookedAt({ tx, providerId }: Work, event: number): Promise<{ id: number; enrolled: boolean }[]> {
  return tx.rows(sql`
    SELECT a.customer_id AS id, EXISTS (SELECT FROM course_enrollment_date x
      JOIN course_enrollment n ON n.provider_id = x.provider_id AND n.id = x.course_enrollment_id
      WHERE x.provider_id = a.provider_id AND x.event_id = a.event_id AND n.customer_id = a.customer_id
        AND n.status = 'active') AS enrolled
    FROM attendance a WHERE a.provider_id = ${providerId} AND a.event_id = ${event} AND a.status = 'registered'
    ORDER BY 1`);
}

async function seriesOf(work: Work, event: number): Promise<Series> {
  const row = await work.tx.one<{ id: number }>(
    sql`SELECT course_date_series_id AS id FROM course_date
      WHERE provider_id = ${work.providerId} AND event_id = ${event}`,
  );
  return oneSeries(work, row!.id);
}

const move = update(courseSession, {
  path: '/course_sessions/{id}',
  summary: 'Update a session of a course',
  description: 'People who take part are notified if its time or its venue changes. Their bookings move with it.',
  tells: true,
  who: whoManages,
  body: { name: name.optional(), starts_at, ends_at, venue, venue_room, instructors, ...said },
  problems: [...CLASHES, 'already_cancelled'],
  run: async ({ work, target, body: { tell: tells = true, message = null, ...values } }) => {
    await changeEvent(work, target, values as Partial<EventValues>);
    const now = (await work.tx.one<EventRow>(
      sql`SELECT * FROM event WHERE provider_id = ${work.providerId} AND id = ${target.id}`,
    ))!;
    const moved =
      now.starts_at !== target.starts_at || now.ends_at !== target.ends_at || now.venue_id !== target.venue_id;
    if (moved && tells && now.ends_at > work.now) {
      const course = (await seriesOf(work, target.id)).name;
      await notifyCustomers(work, {
        type: COURSE_NOTICES.sessionMoved,
        customers: (await bookedAt(work, target.id)).map(({ id }) => id),
        key: `${target.id}:${now.updated_at}`,
        values: (reader) => ({
          'course.name': course,
          'session.time': timeIn(reader, now),
          'session.before': timeIn(reader, target),
          message,
        }),
      });
    }
    return target.id;
  },
});

/** Returns what enrolled customers get for a session that does not take place. */
function givesFor({ makeUpDays, cancelledGives }: Series, { starts_at: at, timezone }: EventRow): Text {
  if (makeUpDays === null || cancelledGives === 'credit')
    return say`What you paid for this ${word.session} becomes account credit.`;
  const last = addDays(formatWall(at, timezone).slice(0, 10), makeUpDays);
  return say`You can attend ${a.session} of other dates instead, until ${day(last)}.`;
}

const cancel = action({
  path: '/course_sessions/{id}/cancel',
  summary: 'Cancel a session of a course',
  description:
    'Its bookings end. People who are enrolled can make up for it, or get its part of the price back, as `gives` says, or else `cancelled_session_gives` of the series. A dry run lists each booking and each amount.',
  tells: true,
  who: whoManages,
  target: courseSession,
  body: {
    gives: oneOf(GIVES)
      .optional()
      .describe(
        'Compensation for people who are enrolled in this session. If left out, `cancelled_session_gives` of the series.',
      ),
    ...said,
  },
  returns: one(courseSession),
  problems: ['already_cancelled'],
  run: async ({ work, target, body }) => {
    const [known, booked] = [await seriesOf(work, target.id), await bookedAt(work, target.id)];
    if (body.gives === 'make_up' && known.makeUpDays === null)
      throw invalid('gives', 'The series has no make-up sessions. Set its make_up_days first, or send `credit`.');
    const series = { ...known, cancelledGives: body.gives ?? known.cancelledGives };
    await work.tx.run(
      sql`UPDATE course_date SET cancelled_gives = ${body.gives ?? null}
        WHERE provider_id = ${work.providerId} AND event_id = ${target.id}`,
    );
    await cancelEvent(work, target);
    if (!body.tell || target.ends_at <= work.now) return target.id;
    for (const enrolled of [true, false])
      await notifyCustomers(work, {
        type: COURSE_NOTICES.sessionCancelled,
        customers: booked.filter((one) => one.enrolled === enrolled).map(({ id }) => id),
        key: String(target.id),
        values: (reader, words) => ({
          'course.name': series.name,
          'session.time': timeIn(reader, target),
          message: body.message ?? null,
          gives: textIn(words, enrolled ? givesFor(series, target) : say`What you paid for it is given back.`),
        }),
      });
    return target.id;
  },
});

export const changeSessions = [...move, cancel];
