/** Reminds people of their bookings: planned with the booking, moved with the event, and checked again when due. */
import { communicationSettings } from '../messages/index.ts';
import { eventNotices, readEvents } from './of-events.ts';
import { BOOKING_NOTICES } from '../../scheduling/schedule/index.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { Loops } from '../../../kernel/work/worker/loops.ts';
import { backgroundWork } from '../../../kernel/work/unit/background-work.ts';
import { reminderDue } from './rules/words.ts';
import { sendNotices } from './write.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';
import type { Engine, EngineContext } from '../../../kernel/work/unit/engine.ts';

interface Booking {
  readonly event: number;
  readonly customer: number;
}

export async function planReminders(work: Work, bookings: readonly Booking[]): Promise<void> {
  if (bookings.length === 0) return;
  const { reminder_hours: hours } = await communicationSettings(work);
  const events = await readEvents(work, [...new Set(bookings.map((b) => b.event))]);
  const planned = bookings.flatMap((b) => {
    const event = events.get(b.event);
    const due = event ? reminderDue(event.starts_at, hours, work.now) : null;
    return due === null ? [] : [{ ...b, due }];
  });
  await work.tx.run(sql`
    INSERT INTO event_reminder (provider_id, event_id, customer_id, due_at)
    SELECT ${work.providerId}::bigint, r.event, r.customer, max(r.due)
    FROM unnest(${planned.map((p) => p.event)}::bigint[], ${planned.map((p) => p.customer)}::bigint[],
      ${planned.map((p) => instant(p.due))}::timestamptz[]) AS r (event, customer, due) GROUP BY 1, 2, 3 ORDER BY 2, 3
    ON CONFLICT (provider_id, event_id, customer_id) DO UPDATE SET due_at = excluded.due_at`);
}

export async function forgetReminders(work: Work, bookings: readonly Booking[]): Promise<void> {
  if (bookings.length === 0) return;
  // A customer who has booked again since keeps the reminder: items are in order, but the state may be newer than the
  // item.
  await work.tx.run(sql`
    DELETE FROM event_reminder r
    USING unnest(${bookings.map((b) => b.event)}::bigint[], ${bookings.map((b) => b.customer)}::bigint[]) AS b
      (event, customer)
    WHERE r.provider_id = ${work.providerId} AND r.event_id = b.event AND r.customer_id = b.customer
      AND NOT EXISTS (SELECT FROM attendance a
        WHERE a.provider_id = r.provider_id AND a.event_id = r.event_id AND a.customer_id = r.customer_id
          AND a.status = 'registered')`);
}

/**
 * Moves the reminders of events whose start has changed: everyone who is booked is reminded of the new start, including
 * those who were reminded of the old one.
 */
export async function moveReminders(work: Work, events: readonly number[]): Promise<void> {
  if (events.length === 0) return;
  const bookings = await work.tx.rows<{ event: number; customer: number }>(
    sql`SELECT event_id AS event, customer_id AS customer FROM attendance
      WHERE provider_id = ${work.providerId} AND event_id = ANY(${events}::bigint[]) AND status = 'registered'`,
  );
  await work.tx.run(
    sql`DELETE FROM event_reminder WHERE provider_id = ${work.providerId} AND event_id = ANY(${events}::bigint[])`,
  );
  await planReminders(work, bookings);
}

const PAUSE_MS = 500;
const AT_ONCE = 200;
const WHY = 'reminders of every business fall due';

/**
 * Sends reminders that are due. A row is deleted in the transaction that queues its message: once, whenever the process
 * ends.
 */
async function remind(context: EngineContext): Promise<number> {
  const { db, now, log } = context;
  const due = await db.acrossTenants(WHY, (tx) =>
    tx.rows<{ provider_id: number }>(
      sql`SELECT DISTINCT provider_id
        FROM (SELECT provider_id FROM event_reminder WHERE due_at <= ${instant(now())} ORDER BY due_at LIMIT 1000) d`,
    ),
  );
  let done = 0;
  for (const { provider_id: providerId } of due) {
    try {
      done += (await backgroundWork(context, providerId, 'reminders', sendDue)) ?? 0;
    } catch (err) {
      // An error at one business does not delay the reminders of others.
      log.warn({ err, provider_id: providerId }, 'reminders: will try again');
    }
  }
  return done;
}

export async function sendDue(work: Work): Promise<number> {
  const rows = await work.tx.rows<{ event_id: number; customer_id: number; starts_at: number; still: boolean }>(sql`
    WITH due AS (
      DELETE FROM event_reminder WHERE (provider_id, event_id, customer_id) IN (
        SELECT provider_id, event_id, customer_id FROM event_reminder
        WHERE provider_id = ${work.providerId} AND due_at <= ${instant(work.now)}
        ORDER BY due_at LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED) RETURNING event_id, customer_id
    )
    SELECT d.event_id, d.customer_id, e.starts_at, e.status = 'active' AND e.starts_at > ${instant(work.now)}
      AND a.status IS NOT DISTINCT FROM 'registered' AS still
    FROM due d JOIN event e ON e.provider_id = ${work.providerId} AND e.id = d.event_id
    LEFT JOIN attendance a ON a.provider_id = e.provider_id AND a.event_id = e.id AND a.customer_id = d.customer_id`);
  const about = rows
    .filter((r) => r.still)
    .map((r) => ({
      type: BOOKING_NOTICES.reminder,
      event: r.event_id,
      customer: r.customer_id,
      ticket: true as const,
      key: `${r.event_id}:${r.starts_at}`,
    }));
  await sendNotices(work, await eventNotices(work, about));
  return rows.length;
}

export const reminderEngine: Engine = {
  name: 'reminders',
  start: async (context) => {
    const loops = new Loops(context.log);
    loops.repeat('reminders', PAUSE_MS, async () => (await remind(context)) >= AT_ONCE);
    return loops;
  },
  ofTestBusiness: {
    due: (provider) => [sql`(SELECT min(d.due_at) FROM event_reminder d WHERE d.provider_id = ${provider})`],
    act: async (context, { providerId }) =>
      ((await backgroundWork(context, providerId, 'reminders', sendDue)) ?? 0) > 0,
  },
};
