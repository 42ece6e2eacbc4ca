/** Continuous bookings, for tests that kill something meanwhile; and the checks that must pass afterwards. */
import assert from 'node:assert/strict';
import type pg from 'pg';
import { times } from '../storm.ts';

export async function postTo(
  base: string,
  token: string,
  path: string,
  body: unknown,
): Promise<{ status: number; body: any }> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await fetch(`${base}/api/v2${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: answer.status, body: await answer.json() };
}

export interface Booked {
  event: number;
  customer: number;
  attendance: number;
}

/** A seat that a checkout holds. */
export interface Held {
  event: number;
  customer: number;
}

export interface Storm {
  readonly booked: Booked[];
  readonly held: Held[];
  readonly statuses: Record<string, number>;
  /** bookings without a response */
  lost: number;
  /** time of the last acknowledgment, from `performance.now()` */
  lastAt: number;
  stop(): Promise<void>;
}

/** Refused callers retry, but after a pause, so that other work can proceed: above all, a process that is starting. */
const breath = () => new Promise((resolve) => setTimeout(resolve, 20));

/**
 * Books one customer after another into one event after another, with 12 concurrent callers, until it is stopped.
 * `holding`: customers who each get a seat held in a checkout meanwhile.
 */
export function bookingStorm(
  base: () => string,
  token: string,
  { customers, events }: { customers: number[]; events: number[] },
  holding: readonly number[] = [],
): Storm {
  const asked = { next: 0, over: false };
  const s = { booked: [] as Booked[], held: [] as Held[], statuses: {} as Record<string, number>, lost: 0, lastAt: 0 };
  const callers = times(12, async () => {
    while (!asked.over) {
      const n = asked.next++;
      const [event, customer] = [
        events[n % events.length],
        customers[Math.floor(n / events.length) % customers.length],
      ];
      const answer = await postTo(base(), token, `/events/${event}/register`, { customer }).catch(() => null);
      if (!answer) {
        s.lost++;
        await breath();
        continue;
      }
      if (answer.status === 200) {
        s.booked.push({ event, customer, attendance: answer.body.attendance });
        s.lastAt = performance.now();
      }
      const what = answer.status === 200 ? 'done' : `${answer.status} ${answer.body.code}`;
      s.statuses[what] = (s.statuses[what] ?? 0) + 1;
      if (answer.status === 503) await breath();
    }
  });
  const holds = (async () => {
    for (const [n, customer] of holding.entries()) {
      if (asked.over) return;
      const event = events[n % events.length];
      const opened = await postTo(base(), token, '/checkouts', { customer }).catch(() => null);
      const item = { item_type: 'CLASS_DRP', event };
      const added =
        opened?.status === 201 &&
        (await postTo(base(), token, `/checkouts/${opened.body.id}/add_item`, item).catch(() => null));
      if (added && added.status < 300) s.held.push({ event, customer });
      else await breath();
    }
  })();
  return Object.assign(s, { stop: async () => ((asked.over = true), void (await Promise.all([callers, holds]))) });
}

/**
 * Checks that each acknowledged booking and each held seat exists, that all bookings are complete, that the counters
 * match the rows, and that no event is oversold.
 */
export async function checkBooks(client: pg.Client, { booked, held }: Pick<Storm, 'booked' | 'held'>): Promise<void> {
  const { rows: missing } = await client.query(
    `SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS told (id, event_id, customer_id)
     WHERE NOT EXISTS (SELECT FROM attendance a WHERE a.id = told.id AND a.event_id = told.event_id
       AND a.customer_id = told.customer_id AND a.status = 'registered')`,
    [booked.map((b) => b.attendance), booked.map((b) => b.event), booked.map((b) => b.customer)],
  );
  assert.deepEqual(missing, [], 'acknowledged and not there');
  const { rows: lost } = await client.query(
    `SELECT * FROM unnest($1::bigint[], $2::bigint[]) AS told (event_id, customer_id)
     WHERE NOT EXISTS (SELECT FROM seat_hold h JOIN checkout_item i ON i.id = h.held_for_id
       WHERE h.event_id = told.event_id AND h.customer_id = told.customer_id AND h.held_for = 'checkout_item')
     AND NOT EXISTS (SELECT FROM attendance a WHERE a.event_id = told.event_id AND a.customer_id = told.customer_id
       AND a.status = 'registered')`,
    [held.map((h) => h.event), held.map((h) => h.customer)],
  );
  assert.deepEqual(lost, [], 'held and not there');
  const { rows: halves } = await client.query(
    `SELECT a.id, (SELECT count(*)::int FROM feed_item f WHERE f.kind = 'event_registration.created'
      AND f.object_id = a.id) AS told,
            (SELECT count(*)::int FROM audit_entry e WHERE e.object = 'attendance' AND e.object_id = a.id) AS audited
     FROM attendance a`,
  );
  assert.deepEqual(
    halves.filter((h) => h.told !== 1 || h.audited !== 1),
    [],
    'half-done bookings',
  );
  const { rows: orphans } = await client.query(
    `SELECT id FROM feed_item f WHERE kind = 'event_registration.created'
      AND NOT EXISTS (SELECT FROM attendance a WHERE a.id = f.object_id)`,
  );
  assert.deepEqual(orphans, [], 'told and not there');
  const { rows: wrong } = await client.query(
    `SELECT id FROM event e WHERE attending_count <> (SELECT count(*) FROM attendance a WHERE a.event_id = e.id
      AND status = 'registered')
       OR held_count <> (SELECT count(*) FROM seat_hold h WHERE h.event_id = e.id)
         OR attending_count + held_count > max_occupancy`,
  );
  assert.deepEqual(wrong, []);
  const {
    rows: [total],
  } = await client.query(
    `SELECT (SELECT sum(n) FROM row_count WHERE relation = 'attendance') = (SELECT count(*) FROM attendance) AS same`,
  );
  assert.equal(total.same, true);
}
