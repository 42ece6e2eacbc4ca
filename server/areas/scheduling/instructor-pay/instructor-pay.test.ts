import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import {
  book,
  newCustomers,
  newEvent,
  newInstructor,
  newPlace,
  newVenue,
  type Place,
} from '../../../test/schedule-world.ts';
import { calculateEnded } from './index.ts';
import { ownContext, readAll } from '../../../test/own-context.ts';
import { backgroundWork } from '../../../kernel/work/unit/background-work.ts';
import { payReader } from './reader.ts';
import { RATE } from './test/seeds.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const NOON = Date.parse('2026-06-10T16:00:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let world: World;
let place: Place;
before(async () => {
  world = await startWorld();
  place = await newPlace(world);
});
beforeEach(() => world.setNow(NOON));
after(() => world.close());

const ask = async (method: string, path: string, body?: unknown, as = world.machine) => {
  const answer = await world.ask(method, path, { as, body });
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body;
};
const refused = async (method: string, path: string, body?: unknown, as = world.machine) => {
  const { status, text } = await world.ask(method, path, { as, body });
  assert.ok(status >= 400, `${method} ${path}: ${status}`);
  return { status, text };
};

/** Creates a rate for one instructor, so that it does not affect other tests. */
const newRate = (instructor: number, over: object = {}) =>
  ask('POST', '/instructor_pay_rates', { ...RATE, instructors: [instructor], ...over });

interface Taught {
  readonly instructors: readonly number[];
  readonly customers?: number;
  readonly in?: number;
}

/** Creates a future session with bookings. */
async function session({ instructors, customers = 0, ...over }: Taught & Record<string, any>) {
  const event = await newEvent(world, place, { in: 2, instructors, max_occupancy: 20, ...over });
  const booked = [];
  for (const customer of await newCustomers(world, customers)) {
    const answer = await book(world, event.id, customer);
    assert.equal(answer.status, 200, answer.text);
    booked.push(answer.body.attendance.id ?? answer.body.attendance);
  }
  return { event: event.id as number, booked };
}

/** Moves the time, and runs the jobs that are due. */
async function pass(ms: number): Promise<void> {
  world.setNow(world.now + ms);
  await work();
}

/** Runs the job in batches until nothing is left: it enqueues the next one. */
async function work(): Promise<void> {
  const until = () =>
    world.work(world.harbour, ({ tx }) =>
      tx.one<{ at: number }>(
        sql`SELECT calculated_until AS at FROM instructor_pay_progress WHERE provider_id = ${world.harbour}`,
      ),
    );
  const at = world.now;
  do await backgroundWork(ownContext(world), world.harbour, 'test', calculateEnded);
  while (((await until())?.at ?? at) < at);
}

const itemsOf = async (event: number): Promise<any[]> =>
  (await ask('GET', `/instructor_pay_items?events=${event}`)).results;
const payOf = async (event: number): Promise<(string | null)[]> =>
  (await itemsOf(event)).map(({ pay }) => pay && pay.string);
const mark = (attendance: number, status: string) => ask('PATCH', `/attendances/${attendance}`, { status });
const read = () => readAll(world, payReader);

test('a session is paid by its rate once it has ended, with an explanation of each amount', async () => {
  const { instructor } = await newInstructor(world);
  const rate = await newRate(instructor);
  const { event } = await session({ instructors: [instructor], customers: 8 });
  await work();
  assert.deepEqual(await itemsOf(event), []);
  await pass(4 * HOUR);
  const [item] = await itemsOf(event);
  assert.partialDeepStrictEqual(item, {
    object: 'instructor_pay_item',
    event,
    instructor,
    instructor_pay_rate: rate.id,
    rate_version: 1,
    pay: { string: '37.50', iso_currency_code: 'cad' },
    counted_customers: 8,
    status: 'open',
    instructor_pay_period: null,
  });
  const told = await ask('GET', `/instructor_pay_items/${item.id}/explain`);
  assert.deepEqual(
    told.steps.map(({ name, amount, text }: any) => [name, amount.string, text]),
    [
      ['base', '30.00', '$30.00 for the session.'],
      ['tier', '7.50', '3 customers at $2.50 each (from number 6).'],
    ],
  );
  assert.deepEqual([told.because, told.rate.name, told.pay.string], ['It names the instructor.', 'Usual', '37.50']);
});

test('bookings that are corrected later are counted again, by the original terms', async () => {
  const { instructor } = await newInstructor(world);
  const rate = await newRate(instructor, {
    tiers: [{ lower_bound: 1, per_customer_amount: '5.00' }],
    base: '0.00',
    minimum_pay: null,
  });
  const { event, booked } = await session({ instructors: [instructor], customers: 3 });
  await pass(4 * HOUR);
  assert.deepEqual(await payOf(event), ['15.00']);
  await ask('PATCH', `/instructor_pay_rates/${rate.id}`, {
    tiers: [{ lower_bound: 1, per_customer_amount: '100.00' }],
    maximum_pay: null,
  });
  await work();
  assert.deepEqual(await payOf(event), ['15.00']);
  await mark(booked[0], 'no_show');
  await mark(booked[1], 'attended');
  await read();
  assert.deepEqual(await payOf(event), ['10.00']);
  const [item] = await itemsOf(event);
  assert.equal(item.rate_version, 1);
  const path = '/instructor_pay_items/recalculate';
  const body = { starts_on: '2026-06-10', ends_on: '2026-06-10', instructors: [instructor] };
  const preview = await ask('POST', `${path}?dry_run=true`, body);
  assert.deepEqual(
    preview.effects.map(({ effect, detail }: any) => [effect, detail.pay_before, detail.pay]),
    [['pay_calculated', '10.00', '200.00']],
  );
  assert.deepEqual(await payOf(event), ['10.00']);
  assert.deepEqual(await ask('POST', path, body), { sessions: 1, changed: 1 });
  assert.deepEqual(await payOf(event), ['200.00']);
  assert.equal((await itemsOf(event))[0].rate_version, 2);
  assert.deepEqual(await ask('POST', path, body), { sessions: 1, changed: 0 });
});

test('a cancelled session pays nothing, and a reopened one pays again', async () => {
  const { instructor } = await newInstructor(world);
  await newRate(instructor);
  const { event } = await session({ instructors: [instructor], customers: 1 });
  const { event: other } = await session({ instructors: [instructor], in: 5 });
  const { event: back } = await session({ instructors: [instructor], in: 7 });
  for (const cancelled of [other, back]) await ask('POST', `/events/${cancelled}/cancel`, {});
  await ask('POST', `/events/${back}/reopen`, {});
  await pass(9 * HOUR);
  assert.deepEqual(await Promise.all([event, other, back].map(payOf)), [['30.00'], [], ['30.00']]);
  await ask('POST', `/events/${event}/cancel`, {});
  await read();
  assert.deepEqual(await payOf(event), []);
});

test('each of two instructors is paid in full by their own rate, and a substitute is paid instead of the instructor', async () => {
  const [one, two, substitute] = await Promise.all([newInstructor(world), newInstructor(world), newInstructor(world)]);
  await newRate(one.instructor);
  await newRate(two.instructor, { type: 'per_hour', base: '44.00' });
  await newRate(substitute.instructor, { base: '21.00' });
  const { event } = await session({ instructors: [one.instructor, two.instructor] });
  await pass(4 * HOUR);
  assert.deepEqual((await payOf(event)).toSorted(), ['30.00', '44.00']);
  await ask('PATCH', `/events/${event}`, { instructors: [two.instructor, substitute.instructor] });
  await read();
  const items = await itemsOf(event);
  assert.deepEqual(
    new Map(items.map(({ instructor, pay }) => [instructor, pay.string])),
    new Map([
      [two.instructor, '44.00'],
      [substitute.instructor, '21.00'],
    ]),
  );
});

test('a session that no rate covers has no pay, and gets pay as soon as a rate covers it', async () => {
  const [one, two] = await Promise.all([newInstructor(world), newInstructor(world)]);
  await newRate(one.instructor);
  const { event } = await session({ instructors: [two.instructor] });
  await pass(4 * HOUR);
  const [item] = await itemsOf(event);
  assert.deepEqual([item.pay, item.instructor_pay_rate, item.counted_customers], [null, null, null]);
  const told = await ask('GET', `/instructor_pay_items/${item.id}/explain`);
  assert.deepEqual([told.because, told.steps, told.rate], ['No pay rate covers this session.', [], null]);
  // A rate from tomorrow on does not apply today.
  await newRate(two.instructor, { base: '50.00', starts_on: '2026-06-11' });
  await work();
  assert.deepEqual(await payOf(event), [null]);
  await newRate(two.instructor, { base: '40.00', starts_on: '2026-06-01' });
  await work();
  assert.deepEqual(await payOf(event), ['40.00']);
});

test('events that have already ended when they are created are paid too', async () => {
  const { instructor } = await newInstructor(world);
  await newRate(instructor, { starts_on: '2026-06-01' });
  await work();
  const { event } = await session({ instructors: [instructor], in: -20 });
  await read();
  assert.deepEqual(await payOf(event), ['30.00']);
});

test('approved pay is unchanged until its period is reopened, and then includes all changes', async () => {
  const { instructor } = await newInstructor(world);
  await newRate(instructor, {
    base: '0.00',
    tiers: [{ lower_bound: 1, per_customer_amount: '5.00' }],
    minimum_pay: null,
  });
  const { event, booked } = await session({ instructors: [instructor], customers: 2 });
  await pass(DAY);
  const early = await refused('POST', '/instructor_pay_periods', { through: '2026-06-11' });
  assert.match(early.text, /must be over: today is 2026-06-11/);
  const preview = await ask('POST', '/instructor_pay_periods?dry_run=true', { through: '2026-06-10' });
  const mine = preview.effects.find(({ detail }: any) => detail.instructor === instructor);
  assert.deepEqual([mine.effect, mine.detail.sessions, mine.detail.pay], ['instructor_total', 1, '10.00']);
  assert.equal((await itemsOf(event))[0].status, 'open');
  const period = await ask('POST', '/instructor_pay_periods', { through: '2026-06-10' });
  assert.deepEqual([period.status, period.total.string], ['approved', preview.total.string]);
  assert.equal((await itemsOf(event))[0].instructor_pay_period, period.id);
  const again = await refused('POST', '/instructor_pay_periods', { through: '2026-06-10' });
  assert.match(again.text, /no open pay/);
  await mark(booked[0], 'no_show');
  await read();
  const days = { starts_on: '2026-06-10', ends_on: '2026-06-10', instructors: [instructor] };
  assert.deepEqual(await ask('POST', '/instructor_pay_items/recalculate', days), { sessions: 1, changed: 0 });
  assert.deepEqual(await payOf(event), ['10.00']);
  await assert.rejects(
    world.work(world.harbour, ({ tx }) =>
      tx.run(
        sql`UPDATE instructor_pay_item SET pay_minor = 1 WHERE provider_id = ${world.harbour} AND event_id = ${event}`,
      ),
    ),
    /approved pay stays as it is/,
  );
  const reopened = await ask('POST', `/instructor_pay_periods/${period.id}/reopen`);
  assert.equal(reopened.status, 'reopened');
  await work();
  assert.deepEqual(await payOf(event), ['5.00']);
  assert.deepEqual(await ask('POST', `/instructor_pay_periods/${period.id}/reopen`), reopened);
});

test('pay is approved only if everything until that day is calculated', async () => {
  const { instructor } = await newInstructor(world);
  await newRate(instructor);
  const { event } = await session({ instructors: [instructor] });
  world.setNow(world.now + DAY);
  const { status, text } = await refused('POST', '/instructor_pay_periods', { through: '2026-06-10' });
  assert.equal(status, 409);
  assert.match(text, /not calculated yet/);
  await work();
  const period = await ask('POST', '/instructor_pay_periods', { through: '2026-06-10' });
  assert.equal((await itemsOf(event))[0].instructor_pay_period, period.id);
});

const coverage = (instructor: number): string => `/instructors/${instructor}/pay_rate_coverage`;

test('instructors see only their own pay, staff with revenue everyone’s, and others nothing', async () => {
  const [one, two] = await Promise.all([newInstructor(world), newInstructor(world)]);
  await newRate(one.instructor);
  await newRate(two.instructor);
  const { event } = await session({ instructors: [one.instructor, two.instructor] });
  await pass(4 * HOUR);
  const items = await itemsOf(event);
  const [first, second] = [one, two].map(({ instructor }) => items.find((item) => item.instructor === instructor));
  const seen = async (as: string) => {
    const { results } = await ask('GET', `/instructor_pay_items?events=${event}`, undefined, as);
    return results.map(({ instructor }: any) => instructor);
  };
  const me = world.staff([], one.staff);
  assert.deepEqual(await seen(me), [one.instructor]);
  assert.deepEqual(new Set(await seen(world.staff(['revenue']))), new Set([one.instructor, two.instructor]));
  assert.deepEqual(await seen(world.staff(['manage_events', 'attendances'])), []);
  assert.equal((await refused('GET', `/instructor_pay_items/${second.id}`, undefined, me)).status, 404);
  assert.equal((await refused('GET', `/instructor_pay_items/${second.id}/explain`, undefined, me)).status, 404);
  assert.equal((await ask('GET', `/instructor_pay_items/${first.id}/explain`, undefined, me)).pay.string, '30.00');
  assert.equal((await ask('GET', coverage(one.instructor), undefined, me)).instructor, one.instructor);
  assert.equal((await refused('GET', coverage(two.instructor), undefined, me)).status, 403);
  for (const path of ['/instructor_pay_rates', '/instructor_pay_periods'])
    assert.equal((await refused('GET', path, undefined, me)).status, 403);
  assert.equal((await refused('POST', '/instructor_pay_rates', RATE, world.staff(['revenue']))).status, 403);
});

test('staff who are limited to venues see the pay of their venues, and approve nothing', async () => {
  const { instructor } = await newInstructor(world);
  await newRate(instructor);
  const here = await newVenue(world);
  const { event } = await session({ instructors: [instructor] });
  const { event: mine } = await session({ instructors: [instructor], in: 5, venue: here });
  await pass(DAY);
  const as = world.staff(['revenue'], null, world.harbour, [here]);
  const { results } = await ask('GET', `/instructor_pay_items?events=${event},${mine}`, undefined, as);
  assert.deepEqual(
    results.map((item: any) => item.event),
    [mine],
  );
  const approval = await refused('POST', '/instructor_pay_periods', { through: '2026-06-10' }, as);
  assert.equal(approval.status, 403);
  const covered = await ask(
    'GET',
    `/instructors/${instructor}/pay_rate_coverage?starts_on=2026-06-10&ends_on=2026-06-10`,
    undefined,
    as,
  );
  assert.equal(covered.sessions, 1);
});

const kindAt = ({ offering, venue }: Place) => ({ offering_type: offering, venue });

test('coverage lists sessions that no rate covers, and those that two rates cover equally well', async () => {
  const { instructor } = await newInstructor(world);
  const other = await newPlace(world);
  const first = await newRate(instructor, { offering_types: [place.offering] });
  const second = await newRate(instructor, { offering_types: [place.offering] });
  await session({ instructors: [instructor], in: 24 });
  await session({ instructors: [instructor], in: 48 });
  await newEvent(world, other, { in: 30, instructors: [instructor] });
  const told = await ask('GET', `/instructors/${instructor}/pay_rate_coverage`);
  assert.deepEqual(told, {
    instructor,
    starts_on: '2026-06-10',
    ends_on: '2026-07-10',
    sessions: 3,
    covered_sessions: 2,
    uncovered: [{ ...kindAt(other), sessions: 1, first_on: '2026-06-11', last_on: '2026-06-11' }],
    ambiguous: [
      {
        ...kindAt(place),
        sessions: 2,
        first_on: '2026-06-11',
        last_on: '2026-06-12',
        instructor_pay_rates: [second.id, first.id],
      },
    ],
  });
  const wrong = await refused('GET', `/instructors/${instructor}/pay_rate_coverage?ends_on=2026-06-09`);
  assert.match(wrong.text, /ends_on/);
});

const tier = (lower_bound: number, upper_bound: number | null, per_customer_amount = '1.00') => ({
  lower_bound,
  upper_bound,
  per_customer_amount,
});

test('an invalid rate is refused by the name of the property', async () => {
  for (const [over, field] of [
    [{ base: '10.999' }, 'base'],
    [{ base: '999999999999.00' }, 'base'],
    [{ minimum_pay: '90.00', maximum_pay: '20.00' }, 'maximum_pay'],
    [{ starts_on: '2026-02-01', ends_on: '2026-01-31' }, 'ends_on'],
    [{ tiers: [tier(5, 4)] }, 'tiers.0'],
    [{ tiers: [tier(1, 5), tier(5, null)] }, 'tiers.1'],
    [{ tiers: [tier(1, null, '0.001')] }, 'tiers.0.per_customer_amount'],
    [{ instructors: [987_654_321] }, 'instructors'],
  ] as const) {
    const { body, status } = await world.post('/instructor_pay_rates', {
      as: world.machine,
      body: { ...RATE, ...over },
    });
    assert.equal(status, 400);
    assert.ok(
      Object.keys(body.field_errors).some((name) => name.startsWith(field)),
      JSON.stringify(body.field_errors),
    );
  }
});

/** Returns the number of statements of the job, with everything due in one batch. */
async function statementsOf(own: Work): Promise<number> {
  let statements = 0;
  for (const name of ['rows', 'run'] as const) {
    const send = own.tx[name].bind(own.tx) as (...given: unknown[]) => Promise<never>;
    own.tx[name] = (...given: unknown[]) => {
      statements += 1;
      return send(...given);
    };
  }
  await calculateEnded(own);
  return statements;
}

test('a job needs as many statements for many sessions as for one', async () => {
  const { instructor } = await newInstructor(world);
  await newRate(instructor);
  const counts = [];
  for (const sessions of [1, 6]) {
    for (let n = 0; n < sessions; n++) await session({ instructors: [instructor], in: 2 + 2 * n, customers: 1 });
    world.setNow(world.now + DAY);
    counts.push(await world.work(world.harbour, statementsOf));
  }
  assert.equal(counts[0], counts[1]);
});

test('the explanation of a rate among several says that the newest applies', async () => {
  const { instructor } = await newInstructor(world);
  const first = await newRate(instructor);
  await newRate(instructor, { base: '33.00' });
  const { event } = await session({ instructors: [instructor] });
  await pass(4 * HOUR);
  const [item] = await itemsOf(event);
  const { because } = await ask('GET', `/instructor_pay_items/${item.id}/explain`);
  assert.equal(item.pay.string, '33.00');
  assert.equal(because, `It names the instructor. Rate ${first.id} would apply as well; the newest one counts.`);
});
