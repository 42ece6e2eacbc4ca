/** Candidates for substitutes, over HTTP. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { block, newSchedule } from '../../../test/worlds/hours-world.ts';
import { connected, outsideEvent } from '../calendars/test/calendar-world.ts';
import { iso, newEvent, newInstructor, newOffering, newVenue } from '../../../test/schedule-world.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';

const HOUR = 3_600_000;

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

const teacher = async (...types: number[]): Promise<number> => {
  const { instructor } = await newInstructor(world);
  await world.work(world.harbour, ({ tx }) =>
    tx.run(sql`INSERT INTO offering_type_instructor (provider_id, offering_type_id, instructor_id)
      SELECT ${world.harbour}, unnest(${types}::bigint[]), ${instructor}`),
  );
  return instructor;
};

const ask = (event: number, query = '', as = world.machine) =>
  world.get(`/events/${event}/substitutes${query}`, { as });

test('an instructor who is busy in a connected calendar is listed as such, and setting them is a warning of the dry run', async () => {
  const offering = await newOffering(world);
  const venue = await newVenue(world);
  const [now, busy] = [await teacher(offering), await teacher(offering)];
  const start = world.now + 86_400_000;
  const { id } = await newEvent(
    world,
    { venue, offering },
    { starts_at: iso(start), ends_at: iso(start + HOUR), instructors: [now] },
  );
  const { staff } = (await world.work(world.harbour, ({ tx }) =>
    tx.one<{ staff: number }>(
      sql`SELECT staff_id AS staff FROM instructor WHERE provider_id = ${world.harbour} AND id = ${busy}`,
    ),
  ))!;
  const { calendar } = await connected(world, { of: { instructor: busy, staff } });
  const reasons = async () =>
    (await ask(id)).body.results.find((one: any) => one.instructor === busy).reasons.map(({ reason }: any) => reason);
  const warned = async () =>
    (
      await world.patch(`/events/${id}?dry_run=true`, { as: world.machine, body: { instructors: [busy] } })
    ).body.effects.filter((one: any) => one.effect === 'instructor_busy_elsewhere');
  await outsideEvent(world, calendar, [start + HOUR, start + 2 * HOUR]);
  assert.deepEqual([await reasons(), await warned()], [[], []], 'what begins when the event ends is not in its way');
  await outsideEvent(world, calendar, [start - HOUR, start + HOUR / 2]);
  assert.deepEqual(await reasons(), ['busy_elsewhere']);
  assert.deepEqual(
    (await warned()).map((one: any) => [one.id, one.detail]),
    [[id, { instructor: busy }]],
  );
  const set = await world.patch(`/events/${id}`, { as: world.machine, body: { instructors: [busy] } });
  assert.equal(set.status, 200, set.text);
});

test('each instructor is listed with the reasons against them, and those who could teach the event come first', async () => {
  const offering = await newOffering(world);
  const venue = await newVenue(world, { timezone: 'Europe/Paris' });
  const at = { starts_at: '2027-06-07T18:00', ends_at: '2027-06-07T19:00' };
  const here = { venue, offering };
  const [now, free, keen, unable, late, away, busy] = [
    await teacher(offering),
    await teacher(offering),
    await teacher(),
    await teacher(),
    await teacher(offering),
    await teacher(offering),
    await teacher(offering),
  ];
  const { id } = await newEvent(world, here, { ...at, instructors: [now] });
  await newSchedule(world, { instructor: keen, daily: '08:00-22:00', offeringTypes: { [offering]: [] } });
  await newSchedule(world, { instructor: late, venue, daily: '18:30-22:00' });
  await block(world, { instructor: away }, '2027-06-06', '20:00-18:00', 'GC');
  await block(world, { instructor: free }, '2027-06-07', '00:00-00:00', 'IU');
  const other = await newEvent(world, here, {
    starts_at: '2027-06-07T18:45',
    ends_at: '2027-06-07T20:00',
    instructors: [busy],
  });
  const answer = await ask(id);
  assert.equal(answer.status, 200, answer.text);
  const told = new Map<number, any>(answer.body.results.map((one: any) => [one.instructor, one]));
  const reasons = (instructor: number) => told.get(instructor).reasons.map((one: any) => [one.reason, one.event]);
  assert.ok(!told.has(now));
  assert.deepEqual([free, keen].map(reasons), [[], []]);
  assert.deepEqual(reasons(unable), [['not_qualified', null]]);
  assert.deepEqual(reasons(late), [['outside_hours', null]]);
  assert.deepEqual(reasons(away), []);
  assert.deepEqual(reasons(busy), [['teaching', other.id]]);
  assert.ok([...told.values()].every((one) => one.available === (one.reasons.length === 0)));
  const order = answer.body.results.map((one: any) => one.available);
  assert.deepEqual(
    order,
    order.toSorted((a: boolean, b: boolean) => Number(b) - Number(a)),
  );
  await block(world, { instructor: away }, '2027-06-07', '18:59-20:00', 'GC');
  const could = await ask(id, '?available=true&page_size=1');
  assert.deepEqual([could.body.count, could.body.results.length], [2, 1]);
  assert.ok(could.body.next);
  const could2 = (await ask(id, '?available=true')).body.results.map((one: any) => one.instructor);
  assert.deepEqual(could2.toSorted(), [free, keen].toSorted());
});

test('an instructor who was found can teach the event', async () => {
  const offering = await newOffering(world, { schedule_type: 'appointment' });
  const place = { venue: await newVenue(world), offering };
  const [one, two] = [await teacher(offering), await teacher(offering)];
  const { id } = await newEvent(world, place, { instructors: [one] });
  const { results } = (await ask(id, '?available=true')).body;
  assert.ok(results.some((found: any) => found.instructor === two));
  const changed = await world.patch(`/events/${id}`, { as: world.machine, body: { instructors: [two] } });
  assert.equal(changed.status, 200, changed.text);
  assert.ok((await ask(id, '?available=true')).body.results.some((found: any) => found.instructor === one));
});

test('only staff who manage events can ask, and not about a cancelled event', async () => {
  const place = { venue: await newVenue(world), offering: await newOffering(world) };
  const { id } = await newEvent(world, place);
  assert.equal((await ask(id, '', world.staff(['manage_events']))).status, 200);
  assert.equal((await ask(id, '', world.staff(['attendances']))).status, 403);
  assert.equal((await ask(id, '', world.customer(await world.newCustomer()))).status, 403);
  assert.equal((await ask(id, '', world.meadowMachine)).status, 404);
  await world.post(`/events/${id}/cancel`, { as: world.machine, body: {} });
  assert.deepEqual([(await ask(id)).status, (await ask(id)).body.code], [409, 'already_cancelled']);
});
