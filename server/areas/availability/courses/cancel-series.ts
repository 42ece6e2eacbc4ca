/** Cancels a series: every session that has not begun, and the enrollments, with their refunds. */
import { action, one } from '../../../kernel/api/endpoint.ts';
import { cancelEvent, takeEvents } from '../../scheduling/schedule/index.ts';
import { COURSE_NOTICES, notifyCustomers } from './notices.ts';
import { creditSessions } from './credits.ts';
import { courseDateSeries } from './course-date-series.ts';
import { endAllWaiting } from './waitlist.ts';
import { courseEnrollmentFeed, courseDateSeriesFeed } from './feed.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { lockEnrollments } from './cancel-enrollment.ts';
import { oneSeries } from './facts.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { text } from '../../../kernel/base/fields/kinds.ts';
import { updateRow } from '../../../kernel/work/unit/row.ts';
import { many, say, textIn } from '../../../kernel/base/values/words.ts';
import { whoManages } from './change-courses.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

async function endEnrollments(work: Work, series: number, at: string): Promise<number[]> {
  const ids = await work.tx.rows<{ id: number }>(
    sql`SELECT id FROM course_enrollment WHERE provider_id = ${work.providerId} AND course_date_series_id = ${series}
      AND status = 'active'`,
  );
  const rows = (
    await lockEnrollments(
      work,
      ids.map((row) => row.id),
    )
  ).filter(({ status }) => status === 'active');
  await work.tx.run(
    sql`UPDATE course_enrollment SET status = 'cancelled', cancelled_at = ${at}, updated_at = ${at}
        WHERE provider_id = ${work.providerId} AND id = ANY(${rows.map(({ id }) => id)}::bigint[])`,
  );
  for (const { id, customer_id: customer } of rows) {
    const of = { course_enrollment: id, course_date_series: series, customer };
    work.record(courseEnrollmentFeed.cancelled, id, { ...of, reason: 'series_cancelled' });
    work.effect('enrollment_cancelled', 'course_enrollment', id, { customer });
  }
  return rows.map((row) => row.customer_id);
}

export const cancelSeries = action({
  path: '/course_date_series/{id}/cancel',
  summary: 'Cancel a date series of a course',
  description:
    'Cancels every session that has not begun, and all enrolments. Customers get back what they paid for sessions that were not held, as account credit. A dry run lists each booking that ends and each amount.',
  tells: true,
  who: whoManages,
  target: courseDateSeries,
  // The events of its sessions are locked before it.
  unlocked: true,
  body: { message: text({ max: 5000 }).nullable().optional().describe('For the people who take part.') },
  returns: one(courseDateSeries),
  problems: ['already_cancelled'],
  run: async ({ work, target, body }) => {
    const { name, sessions } = await oneSeries(work, target.id);
    const events = await takeEvents(
      work,
      sessions.map(({ event }) => event),
    );
    const [row] = await work.tx.rows<Record<string, any> & { id: number }>(
      sql`SELECT * FROM course_date_series WHERE provider_id = ${work.providerId} AND id = ${target.id}
        FOR NO KEY UPDATE`,
    );
    if (row.status === 'cancelled') throw new Problem('already_cancelled', 'The series is already cancelled.');
    work.touch('course_date_series', row.id, row);
    const at = instant(work.now)!;
    // Updated before its sessions end, because their refunds depend on this status.
    await updateRow(work, 'course_date_series', row.id, { status: 'cancelled', cancelled_at: at });
    for (const event of events)
      if (event.status === 'active' && event.starts_at > work.now) await cancelEvent(work, event);
    // Sessions that were cancelled before could have been made up for. Once the series is cancelled, they no longer
    // can.
    const before = events.filter((event) => event.status === 'cancelled' && event.starts_at > work.now);
    await creditSessions(
      work,
      sql`a.event_id = ANY(${before.map(({ id }) => id)}::bigint[])
        AND a.status IN ('not_registered', 'late_cancelled')`,
      'event_cancelled',
    );
    const customers = await endEnrollments(work, row.id, at);
    await endAllWaiting(work, row.id);
    work.record(courseDateSeriesFeed.cancelled, row.id, { course_date_series: row.id, course: row.course_id });
    await notifyCustomers(work, {
      type: COURSE_NOTICES.seriesCancelled,
      customers,
      key: String(row.id),
      values: (_, words) => ({
        'course.name': name,
        gives: textIn(words, say`What you paid for ${many.session} that do not take place becomes account credit.`),
        message: body.message ?? null,
      }),
    });
    return row.id;
  },
});
