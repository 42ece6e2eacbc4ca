/**
 * Recalculates past sessions after changes of bookings, marks and events. It reads the current state of each event, so
 * late and repeated items lead to the same pay.
 */
import { calculate } from './calculate.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { lockProgress } from './progress.ts';
import type { FeedReader } from '../../../kernel/work/unit/feed-reader.ts';

export const payReader: FeedReader = {
  name: 'instructor_pay',
  kinds: [
    'event.created',
    'event.changed',
    'event.instructors_changed',
    'event.cancelled',
    'event.reopened',
    'event_registration.created',
    'event_registration.cancelled',
    'event_registration.late_cancelled',
    'attendance.attended',
    'attendance.no_show',
    'attendance.corrected',
    'attendance.deleted',
  ],
  async read(work, items) {
    const events = [...new Set(items.map(({ payload }) => payload.event as number))];
    // Nearly all items are about future events, and many businesses have no rates.
    const rows = await work.tx.rows<{ id: number }>(sql`
      SELECT e.id FROM event e WHERE e.provider_id = ${work.providerId} AND e.id = ANY(${events}::bigint[]) AND (
        EXISTS (SELECT FROM instructor_pay_progress g
          WHERE g.provider_id = ${work.providerId} AND e.ends_at <= g.calculated_until)
        OR EXISTS (SELECT FROM instructor_pay_item i WHERE i.provider_id = ${work.providerId} AND i.event_id = e.id))`);
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return;
    await lockProgress(work);
    await calculate(work, ids);
  },
};
