import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { chance } from '../../../../test/storm.ts';
import { CheckoutWorld } from '../test/world.ts';
import { done, newRun, type Run } from '../../../availability/courses/test/world.ts';
import { expireCheckout } from '../expire.ts';
import { newCustomers } from '../../../../test/schedule-world.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import { creditJob } from '../../../availability/courses/credits.ts';

const WEEK = 7 * 86_400_000;

let world: World;
let c: CheckoutWorld;
before(async () => {
  world = await startWorld();
  c = await CheckoutWorld.of(world);
});
after(() => c.close());

const HAPPENS = ['buy', 'buy', 'open', 'expire', 'comp', 'cancel', 'leave_one', 'cancel_session', 'time'] as const;

/** Issues the credits that are due, as the worker does. */
async function creditDue(run: Run): Promise<void> {
  const { rows } = await c.owner.query(
    `SELECT DISTINCT x.course_enrollment_id AS id FROM course_enrollment_date x
      JOIN course_enrollment n ON n.id = x.course_enrollment_id
     WHERE n.course_date_series_id = $1 AND x.credit_reason IS NOT NULL AND x.credited_at IS NULL`,
    [run.series],
  );
  for (const { id } of rows) await world.work(world.harbour, (work) => creditJob.run(work, { course_enrollment: id }));
}

/**
 * Asserts that seat counts match the rows and never exceed the capacity, and that nobody is credited more or less than
 * they paid.
 */
async function check(run: Run): Promise<void> {
  const { rows: wrong } = await c.owner.query(
    `SELECT e.id FROM event e WHERE e.id = ANY($1) AND (e.attending_count + e.held_count > e.max_occupancy
       OR e.attending_count <> (SELECT count(*) FROM attendance a
         WHERE a.event_id = e.id AND a.status IN ('registered', 'attended', 'no_show'))
       OR e.held_count <> (SELECT count(*) FROM seat_hold h WHERE h.event_id = e.id AND h.spot_expires_at IS NULL))
     UNION ALL SELECT a.event_id FROM attendance a JOIN event e ON e.id = a.event_id
     WHERE a.event_id = ANY($1) AND a.status = 'registered' AND e.starts_at > $2::timestamptz
       AND NOT EXISTS (SELECT FROM course_enrollment_date x JOIN course_enrollment n ON n.id = x.course_enrollment_id
         WHERE x.event_id = a.event_id AND n.customer_id = a.customer_id AND n.status = 'active')`,
    [run.sessions, new Date(world.now).toISOString()],
  );
  assert.deepEqual(wrong, []);
  const { rows: money } = await c.owner.query(
    `SELECT n.id, l.total_minor::int AS billed, l.credited_minor::int AS credited,
       (SELECT coalesce(sum(x.credit_minor), 0)::int FROM course_enrollment_date x
         WHERE x.course_enrollment_id = n.id) AS noted,
       (SELECT bool_and(x.credited_at IS NOT NULL) FROM course_enrollment_date x
         WHERE x.course_enrollment_id = n.id) AS everything
     FROM course_enrollment n JOIN invoice_line l ON l.invoice_id = n.invoice_id
       AND l.billed_object = 'course_enrollment' AND l.billed_id = n.id
     WHERE n.course_date_series_id = $1`,
    [run.series],
  );
  for (const one of money) {
    assert.equal(one.credited, one.noted);
    assert.ok(one.credited <= one.billed);
    if (one.everything) assert.equal(one.credited, one.billed);
  }
}

for (const seed of [3, 4, 5])
  test(`in whatever order people join, late or not, cancel, and sessions are cancelled, seats and money come to what the rows say (${seed})`, async () => {
    const luck = chance(seed);
    const start = world.now;
    const run = await newRun(world, {
      sessions: 4,
      price: '100.03',
      max_occupancy: 3,
      cancelled_session_gives: 'credit',
      cancellation_refunds: luck.of(['sessions_left', 'before_start', 'nothing']),
    });
    const customers = await newCustomers(world, 6);
    const open: string[] = [];
    const item = { item_type: 'CRS_DRP', course_date_series: run.series };
    const statuses = new Set<number>();
    const ask = async (method: string, path: string, body: object = {}): Promise<any> => {
      const answer = await c.ask(method, path, body as Record<string, unknown>);
      statuses.add(answer.status);
      return answer.body;
    };
    const enrollments = async (): Promise<any[]> =>
      (await done(world, 'GET', `/course_enrollments?course_date_series=${run.series}&status=active`)).results;
    const act = async (what: (typeof HAPPENS)[number]): Promise<void> => {
      const customer = luck.of(customers);
      if (what === 'buy' || what === 'open') {
        const { id } = await ask('POST', '/checkouts', { customer });
        const added = await ask('POST', `/checkouts/${id}/add_item`, item);
        if (!added.checkout_items) return;
        if (what === 'open') open.push(id);
        else await ask('POST', `/checkouts/${id}/pay`, { payment_processor: c.sandbox });
      } else if (what === 'expire') {
        const id = open.pop();
        if (!id) return;
        await world.work(world.harbour, ({ tx }) =>
          tx.run(
            sql`UPDATE checkout SET expires_at = ${new Date(world.now - 1000).toISOString()}::timestamptz
              WHERE id = ${id}::bigint`,
          ),
        );
        await world.work(world.harbour, (work) => expireCheckout(work, { checkout: Number(id) }));
      } else if (what === 'comp')
        await ask('POST', `/course_date_series/${run.series}/enroll`, { customer, comped: true });
      else if (what === 'cancel') {
        const all = await enrollments();
        if (all.length > 0) await ask('POST', `/course_enrollments/${luck.of(all).id}/cancel`);
      } else if (what === 'leave_one') await ask('POST', `/events/${luck.of(run.sessions)}/unregister`, { customer });
      else if (what === 'cancel_session') {
        if (luck.below(3) === 0) await ask('POST', `/course_sessions/${luck.of(run.sessions)}/cancel`);
      } else if (luck.below(3) === 0 && world.now < start + 3 * WEEK) world.setNow(world.now + WEEK);
    };
    try {
      for (let round = 0; round < 30; round++) {
        await act(luck.of(HAPPENS));
        await creditDue(run);
        await check(run);
      }
      await ask('POST', `/course_date_series/${run.series}/cancel`);
      await creditDue(run);
      await check(run);
    } finally {
      world.setNow(start);
    }
    assert.ok(![...statuses].some((status) => status >= 500), [...statuses].join());
    assert.deepEqual(await enrollments(), []);
  });
