import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startWorld, type World } from '../../../../test/world.ts';
import { MembershipWorld } from '../../../../test/worlds/membership-world.ts';
import { feedEnd, feedSince, newCustomers, newVenue } from '../../../../test/schedule-world.ts';

let world: World;
let pier: number;
let boathouse: number;
before(async () => {
  world = await startWorld();
  [pier, boathouse] = [await newVenue(world), await newVenue(world, { name: 'Boathouse' })];
});
after(() => world.close());

const checkIn = (customer: number, venue: number, date = '2026-09-07', as = world.machine, more: object = {}) =>
  world.post('/checkins', { as, body: { customer, venue, date, ...more } });
const settings = (method: 'PUT' | 'PATCH', body: object, as = world.machine) =>
  world.ask(method, '/checkins/settings', { as, body });

test('a check-in has the customer, the venue and the day, and is recorded once', async () => {
  const [customer] = await newCustomers(world, 1);
  const from = await feedEnd(world);
  const { status, body } = await checkIn(customer, pier, '2026-09-07', world.machine, { comped: true });
  assert.equal(status, 201);
  assert.deepEqual(
    [body.customer, body.venue, body.date, body.comped, body.customer_membership],
    [customer, pier, '2026-09-07', true, null],
  );
  assert.equal((await checkIn(customer, pier)).body.id, body.id);
  assert.deepEqual(
    (await feedSince(world, from)).map((i) => [i.kind, i.payload]),
    [['checkin.created', { checkin: body.id, customer, venue: pier }]],
  );
});

test('there is one check-in a day for each venue, or one a day if the business counts as a whole', async () => {
  const [a, b] = await newCustomers(world, 2);
  await settings('PATCH', { granularity: 'venue' });
  const [first, other, next] = [
    await checkIn(a, pier),
    await checkIn(a, boathouse),
    await checkIn(a, pier, '2026-09-08'),
  ];
  assert.equal(new Set([first, other, next].map((x) => x.body.id)).size, 3);
  await settings('PATCH', { granularity: 'business' });
  const whole = await checkIn(b, pier);
  assert.equal((await checkIn(b, boathouse)).body.id, whole.body.id);
  assert.notEqual((await checkIn(b, boathouse, '2026-09-08')).body.id, whole.body.id);
  await settings('PATCH', { granularity: 'venue' });
});

test('two concurrent desks create one check-in', async () => {
  const [customer] = await newCustomers(world, 1);
  await settings('PATCH', { granularity: 'business' });
  const answers = await Promise.all([pier, boathouse, pier, boathouse].map((venue) => checkIn(customer, venue)));
  assert.equal(new Set(answers.map((a) => a.body.id)).size, 1);
  await settings('PATCH', { granularity: 'venue' });
});

test('settings are read, replaced and partly changed', async () => {
  const shown = { granularity: 'business', joining_marks_attendance: false };
  assert.deepEqual((await settings('PUT', { enabled: false, granularity: 'business' })).body, {
    ...shown,
    enabled: false,
  });
  assert.deepEqual((await settings('PATCH', { enabled: true })).body, { ...shown, enabled: true });
  assert.deepEqual((await world.get('/checkins/settings', { as: world.machine })).body, { ...shown, enabled: true });
  assert.equal((await settings('PUT', { enabled: true })).status, 400);
  assert.equal((await settings('PATCH', { granularity: 'room' })).status, 400);
  await settings('PATCH', { granularity: 'venue' });
});

test('while check-ins are turned off, nobody is checked in', async () => {
  const [customer] = await newCustomers(world, 1);
  await settings('PATCH', { enabled: false });
  const refused = await checkIn(customer, pier);
  assert.deepEqual([refused.status, refused.body.code], [400, 'checkin_disabled']);
  await settings('PATCH', { enabled: true });
});

test('only staff check in, only a super admin changes how it works', async () => {
  const [customer] = await newCustomers(world, 1);
  assert.equal((await checkIn(customer, pier, '2026-09-09', world.staff(['revenue']))).status, 403);
  assert.equal((await checkIn(customer, pier, '2026-09-09', world.customer(customer))).status, 403);
  assert.equal((await checkIn(customer, pier, '2026-09-09', world.staff(['attendances']))).status, 201);
  assert.equal((await settings('PATCH', { enabled: true }, world.staff(['attendances']))).status, 403);
  assert.equal((await world.get('/checkins/settings', { as: world.customer(customer) })).status, 403);
});

test('objects of another business are unknown', async () => {
  const [customer] = await newCustomers(world, 1);
  const theirs = await newVenue(world, {}, world.meadow);
  assert.ok((await checkIn(customer, theirs)).body.field_errors.venue);
  assert.ok((await checkIn(await world.newCustomer({}, world.meadow), pier)).body.field_errors.customer);
  assert.ok((await checkIn(customer, pier, '2026-02-30')).body.field_errors.date);
});

test('a check-in names the membership with which the customer came, which must be valid that day; it takes no use', async () => {
  const m = await MembershipWorld.of(world);
  const [holder, friend, stranger] = await newCustomers(world, 3);
  const { id } = await m.give(holder, await m.pack(5), { start_date: '2026-09-01', expiration_date: '2026-09-30' });
  await m.share(id, friend);
  for (const customer of [holder, friend]) {
    const { status, body } = await checkIn(customer, pier, '2026-09-30', world.machine, { customer_membership: id });
    assert.deepEqual([status, body.customer_membership], [201, id]);
  }
  assert.equal(await m.used(id), 0);
  for (const [customer, date, more] of [
    [holder, '2026-10-01', {}],
    [holder, '2026-08-31', {}],
    [stranger, '2026-09-30', {}],
    [holder, '2026-09-29', { comped: true }],
  ] as const) {
    const refused = await checkIn(customer, boathouse, date, world.machine, { customer_membership: id, ...more });
    assert.deepEqual([refused.status, Object.keys(refused.body.field_errors)], [400, ['customer_membership']], date);
  }
  assert.equal(
    (await checkIn(holder, boathouse, '2026-09-30', world.machine, { customer_membership: 999_999 })).status,
    400,
  );
});
