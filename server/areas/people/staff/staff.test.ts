import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PERMISSIONS } from './permissions.ts';
import { createUser } from '../identity/index.ts';
import { newVenue } from '../../../test/schedule-world.ts';
import { plantEvent } from '../../../test/worlds/planted-event.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

const person = (over: object = {}) => ({
  first_name: 'Kim',
  last_name: 'Reyes',
  email: `kim${Math.random()}@example.com`,
  ...over,
});

async function hire(over: object = {}, as = world.machine): Promise<any> {
  const made = await world.post('/staff', { as, body: person(over) });
  assert.equal(made.status, 201, made.text);
  return made.body;
}

async function teach(over: object = {}): Promise<any> {
  const { id: staff } = await hire();
  const made = await world.post('/instructors', { as: world.machine, body: { staff, ...over } });
  assert.equal(made.status, 201, made.text);
  return made.body;
}

const patchStaff = (id: number, body: object, as = world.machine) => world.patch(`/staff/${id}`, { as, body });
const patchInstructor = (id: number, body: object, as = world.machine) =>
  world.patch(`/instructors/${id}`, { as, body });

test('a staff member is created with a flag for every permission and a feed item', async () => {
  const kim = await hire({ permissions: { customers: true, store: false } });
  assert.equal(kim.object, 'staff');
  assert.equal(kim.name, 'Kim Reyes');
  assert.deepEqual([kim.user, kim.archived], [null, false]);
  assert.deepEqual(kim.permissions, Object.fromEntries(PERMISSIONS.map((p) => [p, p === 'customers'])));
  const items = await world.work(world.harbour, ({ tx }) =>
    tx.rows(sql`SELECT kind, payload FROM feed_item WHERE object = 'staff' AND object_id = ${kim.id}`),
  );
  assert.deepEqual(items, [{ kind: 'staff.created', payload: { staff: kim.id } }]);
});

test('addresses of staff are visible to people who may see contact details', async () => {
  const kim = await hire();
  const seen = async (...permissions: Parameters<World['staff']>[0]) =>
    (await world.get(`/staff/${kim.id}?fields=name,email`, { as: world.staff(permissions) })).body.email;
  assert.deepEqual([await seen(), await seen('store'), await seen('customers')], [null, null, kim.email]);
});

test('PATCH of permissions changes the named ones, and null or an unknown one is refused', async () => {
  const kim = await hire({ permissions: { customers: true, store: true } });
  const patched = await patchStaff(kim.id, { permissions: { store: false, pos: true } });
  assert.deepEqual(
    Object.keys(patched.body.permissions).filter((p) => patched.body.permissions[p]),
    ['customers', 'pos'],
  );
  const named = await patchStaff(kim.id, { last_name: 'Ray' });
  assert.deepEqual([named.body.name, named.body.permissions.pos], ['Kim Ray', true]);
  assert.ok((await patchStaff(kim.id, { permissions: null })).body.field_errors.permissions);
  assert.ok((await patchStaff(kim.id, { permissions: { flying: true } })).body.field_errors['permissions.flying']);
  const put = await world.put(`/staff/${kim.id}`, { as: world.machine, body: { first_name: 'Kim' } });
  assert.deepEqual(Object.keys(put.body.field_errors).toSorted(), ['email', 'last_name']);
});

// Guards against: Staff give themselves more permissions
test('only super admins change staff, so nobody else grants permissions, and any staff member sees the staff', async () => {
  const kim = await hire();
  const colleague = world.staff(PERMISSIONS.filter((p) => p !== 'super_admin'));
  assert.equal(
    (await patchStaff(kim.id, { permissions: { super_admin: true } }, colleague)).body.code,
    'permission_denied',
  );
  assert.equal((await world.post('/staff', { as: colleague, body: person() })).body.code, 'permission_denied');
  assert.equal(
    (await world.post('/instructors', { as: colleague, body: { staff: kim.id } })).body.code,
    'permission_denied',
  );
  assert.equal((await world.get(`/staff/${kim.id}`, { as: world.staff([]) })).status, 200);
  const customer = world.customer(await world.newCustomer());
  assert.equal((await world.get('/staff', { as: customer })).body.code, 'mode_not_allowed');
  assert.equal((await world.get('/staff')).body.code, 'not_authenticated');
});

test('an email address belongs to one staff member who is not archived', async () => {
  const kim = await hire();
  const again = await world.post('/staff', { as: world.machine, body: person({ email: kim.email.toUpperCase() }) });
  assert.equal(again.status, 409);
  assert.ok(again.body.field_errors.email);
  assert.equal((await patchStaff(kim.id, { archived: true })).body.archived, true);
  await hire({ email: kim.email });
  assert.equal((await patchStaff(kim.id, { archived: false })).body.code, 'already_exists');
  const archived = await world.get('/staff?status=archived&fields=id', { as: world.machine });
  assert.ok(archived.body.results.some((r: any) => r.id === kim.id));
});

test('the last super admin can’t be removed', async () => {
  const as = world.meadowMachine;
  const first = await hire({ permissions: { super_admin: true } }, as);
  for (const change of [{ permissions: { super_admin: false } }, { archived: true }]) {
    const refused = await patchStaff(first.id, change, as);
    assert.equal(refused.status, 409);
    assert.equal(refused.body.code, 'conflict');
  }
  const second = await hire({ permissions: { super_admin: true } }, as);
  assert.equal((await patchStaff(first.id, { archived: true }, as)).status, 200);
  assert.equal((await patchStaff(second.id, { archived: true }, as)).body.code, 'conflict');
  assert.equal((await patchStaff(second.id, { archived: false, last_name: 'Ito' }, as)).status, 200);
});

// Guards against: Staff give themselves more permissions
test('one super admin remains if two remove each other at the same moment', async () => {
  const as = world.machine;
  const admins = await Promise.all(Array.from({ length: 4 }, () => hire({ permissions: { super_admin: true } })));
  const answers = await Promise.all(
    admins.map((admin) => patchStaff(admin.id, { permissions: { super_admin: false } }, as)),
  );
  assert.deepEqual(answers.map((a) => a.status).toSorted(), [200, 200, 200, 409]);
});

test('an instructor has the name of the staff member unless one is given', async () => {
  const plain = await teach();
  assert.deepEqual([plain.name, plain.description, plain.picture_url], ['Kim Reyes', '', '']);
  const { body: patched } = await patchInstructor(plain.id, {
    picture_url: 'https://example.com/kim.jpg',
    description: 'Rows.',
  });
  assert.deepEqual(
    [patched.name, patched.picture_url, patched.description],
    ['Kim Reyes', 'https://example.com/kim.jpg', 'Rows.'],
  );
  assert.equal((await patchInstructor(plain.id, { picture_url: '' })).body.picture_url, '');
  assert.ok((await patchInstructor(plain.id, { picture_url: 'javascript:1' })).body.field_errors.picture_url);
  assert.ok((await patchInstructor(plain.id, { name: null })).body.field_errors.name);
  assert.equal((await teach({ name: 'Coach K' })).name, 'Coach K');
});

test('a staff member is at most one instructor', async () => {
  const { staff } = await teach();
  const again = await world.post('/instructors', { as: world.machine, body: { staff } });
  assert.equal(again.status, 409);
  assert.ok(again.body.field_errors.staff);
});

test('the staff member shows their instructor', async () => {
  const [one, other] = [await teach(), await teach()];
  const found = await world.get(`/instructors?staff=${one.staff},${other.staff}&fields=id`, { as: world.machine });
  assert.deepEqual(
    found.body.results.map(({ id }: any) => id).toSorted((a: number, b: number) => a - b),
    [one.id, other.id].toSorted((a, b) => a - b),
  );
});

test('everybody sees instructors, but only staff see their permissions', async () => {
  const { id, staff } = await teach();
  await patchStaff(staff, { permissions: { instructor_attendances: true } });
  const customer = world.customer(await world.newCustomer());
  for (const as of [customer, undefined]) {
    const seen = await world.get(`/instructors/${id}?expand=staff`, { as });
    assert.equal(seen.status, 200);
    assert.equal(seen.body.name, 'Kim Reyes');
    assert.equal(seen.body.permissions, null);
    assert.equal(seen.body.staff, null);
  }
  const byStaff = await world.get(`/instructors/${id}?expand=staff`, { as: world.staff([]) });
  assert.equal(byStaff.body.permissions.instructor_attendances, true);
  assert.equal(byStaff.body.staff.id, staff);
});

test('an instructor with upcoming events can’t be archived, nor the staff member before the instructor', async () => {
  const { id, staff } = await teach();
  const event = await plantEvent(world, { instructor: id });
  const refused = await patchInstructor(id, { archived: true });
  assert.equal(refused.body.code, 'in_use');
  assert.match(refused.body.message, /1 event that has not ended/);
  assert.equal((await patchStaff(staff, { archived: true })).body.code, 'in_use');
  await world.work(world.harbour, ({ tx }) => tx.run(sql`UPDATE event SET status = 'cancelled' WHERE id = ${event}`));
  assert.equal((await patchInstructor(id, { archived: true })).status, 200);
  assert.equal((await world.get(`/instructors/${id}`)).status, 404);
  assert.equal((await patchStaff(staff, { archived: true })).status, 200);
  assert.equal((await patchInstructor(id, { archived: false })).body.code, 'conflict');
});

test('the instructors of an event and of an offering type are found, by customers if they may see the offering', async () => {
  const [one, other] = [await teach(), await teach()];
  const make = async (visibility: string) =>
    (
      await world.post('/offering_types', {
        as: world.machine,
        body: { name: 'Rowing', customer_visibility: visibility, instructors: [one.id] },
      })
    ).body.id;
  const [shown, hidden] = [await make('public'), await make('private')];
  const event = await plantEvent(world, { offeringType: hidden, instructor: other.id });
  const found = async (search: string, as?: string) =>
    (await world.get(`/instructors?fields=id&${search}`, { as })).body.results.map((r: any) => r.id);
  assert.deepEqual(await found(`offering_type=${shown}`), [one.id]);
  assert.deepEqual(await found(`offering_type=${hidden}`), []);
  assert.deepEqual(await found(`offering_type=${hidden}`, world.machine), [one.id]);
  assert.deepEqual(await found(`event=${event}`), []);
  assert.deepEqual(await found(`event=${event}`, world.machine), [other.id]);
});

test('staff are found by their permissions, and a super admin by every one', async () => {
  const desk = await hire({ permissions: { customers: true, pos: true } });
  const teacher = await hire({ permissions: { instructor_attendances: true } });
  const owner = await hire({ permissions: { super_admin: true } });
  const nobody = await hire();
  const among = [desk, teacher, owner, nobody].map((s) => s.id);
  const found = async (permissions: string) =>
    (await world.get(`/staff?fields=id&has_any_permissions=${permissions}`, { as: world.machine })).body.results
      .map((s: any) => s.id)
      .filter((id: number) => among.includes(id));
  assert.deepEqual(await found('pos'), [desk.id, owner.id]);
  assert.deepEqual(await found('instructor_attendances,store'), [teacher.id, owner.id]);
  assert.deepEqual(await found('super_admin'), [owner.id]);
  assert.deepEqual(await found('customers,instructor_attendances'), [desk.id, teacher.id, owner.id]);
  const wrong = await world.get('/staff?has_any_permissions=flying', { as: world.machine });
  assert.deepEqual([wrong.status, Object.keys(wrong.body.field_errors)], [400, ['has_any_permissions']]);
});

const found = async (query: string, as?: string) =>
  (await world.get(`/instructors?fields=id&${query}`, { as })).body.results.map((i: any) => i.id);

test('instructors are found by words in their name and description, whose characters have no special meaning', async () => {
  const ada = await teach({ name: 'Ada Byron', description: 'Rows at 100% effort' });
  const grace = await teach({ name: 'Grace Byron', description: '' });
  assert.deepEqual(await found('query=byron'), [ada.id, grace.id]);
  assert.deepEqual(await found(`query=${encodeURIComponent('BYRON rows effort ada 100%')}`), [ada.id]);
  assert.deepEqual(await found('query=byron%20yoga'), []);
  assert.deepEqual(await found('query=%25'), [ada.id]);
  assert.deepEqual(await found('query=gra_e'), []);
});

test('the instructors of several events are found once each, and none for a content collection', async () => {
  const [one, two, three] = [await teach(), await teach(), await teach()];
  const venue = await newVenue(world);
  const first = await plantEvent(world, { instructor: one.id, venue, inHours: 24 });
  const again = await plantEvent(world, { instructor: one.id, venue, inHours: 48 });
  const other = await plantEvent(world, { instructor: two.id, venue, inHours: 24 });
  await plantEvent(world, { instructor: three.id, venue, inHours: 24 });
  assert.deepEqual(await found(`events=${first},${again},${other}`), [one.id, two.id]);
  assert.deepEqual(await found(`events=${first}`, world.machine), [one.id]);
  const elsewhere = world.staff(['attendances'], null, world.harbour, [await newVenue(world)]);
  assert.deepEqual(await found(`events=${first},${other}`, elsewhere), [one.id, two.id], 'the offering type is public');
  assert.deepEqual(await found('content_collection=1', world.machine), []);
});

test('staff and instructors of another business are not found', async () => {
  const { id, staff } = await teach();
  const as = world.meadowMachine;
  for (const answer of [
    await world.get(`/staff/${staff}`, { as }),
    await patchStaff(staff, { last_name: 'X' }, as),
    await world.get(`/instructors/${id}`, { as }),
    await patchInstructor(id, { name: 'X' }, as),
  ]) {
    assert.equal(answer.status, 404);
  }
  assert.ok((await world.post('/instructors', { as, body: { staff } })).body.field_errors.staff);
});

const venuesOf = async (id: number) =>
  (await world.get(`/staff/${id}?expand=venues&fields=venues.id`, { as: world.machine })).body.venues.map(
    (v: any) => v.id,
  );

test('the venue limits of a staff member are replaced as a whole, unchanged if not sent, and shown on request', async () => {
  const [a, b] = [await newVenue(world), await newVenue(world)];
  const kim = await hire({ venues: [b, a, b], permissions: { manage_events: true } });
  assert.ok(!('venues' in kim));
  assert.deepEqual(await venuesOf(kim.id), [a, b]);
  assert.deepEqual((await world.get(`/staff/${kim.id}?fields=venues`, { as: world.staff([]) })).body, {
    venues: [a, b],
  });
  const { first_name, last_name, email } = kim;
  assert.equal(
    (await world.put(`/staff/${kim.id}`, { as: world.machine, body: { first_name, last_name, email } })).status,
    200,
  );
  assert.deepEqual(await venuesOf(kim.id), [a, b]);
  await patchStaff(kim.id, { venues: [b] });
  assert.deepEqual(await venuesOf(kim.id), [b]);
  await patchStaff(kim.id, { venues: [] });
  assert.deepEqual(await venuesOf(kim.id), []);
  assert.deepEqual(await venuesOf((await hire()).id), []);
});

test('a venue that does not exist, or belongs to another business, is refused by name, and by the database too', async () => {
  const kim = await hire();
  const foreign = await newVenue(world, {}, world.meadow);
  for (const id of [foreign, 987_654])
    assert.deepEqual((await patchStaff(kim.id, { venues: [id] })).body.field_errors, {
      venues: [`There is no venue with the id ${id}.`],
    });
  const write = world.work(world.harbour, ({ tx }) =>
    tx.run(sql`UPDATE staff SET venue_ids = ${[foreign]} WHERE provider_id = ${world.harbour} AND id = ${kim.id}`),
  );
  await assert.rejects(write, { constraint: 'staff_venues_exist' });
});

test('a super admin can’t be limited to venues: not in one change, not in two successive ones, not in the database', async () => {
  const venue = await newVenue(world);
  const asked = await world.post('/staff', {
    as: world.machine,
    body: person({ permissions: { super_admin: true }, venues: [venue] }),
  });
  assert.ok(asked.body.field_errors.venues, asked.text);
  const limited = await hire({ venues: [venue] });
  assert.ok((await patchStaff(limited.id, { permissions: { super_admin: true } })).body.field_errors.venues);
  assert.equal((await patchStaff(limited.id, { permissions: { super_admin: true }, venues: [] })).status, 200);
  assert.ok((await patchStaff(limited.id, { venues: [venue] })).body.field_errors.venues);
  const write = world.work(world.harbour, ({ tx }) =>
    tx.run(sql`UPDATE staff SET venue_ids = ${[venue]} WHERE provider_id = ${world.harbour} AND id = ${limited.id}`),
  );
  await assert.rejects(write, { constraint: 'staff_admin_everywhere' });
});

test('the audit has who changed the venues of a staff member, from what and to what', async () => {
  const [a, b] = [await newVenue(world), await newVenue(world)];
  const kim = await hire({ venues: [a] });
  await patchStaff(kim.id, { venues: [b] });
  const entries = await world.work(world.harbour, ({ tx }) =>
    tx.rows(
      sql`SELECT actor, action, before->'venue_ids' AS before, after->'venue_ids' AS after FROM audit_entry
        WHERE object = 'staff' AND object_id = ${kim.id} ORDER BY id`,
    ),
  );
  assert.match(entries[1].actor, /^machine_token:\d+$/);
  assert.deepEqual(
    entries.map(({ action, before, after }) => [action, before, after]),
    [
      ['POST /staff', null, [a]],
      ['PATCH /staff/{id}', [a], [b]],
    ],
  );
  const [, item] = await world.work(world.harbour, ({ tx }) =>
    tx.rows(sql`SELECT payload FROM feed_item WHERE object = 'staff' AND object_id = ${kim.id} ORDER BY id`),
  );
  assert.deepEqual(item.payload.changed, ['venues']);
});

test('a change of the venues changes what the person reaches, in every process', async () => {
  const epoch = () => world.work(world.harbour, ({ tx }) => tx.one(sql`SELECT value FROM access_epoch`));
  const user = await world.app.db.acrossTenants('a person of a test has an account', (tx) =>
    createUser(tx, { email: `kim${Math.random()}@example.com`, password: 'correct horse battery' }),
  );
  const kim = await hire();
  await world.work(world.harbour, ({ tx }) =>
    tx.run(sql`UPDATE staff SET user_id = ${user} WHERE provider_id = ${world.harbour} AND id = ${kim.id}`),
  );
  const before = (await epoch())!.value;
  await patchStaff(kim.id, { last_name: 'Ray' });
  assert.equal((await epoch())!.value, before);
  await patchStaff(kim.id, { venues: [await newVenue(world)] });
  assert.equal((await epoch())!.value, before + 1);
  const changed = await world.work(world.harbour, ({ tx }) =>
    tx.one(sql`SELECT subject FROM access_change WHERE epoch = ${before + 1}`),
  );
  assert.deepEqual(changed, { subject: `user:${user}` });
});
