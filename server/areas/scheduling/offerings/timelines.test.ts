import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { seed } from '../../../test/seeds.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

async function add(over: object = {}): Promise<any> {
  const made = await world.post('/registration_timelines', {
    as: world.machine,
    body: { audience_type: 'everyone', ...over },
  });
  assert.equal(made.status, 201, made.text);
  return made.body;
}

const patch = (id: number, body: object, as = world.machine) =>
  world.patch(`/registration_timelines/${id}`, { as, body });
const named = async (id: number, as = world.machine) =>
  (await world.get(`/registration_timelines/${id}?fields=customers`, { as })).body.customers;

test('a timeline has the opening of booking in minutes before the start', async () => {
  const early = await add({ name: 'Early', registrations_open_interval: 20_160, registrations_close_interval: 60 });
  assert.deepEqual(early, {
    object: 'registration_timeline',
    id: early.id,
    name: 'Early',
    audience_type: 'everyone',
    thumbnail: null,
    calendar_opens_interval: null,
    registrations_open_interval: 20_160,
    registrations_close_interval: 60,
    cancellation_notice_interval: null,
  });
});

test('PATCH of a timeline keeps absent properties, clears those that are null and sets the others', async () => {
  const { id } = await add({ name: 'Early', cancellation_notice_interval: 120, calendar_opens_interval: 500 });
  const { body } = await patch(id, { name: null, calendar_opens_interval: 900 });
  assert.deepEqual([body.name, body.cancellation_notice_interval, body.calendar_opens_interval], [null, 120, 900]);
  assert.deepEqual(
    Object.keys((await world.put(`/registration_timelines/${id}`, { as: world.machine, body: {} })).body.field_errors),
    ['audience_type'],
  );
});

test('a timeline that closes before it opens is refused, together with stored values', async () => {
  const { id } = await add({ registrations_open_interval: 120 });
  assert.ok((await patch(id, { registrations_close_interval: 120 })).body.field_errors.registrations_close_interval);
  assert.equal((await patch(id, { registrations_close_interval: 119 })).status, 200);
});

test('customers can be named by a timeline for specific customers, and by no other', async () => {
  const [ada, eve] = [await world.newCustomer(), await world.newCustomer()];
  const refused = await world.post('/registration_timelines', {
    as: world.machine,
    body: { audience_type: 'everyone', customers: [ada] },
  });
  assert.ok(refused.body.field_errors.customers);
  const { id } = await add({ audience_type: 'specific_customers', customers: [ada, eve] });
  assert.deepEqual(await named(id), [ada, eve]);
  await patch(id, { name: 'Friends' });
  assert.deepEqual(await named(id), [ada, eve]);
  await patch(id, { customers: [eve] });
  assert.deepEqual(await named(id), [eve]);
  assert.deepEqual(
    (await world.get(`/registration_timelines/${id}?fields=customers.id`, { as: world.machine })).body.customers,
    [{ id: eve }],
  );
  assert.equal((await patch(id, { audience_type: 'business_only' })).status, 200);
  assert.deepEqual(await named(id), []);
  assert.ok(
    (await patch(id, { audience_type: 'specific_customers', customers: [999_999] })).body.field_errors.customers,
  );
});

test('memberships can be named by a timeline for specific memberships, and by no other', async () => {
  const [pack, other] = [await seed(world, 'membership'), await seed(world, 'membership')];
  const refused = await world.post('/registration_timelines', {
    as: world.machine,
    body: { audience_type: 'membership_holders', memberships: [pack] },
  });
  assert.deepEqual(Object.keys(refused.body.field_errors), ['memberships']);
  const members = async (id: number) =>
    (await world.get(`/registration_timelines/${id}?fields=memberships`, { as: world.machine })).body.memberships;
  const { id } = await add({ audience_type: 'specific_memberships', memberships: [pack, other] });
  assert.deepEqual(await members(id), [pack, other]);
  await patch(id, { memberships: [other] });
  assert.deepEqual(await members(id), [other]);
  assert.ok(
    (await patch(id, { memberships: [await seed(world, 'membership', world.meadow)] })).body.field_errors.memberships,
  );
  assert.equal((await patch(id, { audience_type: 'membership_holders' })).status, 200);
  assert.deepEqual(await members(id), []);
});

test('a timeline for members is visible only to customers with a membership', async () => {
  const stranger = world.customer(await world.newCustomer());
  const { id } = await add({ audience_type: 'membership_holders' });
  assert.deepEqual(
    [
      (await world.get(`/registration_timelines/${id}`, { as: stranger })).status,
      (await world.get(`/registration_timelines/${id}`)).status,
    ],
    [404, 404],
  );
});

test('an audience that nobody can belong to yet is refused', async () => {
  assert.ok(
    (await world.post('/registration_timelines', { as: world.machine, body: { audience_type: 'private_url' } })).body
      .field_errors.audience_type,
  );
});

test('everybody sees timelines for everyone, named customers and their family those for them, staff all', async () => {
  const parent = await world.newCustomer();
  const child = (
    await world.post(`/customers/${parent}/add_child`, {
      as: world.customer(parent),
      body: { first_name: 'Bo', last_name: 'K' },
    })
  ).body.id;
  const [stranger, friend] = [await world.newCustomer(), await world.newCustomer()];
  const open = await add();
  const inner = await add({ audience_type: 'business_only' });
  const special = await add({ audience_type: 'specific_customers', customers: [child, friend] });
  const all = [open.id, inner.id, special.id];
  const seen = async (as?: string) =>
    (await world.get('/registration_timelines?fields=id', { as })).body.results
      .map((r: any) => r.id)
      .filter((id: number) => all.includes(id));
  assert.deepEqual(await seen(), [open.id]);
  assert.deepEqual(await seen(world.customer(stranger)), [open.id]);
  assert.deepEqual(await seen(world.customer(child)), [open.id, special.id]);
  assert.deepEqual(await seen(world.customer(parent)), [open.id, special.id]);
  assert.deepEqual(await seen(world.staff([])), all);
  // The other customers that it names are not shown.
  assert.deepEqual(await named(special.id, world.customer(parent)), [child]);
  assert.equal((await world.get(`/registration_timelines/${inner.id}`)).status, 404);
});

test('a timeline that is in use cannot be deleted; an unused one is deleted with its customers', async () => {
  const ada = await world.newCustomer();
  const { id } = await add({ audience_type: 'specific_customers', customers: [ada] });
  const rowing = await world.post('/offering_types', {
    as: world.machine,
    body: { name: 'Rowing', registration_timelines: [id] },
  });
  const shown = await world.get(`/offering_types/${rowing.body.id}?fields=registration_timelines.id`, {
    as: world.machine,
  });
  assert.deepEqual(shown.body, { registration_timelines: [{ id }] });
  const remove = () => world.delete(`/registration_timelines/${id}`, { as: world.machine });
  const refused = await remove();
  assert.equal(refused.status, 409);
  assert.equal(refused.body.code, 'in_use');
  await world.patch(`/offering_types/${rowing.body.id}`, { as: world.machine, body: { registration_timelines: [] } });
  assert.equal((await remove()).status, 204);
  assert.equal((await remove()).status, 404);
});

test('changing timelines requires manage_events, at the own business', async () => {
  const { id } = await add();
  for (const as of [world.staff(['customers', 'attendances']), world.customer(await world.newCustomer())]) {
    assert.equal((await patch(id, { name: 'X' }, as)).status, 403);
    assert.equal((await world.delete(`/registration_timelines/${id}`, { as })).status, 403);
    assert.equal(
      (await world.post('/registration_timelines', { as, body: { audience_type: 'everyone' } })).status,
      403,
    );
  }
  const as = world.meadowMachine;
  for (const answer of [
    await world.get(`/registration_timelines/${id}`, { as }),
    await patch(id, { name: 'X' }, as),
    await world.delete(`/registration_timelines/${id}`, { as }),
  ]) {
    assert.equal(answer.status, 404);
  }
  assert.equal((await patch(id, { name: 'X' }, world.staff(['manage_events']))).status, 200);
});
