import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { calculateEnded, createRate } from '../../scheduling/instructor-pay/index.ts';
import { newInstructor, newPlace, type Place } from '../../../test/schedule-world.ts';
import { ownContext } from '../../../test/own-context.ts';
import { backgroundWork } from '../../../kernel/work/unit/background-work.ts';
import { RATE, taught } from '../../scheduling/instructor-pay/test/seeds.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { writeNext } from './exports/engine.ts';

let world: World;
let place: Place;
before(async () => {
  world = await startWorld({ own: true });
  // Not in the first hours of a year: sessions taught some hours ago belong to this one.
  world.setNow(Date.parse('2026-06-10T16:00:00Z'));
  place = await newPlace(world);
});
after(() => world.close());

const ask = async (path: string, as = world.machine) => {
  const answer = await world.get(path, { as });
  assert.equal(answer.status, 200, `${path}: ${answer.text}`);
  return answer.body;
};

const at = ({ venue, offering }: Place) => ({ venue_id: venue, offering_type_id: offering });

/** Creates an instructor with three sessions, two of them at the venue, that pay 30.00 each. */
async function paidInstructor() {
  const { instructor } = await newInstructor(world);
  const other = await newPlace(world);
  const sessions = [
    await taught(world, world.harbour, instructor, { hours: 2, ...at(place) }),
    await taught(world, world.harbour, instructor, { hours: 4, ...at(place) }),
    await taught(world, world.harbour, instructor, { hours: 6, ...at(other) }),
  ];
  const rate = await world.work(world.harbour, (work) =>
    createRate(work, { ...RATE, instructors: [instructor], starts_on: '2020-01-01' }),
  );
  await backgroundWork(ownContext(world), world.harbour, 'test', calculateEnded);
  return { instructor, rate, events: sessions.map(({ event }) => event) };
}

test('a taught session shows its rate, its pay, and whether it is calculated', async () => {
  const { instructor, rate, events } = await paidInstructor();
  const { event: fresh } = await taught(world, world.harbour, instructor, { hours: -3, ...at(place) });
  const path = `/reports/instructed_sessions/data?instructors=${instructor}`;
  const { rows, total } = await ask(path);
  assert.deepEqual([total, rows.map(({ id }: any) => id)], [3, events]);
  assert.partialDeepStrictEqual(rows[0], {
    offering_type: { id: place.offering },
    instructor: { id: instructor, thumbnail_url: null },
    venue: { id: place.venue },
    venue_timezone: 'UTC',
    max_occupancy: null,
    hours: 1,
    attended_count: 0,
    comped_counts: { attended: 0 },
    session_type: 'class',
    instructor_pay_rate: {
      id: rate,
      name: RATE.name,
      type: 'per_session',
      base: '30.00',
      tiers: [{ lower_bound: 6, upper_bound: null, per_customer_amount: { amount: 2.5, currency: 'cad' } }],
    },
    instructor_pay: { string: '30.00' },
    instructor_pay_calculation_pending: false,
  });
  const all = await ask(`${path}&include_future=true&columns=id,instructor_pay,instructor_pay_calculation_pending`);
  assert.deepEqual(all.rows[0], { id: fresh, instructor_pay: null, instructor_pay_calculation_pending: true });
  assert.equal((await ask(`${path}&pay_rates=${rate}&venues=${place.venue}`)).total, 2);
  assert.equal((await ask(`${path}&session_types=course_session`)).total, 0);
});

test('two instructors of a session are two rows, and all pages together show each once', async () => {
  const pair = [await newInstructor(world), await newInstructor(world)].map(({ instructor }) => instructor);
  const { event } = await taught(world, world.harbour, pair[0], at(place));
  await world.patch(`/events/${event}`, { as: world.machine, body: { instructors: pair } });
  const seen: number[] = [];
  let next: string | null =
    `/reports/instructed_sessions/data?columns=instructor.id&limit=1&id_gt=0&instructors=${pair.join()}`;
  while (next !== null) {
    const page: any = await ask(next);
    seen.push(...page.rows.map(({ instructor }: any) => instructor.id));
    next = page.next && page.next.slice(page.next.indexOf('/reports'));
  }
  assert.deepEqual(
    seen,
    pair.toSorted((a, b) => a - b),
  );
});

test('the sessions and pay of an instructor are the sums of their sessions, under the same filters', async () => {
  const { instructor, rate } = await paidInstructor();
  const path = `/reports/instructors/data?instructors=${instructor}`;
  const [row] = (await ask(path)).rows;
  assert.partialDeepStrictEqual(row, { id: instructor, total_sessions: 3, total_hours: 3, total_pay: '90.00' });
  const [here] = (await ask(`${path}&venues=${place.venue}&pay_rates=${rate}`)).rows;
  assert.partialDeepStrictEqual(here, { total_sessions: 2, total_pay: '60.00' });
  const limited = world.staff(['revenue'], null, world.harbour, [place.venue]);
  assert.equal((await ask(path, limited)).rows[0].total_pay, '60.00');
  const planner = world.staff(['manage_events']);
  assert.partialDeepStrictEqual((await ask(path, planner)).rows[0], { total_sessions: 3, total_pay: null });
  assert.equal((await ask(`${path}&pay_rates=${rate}`, planner)).total, 0);
  const { rows } = await ask(
    `/reports/instructed_sessions.grouped/data?instructors=${instructor}&columns=venue.id,hours,instructor_pay,count`,
  );
  assert.deepEqual(
    rows.map(({ hours, instructor_pay, count }: any) => [hours, instructor_pay.string, count]).toSorted(),
    [
      [1, '30.00', 1],
      [2, '60.00', 2],
    ],
  );
});

test('the totals of an instructor link to their sessions, with the same filters', async () => {
  const { instructor, events } = await paidInstructor();
  const path = `/reports/instructors/data?instructors=${instructor}`;
  const [whole] = (await ask(path)).rows;
  const behind = async (address: string) => (await ask(address.slice(address.indexOf('/reports')))).rows;
  const sessions = await behind(whole.rows);
  assert.deepEqual(sessions.map(({ id }: any) => id).toSorted(), events.toSorted());
  assert.deepEqual(
    [whole.total_sessions, whole.total_hours],
    [sessions.length, sessions.reduce((all: number, { hours }: any) => all + hours, 0)],
  );
  assert.equal(
    Number(whole.total_pay),
    sessions.reduce((all: number, { instructor_pay: pay }: any) => all + (pay?.decimal ?? 0), 0),
  );
  const [nowhere] = (await ask(`${path}&timeframe=last_year`)).rows;
  assert.equal(nowhere, undefined);
  const [named] = (await ask(`${path}&columns=name,total_sessions&venues=${place.venue}`)).rows;
  assert.match(named.rows, /venues=/);
  assert.equal((await behind(named.rows)).length, named.total_sessions);
});

test('the totals of instructors are exported as they are read', async () => {
  const { instructor } = await paidInstructor();
  const { staff } = await newInstructor(world);
  const asked = await world.post('/reports/instructors/export', {
    as: world.machine,
    body: { instructors: [instructor], format: 'json' },
  });
  assert.equal(asked.status, 200, asked.text);
  while (await writeNext(ownContext(world)));
  const job = await ask(`/jobs/${asked.body.job}`);
  assert.equal(job.status, 'complete');
  const file = await ask(job.result_url.slice(job.result_url.indexOf('/report_exports')));
  const { rows } = await ask(`/reports/instructors/data?instructors=${instructor}`);
  assert.deepEqual(
    file,
    rows.map(({ rows: _address, ...row }: any) => row),
  );
  const planned = { report: 'instructors', form: 'rows', format: 'csv', asked: {}, frequency: 'monthly' };
  const schedule = { ...planned, day_of_month: 1, time: '06:00', recipients: [staff] };
  const refused = await world.post('/report_schedules', { as: world.machine, body: schedule });
  assert.match(refused.text, /is in groups already. Use groups/);
});

test('a change of a customer is shown for each property, with the old and new value and the author', async () => {
  const customer = await world.newCustomer({ first_name: 'Mo' });
  const path = `/reports/customer_field_changes/data?customers=${customer}`;
  assert.equal((await ask(path)).total, 0);
  const body = { first_name: 'Bo', date_of_birth: '1990-04-01', venue: place.venue };
  assert.equal((await world.patch(`/customers/${customer}`, { as: world.machine, body })).status, 200);
  const { rows } = await ask(`${path}&sort=field_label`);
  assert.deepEqual(
    rows.map(({ field, new_value }: any) => [field.label, field.id, new_value]),
    [
      ['date of birth', null, '1990-04-01'],
      ['first name', null, 'Bo'],
      ['venue', null, 'Pier 4'],
    ],
  );
  assert.deepEqual(
    [rows[1].previous_value, rows[2].previous_value, rows[1].changed_by, rows[1].customer.id],
    ['Mo', null, 'tests', customer],
  );
  assert.equal((await ask(`${path}&customer_fields=1`)).total, 0);
  const staff = world.staff(['attendances']);
  assert.equal((await world.get(path, { as: staff })).status, 403);
});
