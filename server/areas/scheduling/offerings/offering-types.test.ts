import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createOfferingType } from './index.ts';
import { plantEvent } from '../../../test/worlds/planted-event.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { seed } from '../../../test/seeds.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

async function offer(over: object = {}, as = world.machine): Promise<any> {
  const made = await world.post('/offering_types', { as, body: { name: 'Rowing', ...over } });
  assert.equal(made.status, 201, made.text);
  return made.body;
}

const patch = (id: number, body: object, as = world.machine) => world.patch(`/offering_types/${id}`, { as, body });
const ids = async (search = '', as: string | undefined = world.machine) =>
  (await world.get(`/offering_types?fields=id&${search}`, { as })).body.results.map((r: any) => r.id);

async function newInstructor(): Promise<number> {
  const { body } = await world.post('/staff', {
    as: world.machine,
    body: { first_name: 'Kim', last_name: 'R', email: `k${Math.random()}@example.com` },
  });
  return (await world.post('/instructors', { as: world.machine, body: { staff: body.id } })).body.id;
}

test("an offering type is created with useful defaults, its price in the business's currency and a feed item", async () => {
  const rowing = await offer({ dropin_price: '12.5', color: '#FFEE00' });
  assert.equal(rowing.object, 'offering_type');
  assert.deepEqual(
    [rowing.schedule_type, rowing.status, rowing.customer_visibility, rowing.allows_dropins],
    ['class', 'active', 'public', true],
  );
  assert.deepEqual(
    [rowing.dropin_price, rowing.has_pricing, rowing.is_draft, rowing.has_active_schedules],
    ['12.50', true, false, false],
  );
  assert.deepEqual([rowing.color, rowing.category, rowing.order, rowing.waitlist_max], ['#ffee00', null, null, null]);
  assert.equal(rowing.instructors, `${world.url}/api/v2/instructors?offering_type=${rowing.id}`);
  const items = await world.work(world.harbour, ({ tx }) =>
    tx.rows(sql`SELECT kind, payload FROM feed_item WHERE object = 'offering_type' AND object_id = ${rowing.id}`),
  );
  assert.deepEqual(items, [{ kind: 'offering_type.created', payload: { offering_type: rowing.id } }]);
});

test('a price with more decimals than the currency has is refused, with the expected format', async () => {
  for (const dropin_price of ['1.005', '-1', 'ten', 10]) {
    const refused = await world.post('/offering_types', { as: world.machine, body: { name: 'Rowing', dropin_price } });
    assert.equal(refused.status, 400, String(dropin_price));
    assert.ok(refused.body.field_errors.dropin_price);
  }
  assert.deepEqual([(await offer()).dropin_price, (await offer()).has_pricing], ['0.00', false]);
});

test('the exported function creates the same as the endpoint', async () => {
  const id = await world.work(world.harbour, (work) =>
    createOfferingType(work, { name: 'Yoga', schedule_type: 'course', dropin_price: '8' }),
  );
  const { body } = await world.get(`/offering_types/${id}`, { as: world.machine });
  assert.deepEqual([body.name, body.schedule_type, body.dropin_price], ['Yoga', 'course', '8.00']);
});

test('PATCH of an offering type keeps absent properties, clears those that are null and sets the others', async () => {
  const rowing = await offer({ description: 'On water', min_allowed_age: 12, waitlist_max: 5 });
  const { body } = await patch(rowing.id, { waitlist_max: null, max_allowed_age: 18 });
  assert.deepEqual(
    [body.description, body.min_allowed_age, body.max_allowed_age, body.waitlist_max],
    ['On water', 12, 18, null],
  );
  assert.deepEqual(
    Object.keys((await world.put(`/offering_types/${rowing.id}`, { as: world.machine, body: {} })).body.field_errors),
    ['name'],
  );
  assert.ok((await patch(rowing.id, { name: null })).body.field_errors.name);
  const strict = { as: world.machine, body: { schedule_type: 'course' }, headers: { prefer: 'handling=strict' } };
  assert.ok((await world.patch(`/offering_types/${rowing.id}`, strict)).body.field_errors.schedule_type);
  assert.ok((await patch(rowing.id, { color: 'red' })).body.field_errors.color);
});

test('ages and intervals that exclude everybody are refused, together with stored values', async () => {
  const rowing = await offer({ min_allowed_age: 12, registrations_close_interval: 60 });
  assert.ok((await patch(rowing.id, { max_allowed_age: 10 })).body.field_errors.max_allowed_age);
  assert.ok(
    (await patch(rowing.id, { registrations_open_interval: 30 })).body.field_errors.registrations_open_interval,
  );
  assert.equal((await patch(rowing.id, { min_allowed_age: null, max_allowed_age: 10 })).status, 200);
});

test('instructors of an offering type are set as a list and kept if absent', async () => {
  const [a, b] = [await newInstructor(), await newInstructor()];
  const rowing = await offer({ instructors: [a, b, a] });
  const taught = async () =>
    (await world.get(`/offering_types/${rowing.id}?fields=instructors.id`, { as: world.machine })).body.instructors.map(
      (i: any) => i.id,
    );
  assert.deepEqual(await taught(), [a, b]);
  await patch(rowing.id, { name: 'Sculling' });
  assert.deepEqual(await taught(), [a, b]);
  await patch(rowing.id, { instructors: [b] });
  assert.deepEqual(await taught(), [b]);
  assert.deepEqual(await ids(`instructor=${b}`), [rowing.id]);
  await patch(rowing.id, { instructors: [] });
  assert.deepEqual(await taught(), []);
  assert.ok((await patch(rowing.id, { instructors: [999_999] })).body.field_errors.instructors);
});

test('customers and visitors see active public offering types', async () => {
  const shown = await offer();
  const hidden = [
    await offer({ customer_visibility: 'private' }),
    await offer({ customer_visibility: 'membership_holders' }),
    await offer(),
  ];
  assert.equal((await patch(hidden[2].id, { status: 'archived' })).status, 200);
  const customer = world.customer(await world.newCustomer());
  for (const as of [customer, undefined]) {
    const seen = (await world.get('/offering_types?fields=id', { as })).body.results.map((r: any) => r.id);
    assert.ok(seen.includes(shown.id));
    for (const { id } of hidden) {
      assert.ok(!seen.includes(id));
      assert.equal((await world.get(`/offering_types/${id}`, { as })).status, 404);
    }
  }
  for (const { id } of hidden)
    assert.equal((await world.get(`/offering_types/${id}`, { as: world.staff([]) })).status, 200);
  assert.deepEqual(await ids('status=archived'), [hidden[2].id]);
});

test('changing offerings requires manage_events', async () => {
  const rowing = await offer();
  for (const as of [world.staff(['customers']), world.customer(await world.newCustomer())]) {
    for (const answer of [
      await world.post('/offering_types', { as, body: { name: 'X' } }),
      await patch(rowing.id, { name: 'X' }, as),
      await world.patch('/offering_types/ordering', { as, body: { offering_types: [rowing.id] } }),
      await world.post('/offering_type_categories', { as, body: { name: 'X' } }),
    ]) {
      assert.equal(answer.status, 403);
    }
  }
  assert.equal((await patch(rowing.id, { name: 'X' }, world.staff(['manage_events']))).status, 200);
});

test('an offering type with upcoming events has active schedules and cannot be archived', async () => {
  const rowing = await offer();
  await plantEvent(world, { offeringType: rowing.id });
  assert.equal((await world.get(`/offering_types/${rowing.id}`)).body.has_active_schedules, true);
  assert.ok((await ids('has_active_schedules=true')).includes(rowing.id));
  const refused = await patch(rowing.id, { status: 'archived' });
  assert.equal(refused.status, 409);
  assert.equal(refused.body.code, 'in_use');
});

test('offering types are reordered; those not named follow in their previous order', async () => {
  const as = world.meadowMachine;
  const made = [];
  for (const name of ['A', 'B', 'C', 'D']) made.push((await offer({ name }, as)).id);
  const [a, b, c, d] = made;
  const order = (offering_types: number[]) => world.patch('/offering_types/ordering', { as, body: { offering_types } });
  assert.deepEqual((await order([d, b, a, c])).body, { offering_types: [d, b, a, c] });
  assert.deepEqual(await ids('', as), [d, b, a, c]);
  assert.deepEqual((await order([c])).body, { offering_types: [c, d, b, a] });
  assert.deepEqual(await ids('', as), [c, d, b, a]);
  assert.deepEqual(await ids('sort=-name', as), [d, c, b, a]);
  const last = await offer({ name: 'E' }, as);
  assert.equal((await ids('', as)).at(-1), last.id);
  const foreign = await offer();
  for (const wrong of [[a, a], [foreign.id], []]) assert.ok((await order(wrong)).body.field_errors.offering_types);
});

test('a category is created, renamed, assigned to an offering type and used as a filter', async () => {
  const made = await world.post('/offering_type_categories', { as: world.machine, body: { name: 'Water' } });
  assert.equal(made.status, 201, made.text);
  const { id } = made.body;
  assert.deepEqual(made.body, { object: 'offering_type_category', id, name: 'Water', image: null });
  const renamed = await world.patch(`/offering_type_categories/${id}`, {
    as: world.machine,
    body: { name: 'On water' },
  });
  assert.equal(renamed.body.name, 'On water');
  assert.equal(
    (await world.patch(`/offering_type_categories/${id}`, { as: world.machine, body: {} })).body.name,
    'On water',
  );
  assert.ok(
    (await world.put(`/offering_type_categories/${id}`, { as: world.machine, body: {} })).body.field_errors.name,
  );
  const rowing = await offer({ category: id });
  assert.deepEqual(await ids(`category=${id}`), [rowing.id]);
  assert.equal((await world.get(`/offering_types/${rowing.id}?expand=category`)).body.category.name, 'On water');
  assert.equal((await patch(rowing.id, { category: null })).body.category, null);
  assert.equal((await world.get('/offering_type_categories')).status, 200);
});

test('offering types are found by a part of the name, by id, by age restrictions, and by upcoming events', async () => {
  const yoga = await offer({ name: 'Yoga 50%_flow', min_allowed_age: 12 });
  const seniors = await offer({ name: 'YOGA for seniors', max_allowed_age: 99 });
  const plain = await offer({ name: 'Yogic breathing' });
  await plantEvent(world, { offeringType: plain.id });
  await plantEvent(world, { offeringType: yoga.id, inHours: -24 });
  const among = `ids=${yoga.id},${seniors.id},${plain.id}&sort=id`;
  assert.deepEqual(await ids(`name_contains=yoga&${among}`), [yoga.id, seniors.id]);
  assert.deepEqual(await ids(`name_contains=${encodeURIComponent('0%_F')}`), [yoga.id]);
  assert.deepEqual(await ids('name_contains=y_ga'), []);
  assert.deepEqual(await ids(`id=${yoga.id},${plain.id}&sort=id`), [yoga.id, plain.id]);
  assert.deepEqual(await ids(`is_age_restricted=true&${among}`), [yoga.id, seniors.id]);
  assert.deepEqual(await ids(`is_age_restricted=false&${among}`), [plain.id]);
  assert.deepEqual(await ids(`has_active_sessions=true&${among}`), [plain.id]);
  assert.deepEqual(await ids(`has_active_sessions=false&${among}`), [yoga.id, seniors.id]);
});

test('offerings of another business are not found', async () => {
  const rowing = await offer();
  const category = (await world.post('/offering_type_categories', { as: world.machine, body: { name: 'Water' } })).body
    .id;
  const as = world.meadowMachine;
  for (const answer of [
    await world.get(`/offering_types/${rowing.id}`, { as }),
    await patch(rowing.id, { name: 'X' }, as),
    await world.get(`/offering_type_categories/${category}`, { as }),
    await world.patch(`/offering_type_categories/${category}`, { as, body: { name: 'X' } }),
  ]) {
    assert.equal(answer.status, 404);
  }
  const refused = await world.post('/offering_types', {
    as,
    body: { name: 'X', category, instructors: [await newInstructor()] },
  });
  assert.deepEqual(Object.keys(refused.body.field_errors).toSorted(), ['category', 'instructors']);
});

test('offering types, categories, timelines and rooms show an uploaded image until it is removed', async () => {
  const [image, foreign] = [await seed(world, 'image', world.harbour), await seed(world, 'image', world.meadow)];
  const venue = await seed(world, 'venue', world.harbour);
  for (const [path, body, property] of [
    ['/offering_types', { name: 'Yoga' }, 'image'],
    ['/offering_type_categories', { name: 'On mats' }, 'image'],
    ['/registration_timelines', { name: 'Early', audience_type: 'everyone' }, 'thumbnail'],
    ['/venue_rooms', { name: 'Attic', venue }, 'thumbnail'],
  ] as const) {
    const made = await world.post(path, { as: world.machine, body: { ...body, [property]: image } });
    assert.equal(made.status, 201, made.text);
    assert.deepEqual([made.body[property].id, made.body[property].original_width], [image, 4000]);
    const change = (value: number | null) =>
      world.patch(`${path}/${made.body.id}`, { as: world.machine, body: { [property]: value } });
    assert.deepEqual(Object.keys((await change(foreign)).body.field_errors), [property]);
    assert.equal((await change(null)).body[property], null);
  }
});
