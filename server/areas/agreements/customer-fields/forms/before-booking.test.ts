import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newEvent, newPlace, row } from '../../../../test/schedule-world.ts';
import { startWorld, type Ask, type World } from '../../../../test/world.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

const DAY = 24 * 3_600_000;

async function done(path: string, body: unknown, as = world.machine, method: 'post' | 'patch' = 'post'): Promise<any> {
  const answer = await world[method](path, { as, body } as Ask);
  assert.ok(answer.status < 300, `${path}: ${answer.text}`);
  return answer.body;
}

/** Creates an event whose offering type asks for a form with one required question. */
async function asking(form: object = {}, about: object = {}) {
  const place = await newPlace(world);
  const field = (await done('/customer_fields', { label: 'Injuries', type: 'short_text', is_required: true })).id;
  const { id } = await done('/customer_forms', {
    name: 'Health',
    fields: [field],
    offering_types_applies_to: 'only',
    offering_types: [place.offering],
    ...form,
  });
  const event = await newEvent(world, place, about);
  return { place, event: event.id, form: id, field };
}

const answer = (form: number, field: number, customer: number, as = world.customer(customer)) =>
  done('/customer_form_submissions', { form, customer, values: [{ field, customer, value: 'None' }] }, as);

const register = (event: number, customer: number, as = world.customer(customer)) =>
  world.post(`/events/${event}/register`, { as, body: { customer } });

test('a customer books once the form is answered, and the refusal names the form and its page', async () => {
  const { event, form, field } = await asking();
  const customer = await world.newCustomer();
  const refused = await register(event, customer);
  assert.deepEqual([refused.status, refused.body.code], [400, 'requirements_missing']);
  assert.equal(refused.body.message, 'Complete “Health” before you book this class.');
  const [{ url, ...missing }] = refused.body.requirements;
  assert.deepEqual(missing, { id: form, title: 'Health', by: 'customer', before: 'booking', kind: 'form', customer });
  assert.match(url, new RegExp(`^http.*/account/${world.harbour}/forms/${form}/${customer}$`));
  const explained = await world.get(`/events/${event}/explain`, { as: world.customer(customer) });
  assert.deepEqual(explained.body.requirements, refused.body.requirements);
  assert.equal(explained.body.rules.find((rule: any) => rule.code === 'requirements_missing').passed, false);
  const seen = await world.get(`/events/${event}?expand=active_registration_status`, { as: world.customer(customer) });
  const { suggested_action, restriction_codes } = seen.body.active_registration_status;
  assert.deepEqual([suggested_action, restriction_codes], ['register', ['requirements_missing']]);
  await answer(form, field, customer);
  assert.equal((await register(event, customer)).status, 200);
});

test('staff book without the form, and the explanation names what is missing', async () => {
  const { event } = await asking();
  const customer = await world.newCustomer();
  const { body } = await world.get(`/events/${event}/explain?customer=${customer}`, { as: world.machine });
  assert.equal(body.can_book, true);
  assert.match(
    body.rules.find((rule: any) => rule.code === 'requirements_missing').message,
    /not completed “Health”\. Staff can book anyway\./,
  );
  assert.equal(body.requirements.length, 1);
  assert.equal((await register(event, customer, world.machine)).status, 200);
});

test('a guardian answers for each child who is booked', async () => {
  const { event, form, field } = await asking();
  const family_id = await row(world, 'family', {});
  const parent = await world.newCustomer({ family_id, family_role: 'manager' } as never);
  const child = await world.newCustomer({ family_id, family_role: 'child' } as never);
  const me = world.customer(parent);
  await answer(form, field, parent);
  assert.equal((await register(event, child, me)).body.requirements[0].customer, child);
  await answer(form, field, child, me);
  assert.equal((await register(event, child, me)).status, 200);
});

test('nobody joins a waitlist without the form, and a full event is refused as full first', async () => {
  const { event, form, field } = await asking({}, { max_occupancy: 1 });
  assert.equal((await register(event, await world.newCustomer(), world.machine)).status, 200);
  const customer = await world.newCustomer();
  assert.equal((await register(event, customer)).body.code, 'event_full');
  const join = () => world.post(`/events/${event}/join_waitlist`, { as: world.customer(customer), body: {} });
  const { body } = await join();
  assert.deepEqual([body.code, body.requirements.length], ['requirements_missing', 1]);
  await answer(form, field, customer);
  assert.equal((await join()).status, 200);
});

test('a form is asked again when its answers expire, or when its questions change', async () => {
  const { place, event, form, field } = await asking({ submissions_expire_after: 'P30D' });
  const customer = await world.newCustomer();
  await answer(form, field, customer);
  const code = async (of: number) => (await register(of, customer)).body.code;
  assert.equal(await code(event), undefined);
  const another = async () => (await newEvent(world, place)).id;
  await done(`/customer_forms/${form}`, { fields: [field] }, world.machine, 'patch');
  assert.equal(await code(await another()), undefined);
  await done(`/customer_forms/${form}`, { force_stale_updates: true }, world.machine, 'patch');
  assert.equal(await code(await another()), 'requirements_missing');
  await answer(form, field, customer);
  const later = await another();
  world.setNow(world.now + 30 * DAY);
  const { body } = await world.get(`/events/${later}/explain`, { as: world.customer(customer) });
  assert.equal(body.requirements.length, 1);
});

test('forms for other offering types, without questions, archived or deleted are not asked', async () => {
  const { event, form, field } = await asking();
  const customer = await world.newCustomer();
  const missing = async () =>
    (await world.get(`/events/${event}/explain`, { as: world.customer(customer) })).body.requirements.length;
  assert.equal(await missing(), 1);
  await done(`/customer_forms/${form}`, { offering_types_applies_to: 'all_except' }, world.machine, 'patch');
  assert.equal(await missing(), 0);
  await done(
    `/customer_forms/${form}`,
    { offering_types_applies_to: 'all', offering_types: [] },
    world.machine,
    'patch',
  );
  assert.equal(await missing(), 1);
  await done(`/customer_fields/${field}`, { archived: true }, world.machine, 'patch');
  assert.equal(await missing(), 0);
});
