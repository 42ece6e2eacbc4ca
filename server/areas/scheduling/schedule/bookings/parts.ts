/**
 * Bookings at several events that are one purchase: the sessions of a course. All of them are made or ended in one
 * transaction, and the seller of the whole decides who may buy it and when.
 */
import { alreadyRegistered } from '../waitlist/seat-holds.ts';
import { cancelBooking } from './unregister.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { lockEvents } from '../waitlist/waiting.ts';
import { payers } from './payer-port.ts';
import { Problem } from '../../../../kernel/base/problem.ts';
import { register } from './register.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

interface Parts {
  /** ids of the events, which the caller has locked with `lockToBook` */
  readonly events: readonly number[];
  readonly customer: number;
  readonly comped?: boolean;
  /** what pays for each, by the name and the id that its payer uses; null for any */
  readonly payer: { readonly subject: string; readonly id: number } | null;
  /** true if the seats were held while the customer paid */
  readonly held?: boolean;
}

/** Books all of them and returns the attendances, or throws the first refusal. */
export async function bookParts(
  work: Work,
  { events, customer, comped = false, payer, held }: Parts,
): Promise<number[]> {
  const item = { work, customer, comped, named: namedBy(payer), held, part: true };
  const made: number[] = [];
  for (const event of events) {
    const [booked] = await register(work.tx, [item], { event, commit: false });
    if (booked instanceof Error) throw booked;
    if (!booked.made) throw alreadyRegistered();
    made.push(booked.attendance);
  }
  return made;
}

/**
 * Books one event for several customers who have bought the whole. Returns for each the attendance, or the reason why
 * there is none.
 */
export async function bookPart(
  work: Work,
  event: number,
  seats: readonly (Pick<Parts, 'customer' | 'comped'> & { readonly payer: Parts['payer'] })[],
): Promise<(number | Problem)[]> {
  const items = seats.map(({ customer, comped = false, payer }) => ({
    work,
    customer,
    comped,
    named: namedBy(payer),
    part: true,
  }));
  const results = await register(work.tx, items, { event, commit: false });
  return results.map((result) => {
    if (!(result instanceof Error)) return result.attendance;
    if (result instanceof Problem) return result;
    throw result;
  });
}

/** Locks customers with all that they can use, after the events, to change the purchases of several of them. */
export const lockToPay = (work: Work, customers: readonly number[]): Promise<void> =>
  payers.filled.lock(work, sql`${[...customers]}::bigint[]`);

function namedBy(payer: Parts['payer']) {
  if (payer === null) return null;
  const pays = payers.filled.all.find((p) => p.subject === payer.subject);
  if (!pays) throw new Error(`no payer has the subject "${payer.subject}"`);
  return { payer: pays, id: payer.id };
}

/**
 * Locks events with everybody who is booked or on the waitlist there, for a change that releases seats at several of
 * them.
 */
async function lockToFree(work: Work, events: readonly number[], customer: number): Promise<void> {
  const ids = [...new Set(events)].toSorted((a, b) => a - b);
  await lockEvents(work, ids);
  await payers.filled.lock(
    work,
    sql`ARRAY(SELECT ${customer}::bigint UNION SELECT w.customer_id FROM waitlist_spot w
      WHERE w.provider_id = ${work.providerId} AND w.event_id = ANY(${ids}::bigint[]) AND w.ended_at IS NULL)`,
  );
}

/** Locks the stored events by id, to change each of them. */
export const takeEvents = (work: Work, events: readonly number[]): Promise<Record<string, any>[]> =>
  work.tx.rows(
    sql`SELECT * FROM event WHERE provider_id = ${work.providerId} AND id = ANY(${[...events]}::bigint[]) ORDER BY id
      FOR UPDATE`,
  );

interface Ended {
  readonly event: number;
  readonly late: boolean;
}

/**
 * Ends the bookings of a customer at those of these events that have not begun, each late or in time by its own window.
 * `staffSays`: whether they count as late, if staff decide it.
 */
export async function cancelParts(
  work: Work,
  { events, customer }: Pick<Parts, 'events' | 'customer'>,
  { staffSays }: { readonly staffSays?: boolean } = {},
): Promise<Ended[]> {
  await lockToFree(work, events, customer);
  const booked = await work.tx.rows<{ event: number }>(sql`
    SELECT a.event_id AS event FROM attendance a JOIN event e ON e.provider_id = a.provider_id AND e.id = a.event_id
    WHERE a.provider_id = ${work.providerId} AND a.customer_id = ${customer}
      AND a.event_id = ANY(${[...events]}::bigint[])
      AND a.status = 'registered' AND e.status = 'active' AND e.starts_at > ${instant(work.now)}::timestamptz
    ORDER BY e.id`);
  const ended: Ended[] = [];
  for (const { event } of booked) {
    const { late } = await cancelBooking(work, event, customer, staffSays, { part: true });
    ended.push({ event, late });
  }
  return ended;
}

/** Later than any time shown in a calendar. */
const END_OF_TIME = '9999-12-31T00:00:00Z';

/** Shows events to customers according to their timelines, or to staff only. */
export async function showInCalendar(work: Work, events: readonly number[], shown: boolean): Promise<void> {
  const rows = await work.tx.rows<Record<string, unknown> & { id: number }>(
    sql`SELECT * FROM event WHERE provider_id = ${work.providerId} AND id = ANY(${[...events]}::bigint[]) ORDER BY id
      FOR NO KEY UPDATE`,
  );
  for (const row of rows) work.touch('event', row.id, row);
  await work.tx.run(
    sql`UPDATE event SET calendar_opens_at = ${shown ? null : END_OF_TIME}::timestamptz,
      updated_at = ${instant(work.now)}
        WHERE provider_id = ${work.providerId} AND id = ANY(${[...events]}::bigint[])`,
  );
}
