import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { advance, arrived, clockOf, nowAtHarbour, startTestBusiness } from '../worlds/test-business.ts';
import { anotherServer, beside } from '../storm.ts';
import { formatInstant, parseInstant, startOfDay, wallAt } from '../../kernel/base/values/zone.ts';
import { addDays } from '../../kernel/base/values/date.ts';
import { iso, newEvent, newPlace } from '../schedule-world.ts';
import { MembershipWorld } from '../worlds/membership-world.ts';
import { AREAS } from '../../app.ts';
import { sql } from '../../kernel/base/db/sql.ts';
import type { World } from '../world.ts';

const ZONE = 'America/Toronto';
const MINUTE = 60_000;
const DAY = 86_400_000;

let world: World;
let owner: pg.Client;
before(async () => {
  world = await startTestBusiness();
  // Daylight saving time starts on March 14.
  world.setNow(parseInstant('2027-03-08T10:00', ZONE)!);
  owner = await beside(world.databaseUrl);
});
after(async () => {
  await owner.end();
  await world.close();
});

const ask = async (method: string, path: string, body?: object): Promise<any> => {
  const answer = await world.ask(method, path, { as: world.machine, body });
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
  return answer.body;
};

interface Item {
  readonly kind: string;
  readonly object_id: number;
  readonly payload: Record<string, unknown>;
  readonly at: number;
}

const feedOf = async (kinds: readonly string[]): Promise<Item[]> =>
  world.work(world.harbour, ({ tx }) =>
    tx.rows<Item & Record<string, unknown>>(
      sql`SELECT kind, object_id, payload, occurred_at AS at FROM feed_item WHERE provider_id = ${world.harbour}
        AND kind = ANY(${kinds}::text[]) ORDER BY seq`,
    ),
  );

const todayAtHarbour = async (): Promise<string> => wallAt(await nowAtHarbour(world), ZONE).date;

/** Allows for a moment, because time advances while work is done. */
const isAbout = (at: number, expected: number, what: string): void =>
  assert.ok(at >= expected && at < expected + MINUTE, `${what}: ${formatInstant(at, ZONE)}`);

test('a business that was not created for tests has no clock, and the database refuses to add one', async () => {
  const refused = await world.post('/test_clock/advance', { as: world.meadowMachine, body: { by: 'P1D' } });
  assert.deepEqual([refused.status, refused.body.code], [409, 'not_a_test_business']);
  const { body } = await world.get('/test_clock', { as: world.meadowMachine });
  assert.deepEqual([body.is_test, body.ahead_seconds, body.advance], [false, 0, null]);
  await assert.rejects(owner.query('INSERT INTO test_clock (provider_id) VALUES ($1)', [world.meadow]), /foreign key/);
  const make = (id: number, test: boolean) =>
    owner.query('UPDATE provider SET is_test = $2 WHERE provider_id = $1', [id, test]);
  await assert.rejects(make(world.meadow, true), /never becomes one/);
  await assert.rejects(make(world.harbour, false), /foreign key/, 'it is a test business as long as it has a clock');
});

test('the clock only moves forward, by a limited duration', async () => {
  const now = await nowAtHarbour(world);
  const fields = async (body: object): Promise<unknown> => {
    const answer = await world.post('/test_clock/advance', { as: world.machine, body });
    return [answer.status, Object.keys(answer.body.field_errors)];
  };
  assert.deepEqual(await fields({}), [400, ['to']]);
  assert.deepEqual(await fields({ by: 'P1D', to: iso(now + DAY) }), [400, ['to']]);
  assert.deepEqual(await fields({ by: 'one month' }), [400, ['by']]);
  assert.deepEqual(await fields({ by: 'P0D' }), [400, ['by']]);
  assert.deepEqual(await fields({ by: 'P25M' }), [400, ['by']]);
  assert.deepEqual(await fields({ by: 'P9999Y' }), [400, ['by']]);
  assert.deepEqual(await fields({ to: iso(now - 1000) }), [400, ['to']]);
  assert.deepEqual(await fields({ to: iso(now + 733 * DAY) }), [400, ['to']]);
  assert.equal((await clockOf(world)).advance, null);
});

test('an advance asks an engine only at moments at which something of it is due', async () => {
  const asked = new Map<string, number>();
  const engines = AREAS.flatMap((area) => area.engines ?? []).filter((engine) => engine.ofTestBusiness);
  const known = engines.map(({ name, ofTestBusiness }) => {
    const act = ofTestBusiness!.act.bind(ofTestBusiness);
    const counting: typeof act = (...of) => {
      asked.set(name, (asked.get(name) ?? 0) + 1);
      return act(...of);
    };
    Object.assign(ofTestBusiness!, { act: counting });
    return () => Object.assign(ofTestBusiness!, { act });
  });
  const place = await newPlace(world);
  const customer = await world.newCustomer();
  // Each has a reminder a day before it.
  for (const hours of [30, 36, 42]) {
    const { id } = await newEvent(world, place, { in: hours });
    await ask('POST', `/events/${id}/register`, { customer, comped: true });
  }
  // The bookings are confirmed first, so that only the reminders are counted.
  await advance(world, { by: 'PT1M' });
  asked.clear();
  await advance(world, { by: 'P1D' });
  for (const back of known) back();
  assert.deepEqual(Object.fromEntries(asked), { reminders: 3, messages: 3 });
});

test('a dry run moves no clock', async () => {
  const preview = await world.post('/test_clock/advance?dry_run=true', { as: world.machine, body: { by: 'P1D' } });
  assert.equal(preview.status, 200, preview.text);
  assert.equal((await clockOf(world)).advance, null);
});

test('holds, renewals and reminders happen at their time, even across a daylight saving change, and nothing happens at another business', async () => {
  const m = await MembershipWorld.of(world);
  const club = await m.recurring([], { price: '60.00' }, { name: 'Club' });
  const people = await Promise.all(Array.from({ length: 3 }, () => world.newCustomer()));
  const owned = await Promise.all(people.map((customer) => m.give(customer, club.membership, { plan: club.plan })));
  const today = await todayAtHarbour();
  const held = { start_date: addDays(today, 5), end_date: addDays(today, 9) };
  await ask('POST', '/customer_membership_holds', { customer_membership: owned[0].id, ...held });
  const event = await newEvent(world, await newPlace(world), { in: 24 * 8 + 3 });
  await ask('POST', `/events/${event.id}/register`, { customer: people[1] });
  // Another business: the same jobs are scheduled at Meadow, and remain.
  const others = await owner.query(
    `SELECT graphile_worker.add_job('remind_of_invoices', json_build_object('provider_id', $1::int8),
      queue_name := 'business:' || $1, run_at := now() + interval '3 days') AS job`,
    [world.meadow],
  );
  assert.equal(others.rowCount, 1);
  const jobsOfMeadow = async () =>
    (
      await owner.query(
        `SELECT j.id, j.run_at, j.attempts FROM graphile_worker._private_jobs j
          JOIN graphile_worker._private_job_queues q ON q.id = j.job_queue_id WHERE q.queue_name = $1`,
        [`business:${world.meadow}`],
      )
    ).rows;
  const before = await jobsOfMeadow();

  await advance(world, { by: 'P2M' });

  const seen = await feedOf(['customer_membership.held', 'customer_membership.resumed', 'customer_membership.renewed']);
  const byKind = (kind: string) => seen.filter((item) => item.kind === kind);
  const [[rests], [goesOn]] = [byKind('customer_membership.held'), byKind('customer_membership.resumed')];
  isAbout(rests.at, startOfDay(held.start_date, ZONE), 'the hold begins');
  isAbout(goesOn.at, startOfDay(addDays(held.end_date, 1), ZONE), 'the hold is over');
  const renewals = byKind('customer_membership.renewed');
  assert.ok(renewals.length >= 5, `${renewals.length} renewals`);
  for (const { at, payload } of renewals)
    isAbout(at, startOfDay(payload.period_start_date as string, ZONE), 'a period begins');

  const { results } = await ask('GET', `/customers/${people[1]}/messages`);
  const starts = Date.parse(event.starts_at);
  const [reminder, ...more] = results.filter(({ kind }: any) => kind === 'event_reminder');
  assert.deepEqual([reminder.status, more], ['kept', []]);
  isAbout(Date.parse(reminder.queued_at), Math.floor((starts - DAY) / 1000) * 1000, 'the reminder');

  assert.deepEqual(await jobsOfMeadow(), before);
  assert.equal((await world.get('/test_clock', { as: world.meadowMachine })).body.ahead_seconds, 0);
});

test('the feed is ordered by the time of the business', async () => {
  const times = (
    await world.work(world.harbour, ({ tx }) =>
      tx.rows<{ at: number }>(
        sql`SELECT occurred_at AS at FROM feed_item WHERE provider_id = ${world.harbour} ORDER BY seq`,
      ),
    )
  ).map(({ at }) => at);
  assert.ok(times.length > 10);
  // Jobs scheduled for the same time may be numbered in any order.
  const minutes = times.map((at) => Math.floor(at / MINUTE));
  assert.deepEqual(
    minutes,
    minutes.toSorted((a, b) => a - b),
  );
});

test('a second advance is refused while one is in progress, and other requests are answered', async () => {
  const first = await world.post('/test_clock/advance', { as: world.machine, body: { by: 'P6M' } });
  assert.equal(first.body.advance.progress, 0);
  const second = await world.post('/test_clock/advance', { as: world.machine, body: { by: 'P1D' } });
  assert.deepEqual([second.status, second.body.code], [409, 'test_clock_advancing']);
  assert.equal((await world.get('/customers', { as: world.machine })).status, 200);
  const clock = await arrived(world);
  isAbout(Date.parse(clock.now), Date.parse(first.body.advance.to), 'the clock');
});

test('another process uses the new time from its next request on', async () => {
  const other = await anotherServer(world);
  const offset = async (base: string): Promise<number> => {
    const answer = await fetch(`${base}/api/v2/test_clock`, { headers: { authorization: `Bearer ${world.machine}` } });
    return ((await answer.json()) as { ahead_seconds: number }).ahead_seconds;
  };
  for (let n = 0; n < 5; n++) {
    const before = await offset(other.url);
    await advance(world, { by: 'P1D' });
    const [here, there] = [await offset(world.url), await offset(other.url)];
    assert.equal(there, here);
    assert.ok(there - before > 86_300, `${there - before}`);
  }
});

test('a token expires in real time, whatever the clock shows', async () => {
  const made = await ask('POST', '/machine_tokens', {
    name: 'For a day',
    expires_at: iso(world.now + DAY),
  });
  await advance(world, { by: 'P1M' });
  assert.equal((await world.get('/test_clock', { as: made.token })).status, 200);
});

test('an idempotency key is kept in real time', async () => {
  const headers = { 'idempotency-key': 'once-in-a-month' };
  const make = () =>
    world.post('/customers', { as: world.machine, headers, body: { first_name: 'Ida', last_name: 'Key' } });
  const first = await make();
  await advance(world, { by: 'P1M' });
  const again = await make();
  assert.deepEqual([again.body.id, again.headers.get('idempotent-replayed')], [first.body.id, 'true']);
});

test('a test business takes no real money', async () => {
  const body = { kind: 'stripe', name: 'Cards', settings: { secret_key: 'sk_test_0123456789abcdef' } };
  const refused = await world.post('/payment_processors', { as: world.machine, body });
  assert.deepEqual([refused.status, refused.body.code], [409, 'conflict']);
  assert.match(refused.body.message, /test business/);
  for (const kind of ['sandbox', 'offline']) await ask('POST', '/payment_processors', { kind, name: kind });
  assert.ok((await world.post('/payment_processors', { as: world.meadowMachine, body })).status < 300);
});

test('a job that fails ends the advance and is named, and the next advance runs it first', async () => {
  await owner.query(
    `SELECT graphile_worker.add_job('renew_memberships', json_build_object('provider_id', $1::int8),
      queue_name := 'business:' || $1, run_at := $2)`,
    [world.harbour, iso((await nowAtHarbour(world)) + 2 * DAY)],
  );
  await owner.query(
    `CREATE FUNCTION broken() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'broken'
      USING ERRCODE = 'XX000'; END $$;
     CREATE TRIGGER broken BEFORE INSERT ON job_effect FOR EACH ROW
       WHEN (NEW.job_key LIKE 'renew_memberships:%') EXECUTE FUNCTION broken()`,
  );
  const to = iso((await nowAtHarbour(world)) + 10 * DAY);
  assert.equal((await world.post('/test_clock/advance', { as: world.machine, body: { to } })).status, 200);
  const stopped = await arrived(world);
  assert.match(stopped.failure ?? '', /renew_memberships/);
  assert.ok(Date.parse(stopped.now) < Date.parse(to));
  await owner.query('DROP TRIGGER broken ON job_effect; DROP FUNCTION broken');
  const clock = await advance(world, { to });
  assert.equal(clock.failure, null);
  isAbout(Date.parse(clock.now), Math.floor(Date.parse(to) / 1000) * 1000, 'the clock');
  const [last, before] = (await feedOf(['test_clock.advanced'])).toReversed();
  assert.deepEqual([before.payload.completed, last.payload.completed], [false, true]);
});
