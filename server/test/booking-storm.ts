/** Bookings without a pause, for tests that take something away meanwhile; and what must be so afterwards. */
import assert from 'node:assert/strict';
import type pg from 'pg';
import { times } from './storm.ts';

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

export interface Storm {
  readonly booked: Booked[];
  readonly statuses: Record<string, number>;
  /** bookings of which no answer came */
  lost: number;
  /** when the last one was acknowledged, as performance.now() has it */
  lastAt: number;
  stop(): Promise<void>;
}

/** Who is refused comes back, but not so soon that nothing else gets to work: least of all what is being started. */
const breath = () => new Promise((resolve) => setTimeout(resolve, 20));

/** Books one customer after another into one event after another, 12 callers side by side, until it is told to stop. */
export function bookingStorm(
  base: () => string,
  token: string,
  { customers, events }: { customers: number[]; events: number[] },
): Storm {
  const asked = { next: 0, over: false };
  const s = { booked: [] as Booked[], statuses: {} as Record<string, number>, lost: 0, lastAt: 0 };
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
  return Object.assign(s, { stop: async () => ((asked.over = true), void (await callers)) });
}

/** Every acknowledged booking is there, every booking that is there is whole, and the counters are the rows. */
export async function checkBooks(client: pg.Client, booked: readonly Booked[]): Promise<void> {
  const { rows: missing } = await client.query(
    `SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS told (id, event_id, customer_id)
     WHERE NOT EXISTS (SELECT FROM attendance a WHERE a.id = told.id AND a.event_id = told.event_id AND a.customer_id = told.customer_id AND a.status = 'registered')`,
    [booked.map((b) => b.attendance), booked.map((b) => b.event), booked.map((b) => b.customer)],
  );
  assert.deepEqual(missing, [], 'acknowledged and not there');
  const { rows: halves } = await client.query(
    `SELECT a.id, (SELECT count(*)::int FROM feed_item f WHERE f.kind = 'event_registration.created' AND f.object_id = a.id) AS told,
            (SELECT count(*)::int FROM audit_entry e WHERE e.object = 'attendance' AND e.object_id = a.id) AS audited
     FROM attendance a`,
  );
  assert.deepEqual(
    halves.filter((h) => h.told !== 1 || h.audited !== 1),
    [],
    'half-done bookings',
  );
  const { rows: orphans } = await client.query(
    `SELECT id FROM feed_item f WHERE kind = 'event_registration.created' AND NOT EXISTS (SELECT FROM attendance a WHERE a.id = f.object_id)`,
  );
  assert.deepEqual(orphans, [], 'told and not there');
  const { rows: wrong } = await client.query(
    `SELECT id FROM event e WHERE attending_count <> (SELECT count(*) FROM attendance a WHERE a.event_id = e.id AND status = 'registered') OR attending_count > max_occupancy`,
  );
  assert.deepEqual(wrong, []);
  const {
    rows: [total],
  } = await client.query(
    `SELECT (SELECT sum(n) FROM row_count WHERE relation = 'attendance') = (SELECT count(*) FROM attendance) AS same`,
  );
  assert.equal(total.same, true);
}
