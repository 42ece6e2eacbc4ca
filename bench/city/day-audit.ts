/**
 * Checks after the day that everything is as the responses said, through HTTP, and in SQL where the interface does not
 * show it.
 */
import { checkCounters } from '../kit/audit.ts';
import { pages, type Caller, type DayResult, type Errand, type Outcome } from './day.ts';
import { sql } from '../../server/kernel/base/db/sql.ts';
import type { Database } from '../../server/kernel/base/db/database.ts';

/** Status of the attendance of a customer at an event; a customer who was only refused has none. */
const STATUS: Partial<Record<Outcome, string>> = {
  booked: 'registered',
  attended: 'attended',
  cancelled: 'not_registered',
  late_cancelled: 'late_cancelled',
  waiting: 'not_registered',
  left: 'not_registered',
};

const key = (of: { event: number; customer: number }): string => `${of.event}:${of.customer}`;

/**
 * Returns the number of customers who were promoted from the waitlist. Throws at the first difference from the
 * responses.
 */
export async function checkAnswers(caller: Caller, { errands }: DayResult): Promise<number> {
  const attendances = new Map<string, { id: number; status: string }>();
  for await (const row of pages<{ id: number; event: number; customer: number; status: string }>(
    caller,
    '/api/v2/attendances?fields=id,event,customer,status&page_size=100',
  )) {
    attendances.set(key(row), row);
  }
  const spots = new Map<string, { id: number; status: string }>();
  for await (const row of pages<{ id: number; event: number; customer: number; status: string }>(
    caller,
    '/api/v2/waitlist_spots?fields=id,event,customer,status&page_size=100',
  )) {
    spots.set(key(row), row);
  }
  let promoted = 0;
  for (const errand of errands) {
    const [attendance, spot] = [attendances.get(key(errand)), spots.get(key(errand))];
    if (errand.outcome === 'waiting' && !spot) {
      if (attendance?.status !== 'registered') throw wrong(errand, 'neither waits nor has a place');
      promoted++;
    } else if (errand.outcome === 'waiting') {
      if (attendance?.status !== STATUS.waiting || spot!.id !== errand.spot || spot!.status !== 'on_waitlist')
        throw wrong(errand, 'waits, unlike the response');
    } else {
      if (spot) throw wrong(errand, 'waits');
      if (attendance?.status !== STATUS[errand.outcome])
        throw wrong(errand, `has a booking that is ${attendance?.status ?? 'not there'}`);
      if (attendance && errand.outcome !== 'left' && attendance.id !== errand.attendance)
        throw wrong(errand, 'has another booking');
    }
  }
  const expected = errands.filter(({ outcome }) => STATUS[outcome] !== undefined).length;
  if (attendances.size !== expected)
    throw new Error(`there are ${attendances.size} attendances where ${expected} were made`);
  return promoted;
}

const wrong = ({ customer, event, outcome }: Errand, how: string): Error =>
  new Error(`customer ${customer} got "${outcome}" for event ${event}, and ${how}`);

/** Checks the order of the waitlists, the counters and the feed. `promoted`: as the responses said */
export async function checkDatabase(
  db: Database,
  provider: number,
  { errands }: DayResult,
  promoted: number,
): Promise<void> {
  await checkCounters({ db, provider });
  const [[order], [feed]] = await db.transaction(provider, (tx) =>
    tx.all([
      // A promotion writes its feed item under the lock of the event, so the ids of those items are the order of
      // promotions. The times in `ended_at` are those of the requests that freed the places, which may have waited for
      // each other.
      sql`WITH spot AS (
            SELECT s.event_id, s.id, s.end_reason, f.id AS nth FROM waitlist_spot s
            LEFT JOIN feed_item f ON f.provider_id = s.provider_id AND f.kind = 'waitlist.promoted'
              AND f.object_id = s.id
            WHERE s.provider_id = ${provider} AND (s.ended_at IS NULL OR s.end_reason = 'promoted')
          ), queue AS (
            SELECT *, row_number() OVER (PARTITION BY event_id ORDER BY id) AS came,
              row_number() OVER (PARTITION BY event_id ORDER BY nth NULLS LAST, id) AS went FROM spot
          )
          SELECT count(*) FILTER (WHERE came <> went)::int AS passed, count(nth)::int AS promoted,
                 (SELECT count(*) FROM event e WHERE e.provider_id = ${provider} AND e.waiting_count > 0
              AND e.attending_count + e.held_count < e.max_occupancy)::int AS free
          FROM queue`,
      sql`SELECT count(*) FILTER (WHERE kind = 'event_registration.created')::int AS registered,
        count(*) FILTER (WHERE kind = 'waitlist.joined')::int AS joined
          FROM feed_item WHERE provider_id = ${provider}`,
    ]),
  );
  if (order.passed > 0)
    throw new Error(`${order.passed} people on waitlists were overtaken by somebody who joined later`);
  if (order.promoted !== promoted)
    throw new Error(`${promoted} people got a place from a waitlist and ${order.promoted} promotions were recorded`);
  if (order.free > 0) throw new Error(`people wait for ${order.free} events that have free places`);
  const joined = errands.filter(({ outcome }) => outcome === 'waiting' || outcome === 'left').length;
  const booked = errands.filter(({ outcome }) => STATUS[outcome] !== undefined).length - joined + promoted;
  if (feed.registered !== booked) throw new Error(`${booked} bookings have ${feed.registered} feed items`);
  if (feed.joined !== joined) throw new Error(`${joined} people joined a waitlist and have ${feed.joined} feed items`);
}

/**
 * Waits until the worker has numbered all feed items, then checks that the numbers have no gap. Returns the number of
 * items.
 */
export async function checkFeed(db: Database, provider: number, withinMs: number): Promise<number> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const feed = await db.transaction(provider, (tx) =>
      tx.one<{ n: number; open: number; first: number; last: number; distinct: number; position: number }>(
        sql`SELECT count(*)::int AS n, count(*) FILTER (WHERE seq IS NULL)::int AS open, min(seq)::int AS first,
          max(seq)::int AS last, count(DISTINCT seq)::int AS distinct,
                   (SELECT last_seq FROM feed_position WHERE provider_id = ${provider})::int AS position
            FROM feed_item WHERE provider_id = ${provider}`,
      ),
    );
    const { n, open, first, last, distinct, position } = feed!;
    if (open === 0) {
      if (n > 0 && (first !== 1 || last !== n || distinct !== n || position !== n))
        throw new Error(
          `${n} feed items are numbered from ${first} to ${last}, ${distinct} different numbers, next after ${position}`,
        );
      return n;
    }
    if (performance.now() > deadline) throw new Error(`${open} of ${n} feed items had no number after ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
