/** Events and bookings that were imported by mistake. Nobody is notified. */
import { cancelEvents, lockToChange } from '../events/cancel-events.ts';
import { eventRegistrationFeed, eventSeriesFeed } from '../feed.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { leaveWaitlist, lockEvents } from '../waitlist/waiting.ts';
import { passOnOrEnd } from '../events/empty-appointments.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/**
 * Cancels imported events without people, each with its whole series if it is in one. Returns the reasons for keeping
 * the others, by id.
 */
export async function takeBackEvents(work: Work, ids: readonly number[]): Promise<Map<number, string>> {
  const { tx, providerId } = work;
  const others = await tx.rows<{ id: number; of: number; series: number }>(
    sql`SELECT o.id, e.id AS of, o.series_id AS series FROM event e
      JOIN event o ON o.provider_id = e.provider_id AND o.series_id = e.series_id
      WHERE e.provider_id = ${providerId} AND e.id = ANY(${ids}::bigint[])`,
  );
  const importedAs = new Map([...ids.map((id) => [id, id] as const), ...others.map(({ id, of }) => [id, of] as const)]);
  const all = [...importedAs.keys()];
  const rows = await lockToChange(work, all);
  const booked = await tx.rows<{ id: number; n: number }>(
    sql`SELECT event_id AS id, count(*)::int AS n FROM attendance
      WHERE provider_id = ${providerId} AND event_id = ANY(${all}::bigint[]) AND status <> 'not_registered'
      GROUP BY event_id`,
  );
  const kept = new Map<number, string>();
  for (const { id, n } of booked) kept.set(importedAs.get(id)!, n === 1 ? 'has one booking' : `has ${n} bookings`);
  for (const { id, held_count: held, waiting_count: waiting } of rows) {
    const of = importedAs.get(id)!;
    if (!kept.has(of) && held + waiting > 0) kept.set(of, 'has people who wait, or are about to pay');
  }
  const gone = rows.filter(({ id }) => !kept.has(importedAs.get(id)!));
  await cancelEvents(
    work,
    gone.filter(({ status }) => status === 'active'),
    null,
  );
  await endSeries(
    work,
    others.flatMap(({ of, series }) => (kept.has(of) ? [] : [series])),
  );
  await forgetIds(
    work,
    gone.map(({ id }) => id),
  );
  return kept;
}

/** Ends series, so that they get no more events. */
async function endSeries(work: Work, ids: readonly number[]): Promise<void> {
  const rows = await work.tx.rows<{ id: number } & Record<string, unknown>>(
    sql`SELECT * FROM event_series WHERE provider_id = ${work.providerId} AND id = ANY(${ids}::bigint[])
        AND status <> 'ended' ORDER BY id FOR UPDATE`,
  );
  for (const row of rows) {
    work.touch('event_series', row.id, row);
    work.record(eventSeriesFeed.ended, row.id, { event_series: row.id });
  }
  await work.tx.run(
    sql`UPDATE event_series SET status = 'ended', updated_at = ${instant(work.now)}
      WHERE provider_id = ${work.providerId} AND id = ANY(${rows.map(({ id }) => id)}::bigint[])`,
  );
}

/** Forgets the ids that cancelled events have elsewhere: a later import of the same file creates them again. */
const forgetIds = ({ tx, providerId, now }: Work, ids: readonly number[]): Promise<unknown> =>
  tx.run(
    sql`UPDATE event SET external_id = NULL, updated_at = ${instant(now)}
      WHERE provider_id = ${providerId} AND id = ANY(${ids}::bigint[]) AND external_id IS NOT NULL
        AND status = 'cancelled'`,
  );

interface Booking extends Record<string, unknown> {
  readonly id: number;
  readonly event_id: number;
  readonly customer_id: number;
  readonly status: string;
  readonly started: boolean;
  readonly waits: boolean;
}

/** Ends imported bookings and places on waitlists. Returns the reasons for keeping the others, by id. */
export async function takeBackBookings(work: Work, ids: readonly number[]): Promise<Map<number, string>> {
  const { tx, providerId } = work;
  const events = await tx.rows<{ id: number }>(
    sql`SELECT DISTINCT event_id AS id FROM attendance WHERE provider_id = ${providerId}
        AND id = ANY(${ids}::bigint[]) ORDER BY 1`,
  );
  await lockEvents(
    work,
    events.map(({ id }) => id),
  );
  const rows = await tx.rows<Booking>(
    sql`SELECT a.*, e.starts_at <= ${instant(work.now)}::timestamptz AS started,
        EXISTS (SELECT FROM waitlist_spot s WHERE s.provider_id = a.provider_id AND s.event_id = a.event_id
          AND s.customer_id = a.customer_id AND s.ended_at IS NULL) AS waits
      FROM attendance a JOIN event e ON e.provider_id = a.provider_id AND e.id = a.event_id
      WHERE a.provider_id = ${providerId} AND a.id = ANY(${ids}::bigint[])
      ORDER BY a.event_id, a.id FOR UPDATE OF a`,
  );
  const kept = new Map<number, string>();
  const freed = new Set<number>();
  // Waitlists first: none of these people gets a place that becomes free here.
  for (const { event_id: event, customer_id: customer } of rows.filter(({ waits }) => waits))
    await leaveWaitlist(work, event, customer);
  for (const { started, waits: _, ...booking } of rows) {
    const { id, event_id: event, customer_id: customer, status } = booking;
    if (status === 'not_registered') continue;
    if (status !== 'registered' || started) {
      kept.set(id, 'has taken place, or has begun');
      continue;
    }
    work.touch('attendance', id, booking);
    await tx.run(
      sql`UPDATE attendance SET status = 'not_registered', cancelled_at = ${instant(work.now)},
          updated_at = ${instant(work.now)}
        WHERE provider_id = ${providerId} AND id = ${id}`,
    );
    const of = { attendance: id, event, customer };
    work.record(eventRegistrationFeed.cancelled, id, { ...of, reason: 'import_undone' });
    work.effect('booking_cancelled', 'attendance', id, of);
    freed.add(event);
  }
  for (const event of freed) await passOnOrEnd(work, event);
  // Appointments end with their booking.
  await forgetIds(work, [...freed]);
  return kept;
}
