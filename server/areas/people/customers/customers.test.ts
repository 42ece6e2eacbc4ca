import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createUser } from '../identity/index.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { newCustomers } from '../../../test/schedule-world.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

const person = (over: object = {}) => ({
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: `ada${Math.random()}@example.com`,
  ...over,
});

async function enter(over: object = {}): Promise<any> {
  const made = await world.post('/customers', { as: world.machine, body: person(over) });
  assert.equal(made.status, 201, made.text);
  return made.body;
}

test('a selection of fields returns exactly those fields', async () => {
  const { id, email } = await enter();
  const answer = await world.get(`/customers/${id}?fields=id,email`, { as: world.machine });
  assert.equal(answer.status, 200);
  assert.equal(answer.text, JSON.stringify({ id, email }));
});

test('the same selection in XML has the same two elements', async () => {
  const { id, email } = await enter();
  const answer = await world.get(`/customers/${id}?fields=id,email&format=xml`, { as: world.machine });
  assert.equal(answer.text, `<?xml version="1.0" encoding="utf-8"?><root><id>${id}</id><email>${email}</email></root>`);
});

test('a customer is created with its feed item, its audit entry and its invitation, or not at all', async () => {
  const { id } = await enter({ invitation_note: 'Welcome aboard' });
  const rows = await world.work(world.harbour, async ({ tx }) => {
    return tx.all([
      sql`SELECT kind, payload FROM feed_item WHERE object = 'customer' AND object_id = ${id}`,
      sql`SELECT note FROM customer_invitation WHERE customer_id = ${id}`,
    ]);
  });
  assert.deepEqual(rows[0], [{ kind: 'customer.created', payload: { customer: id } }]);
  assert.deepEqual(rows[1], [{ note: 'Welcome aboard' }]);
});

test('an email address belongs to one customer of a business', async () => {
  const { email } = await enter();
  const again = await world.post('/customers', { as: world.machine, body: person({ email: email.toUpperCase() }) });
  assert.equal(again.status, 409);
  assert.equal(again.body.code, 'already_exists');
  assert.ok(again.body.field_errors.email);
  const elsewhere = await world.post('/customers', { as: world.meadowMachine, body: person({ email }) });
  assert.equal(elsewhere.status, 201);
});

// Guards against: Writing properties that may not be written
test('an unknown property of a body is refused by name, with a suggestion of the right one', async () => {
  const answer = await world.post('/customers', { as: world.machine, body: person({ fist_name: 'Ada' }) });
  assert.equal(answer.status, 400);
  assert.deepEqual(answer.body.field_errors, { fist_name: ['Unknown property. Did you mean "first_name"?'] });
});

test('every mistake in a body is reported together', async () => {
  const answer = await world.post('/customers', {
    as: world.machine,
    body: { first_name: '', email: 'no', venue: 'x' },
  });
  assert.deepEqual(Object.keys(answer.body.field_errors).toSorted(), ['email', 'first_name', 'last_name', 'venue']);
});

test('PATCH leaves absent properties unchanged, and PUT requires all required ones', async () => {
  const { id } = await enter();
  const patched = await world.patch(`/customers/${id}`, { as: world.machine, body: { last_name: 'King' } });
  assert.equal(patched.status, 200, patched.text);
  assert.equal(patched.body.first_name, 'Ada');
  assert.equal(patched.body.last_name, 'King');
  const put = await world.put(`/customers/${id}`, { as: world.machine, body: { last_name: 'King' } });
  assert.deepEqual(Object.keys(put.body.field_errors).toSorted(), ['first_name', 'visibility']);
});

// Guards against: A customer reads or acts for somebody else
test('customers see themselves and their family, and nobody else', async () => {
  const parent = await enter();
  const stranger = await enter();
  const child = await world.post(`/customers/${parent.id}/add_child`, {
    as: world.customer(parent.id),
    body: { first_name: 'Byron', last_name: 'King' },
  });
  assert.equal(child.status, 200, child.text);
  assert.equal(child.body.family_role, 'child');
  const mine = await world.get('/customers?fields=id', { as: world.customer(parent.id) });
  assert.deepEqual(mine.body.results, [{ id: parent.id }, { id: child.body.id }]);
  assert.equal(mine.body.count, 2);
  assert.equal((await world.get(`/customers/${stranger.id}`, { as: world.customer(parent.id) })).status, 404);
  assert.equal(
    (await world.patch(`/customers/${stranger.id}`, { as: world.customer(parent.id), body: { last_name: 'X' } }))
      .status,
    404,
  );
  const parentByChild = await world.patch(`/customers/${parent.id}`, {
    as: world.customer(child.body.id),
    body: { last_name: 'X' },
  });
  assert.equal(parentByChild.body.code, 'permission_denied');
});

test('staff lock a status and assign staff to a customer, and customers see neither, and change nothing by sending a record back', async () => {
  const { id } = await enter();
  const staff = async (n: number): Promise<number> =>
    (
      await world.post('/staff', {
        as: world.machine,
        body: { first_name: 'Kim', last_name: `No ${n}`, email: `k${n}${Math.random()}@example.com` },
      })
    ).body.id;
  const [kim, lee] = [await staff(1), await staff(2)];
  const carer = world.staff(['customers']);
  const shown = async (as: string) =>
    (await world.get(`/customers/${id}?fields=is_status_locked,staff_assignments`, { as })).body;
  assert.deepEqual(await shown(carer), { is_status_locked: false, staff_assignments: [] });
  const patched = await world.patch(`/customers/${id}?expand=staff_assignments`, {
    as: carer,
    body: { is_status_locked: true, staff_assignments: [lee, kim] },
  });
  assert.equal(patched.status, 200, patched.text);
  assert.deepEqual(
    [patched.body.is_status_locked, patched.body.staff_assignments.map((s: any) => s.name)],
    [true, ['Kim No 1', 'Kim No 2']],
  );
  await world.patch(`/customers/${id}`, { as: carer, body: { staff_assignments: [kim] } });
  assert.deepEqual(await shown(carer), { is_status_locked: true, staff_assignments: [kim] });
  assert.deepEqual(await shown(world.staff([])), { is_status_locked: false, staff_assignments: [kim] });
  const own = world.customer(id);
  assert.deepEqual(await shown(own), { is_status_locked: false, staff_assignments: [] });

  const name = { first_name: 'Ada', last_name: 'King', visibility: 'visible' };
  assert.equal(
    (await world.put(`/customers/${id}`, { as: own, body: { ...name, ...(await shown(own)) } })).status,
    200,
  );
  assert.deepEqual(await shown(carer), { is_status_locked: true, staff_assignments: [kim] });
  assert.equal(
    (await world.patch(`/customers/${id}`, { as: own, body: { is_status_locked: true } })).body.code,
    'permission_denied',
  );
  assert.equal((await world.patch(`/customers/${id}`, { as: own, body: { staff_assignments: [kim] } })).status, 400);
  const unknown = await world.patch(`/customers/${id}`, { as: carer, body: { staff_assignments: [999_999] } });
  assert.deepEqual([unknown.status, Object.keys(unknown.body.field_errors)], [400, ['staff_assignments']]);

  await world.patch(`/customers/${id}`, { as: carer, body: { is_status_locked: false, staff_assignments: [] } });
  assert.deepEqual(await shown(carer), { is_status_locked: false, staff_assignments: [] });
  const items = await world.work(world.harbour, async ({ tx }) => {
    const { sql } = await import('../../../kernel/base/db/sql.ts');
    return tx.rows<{ changed: string[] }>(
      sql`SELECT payload->'changed' AS changed FROM feed_item WHERE kind = 'customer.updated' AND object_id = ${id}
        ORDER BY id`,
    );
  });
  assert.deepEqual(
    [items[0].changed, items[1].changed],
    [['is_status_locked', 'staff_assignments'], ['staff_assignments']],
  );
  const audited = (
    await world.get(`/audit_entries?object=customer&object_id=${id}&sort=id`, { as: world.machine })
  ).body.results.flatMap((e: any) => e.changes.map((c: any) => [c.name, c.old, c.new]));
  assert.ok(
    audited.some(
      ([property, old, now]: any[]) =>
        property === 'staff_ids' && String(old) === String([kim, lee]) && String(now) === String([kim]),
    ),
    JSON.stringify(audited),
  );
});

test('an invitation leads to the sign-up page, and staff see it until the record is claimed', async () => {
  const { id, invitation_url } = await enter();
  assert.equal((await fetch(invitation_url)).status, 200);
  const shown = async (customer: number, as = world.staff([])) =>
    (await world.get(`/customers/${customer}?fields=invitation_url`, { as })).body.invitation_url;
  assert.equal(await shown(id), invitation_url);
  assert.equal(await shown(id, world.customer(id)), null);
  const child = await world.post(`/customers/${id}/add_child`, {
    as: world.machine,
    body: { first_name: 'Byron', last_name: 'King' },
  });
  assert.equal(child.body.invitation_url, null, 'a child without an address');
  const user = await world.app.db.acrossTenants('a test makes an account', (tx) =>
    createUser(tx, { email: `u${Math.random()}@example.com`, password: 'correct horse battery' }),
  );
  assert.equal(await shown(await world.newCustomer({ user_id: user })), null, 'somebody has it');
});

test('visitors have no access to customers', async () => {
  assert.equal((await world.get('/customers')).body.code, 'not_authenticated');
  const unregistered = world.token([
    { mode: 'customer', providerId: world.meadow, customerId: await world.newCustomer({}, world.meadow) },
  ]);
  assert.equal(
    (await world.get('/customers', { as: unregistered, provider: world.harbour })).body.code,
    'mode_not_allowed',
  );
});

test('any staff member lists customers, but changing them takes the permission', async () => {
  const { id } = await enter();
  const anyone = world.staff([]);
  assert.equal((await world.get('/customers', { as: anyone })).status, 200);
  const refused = await world.patch(`/customers/${id}`, { as: anyone, body: { last_name: 'X' } });
  assert.equal(refused.body.code, 'permission_denied');
  assert.match(refused.body.message, /provider mode.*customers/);
  assert.equal(
    (await world.patch(`/customers/${id}`, { as: world.staff(['customers']), body: { last_name: 'X' } })).status,
    200,
  );
});

const ids = async (query: string) =>
  (await world.get(`/customers?fields=id&query=${encodeURIComponent(query)}`, { as: world.machine })).body.results.map(
    (r: any) => r.id,
  );

test('each word of a query is searched for in names and address, and special characters have no special meaning', async () => {
  const one = await enter({ first_name: 'Grace', last_name: 'Hopper' });
  await enter({ first_name: 'Grace', last_name: '100%' });
  assert.deepEqual(await ids('hop gra'), [one.id]);
  assert.equal((await ids('100%')).length, 1);
  assert.deepEqual(await ids('%'), await ids('100%'));
});

test('ages are filtered in years and fractions of them', async () => {
  world.setNow(Date.parse('2026-05-10T15:00Z'));
  const family = await enter();
  const child = async (date_of_birth: string): Promise<number> =>
    (
      await world.post(`/customers/${family.id}/add_child`, {
        as: world.machine,
        body: { first_name: 'Kid', last_name: 'King', date_of_birth },
      })
    ).body.id;
  const halfPastFive = await child('2020-11-10');
  const dayYounger = await child('2020-11-11');
  const six = await child('2020-05-10');
  const sixteen = await child('2009-05-11');
  const { body } = await world.get(`/customers/${family.id}`, { as: world.machine });
  const found = async (query: string): Promise<number[]> =>
    (
      await world.get(`/customers?fields=id&sort=id&family=${body.family}&${query}`, { as: world.machine })
    ).body.results.map((r: any) => r.id);
  assert.deepEqual(await found('age_gte=5.5'), [halfPastFive, six, sixteen]);
  assert.deepEqual(await found('age_lte=5.5'), [halfPastFive, dayYounger]);
  assert.deepEqual(await found('age_gte=6'), [six, sixteen]);
  assert.deepEqual(await found('age_lte=5'), [halfPastFive, dayYounger]);
  assert.deepEqual(await found('age_gte=6&age_lte=16'), [six, sixteen]);
  for (const wrong of ['-1', '201', 'five', '5,5']) {
    assert.ok((await world.get(`/customers?age_gte=${wrong}`, { as: world.machine })).body.field_errors.age_gte, wrong);
  }
  world.resetNow();
});

test('participants are distinguished from people who only manage a family', async () => {
  const manager = await enter();
  const kid = (
    await world.post(`/customers/${manager.id}/add_child`, {
      as: world.machine,
      body: { first_name: 'Kid', last_name: 'King' },
    })
  ).body;
  await world.put(`/customers/${manager.id}/participation`, { as: world.machine, body: { participating: false } });
  const found = async (participating: boolean) =>
    (await world.get(`/customers?fields=id&family=${kid.family}&participating=${participating}`, { as: world.machine }))
      .body.results;
  assert.deepEqual(await found(true), [{ id: kid.id }]);
  assert.deepEqual(await found(false), [{ id: manager.id }]);
});

test('another business’s id and an unknown id are indistinguishable', async () => {
  const { id } = await enter();
  const foreign = await world.get(`/customers/${id}`, { as: world.meadowMachine });
  const unknown = await world.get('/customers/999999999', { as: world.meadowMachine });
  const garbage = await world.get('/customers/abc', { as: world.meadowMachine });
  for (const answer of [foreign, unknown, garbage]) {
    assert.equal(answer.status, 404);
    assert.deepEqual(
      { ...answer.body, request_id: '' },
      { code: 'not_found', message: 'Not found.', type: 'not_found_error', field_errors: {}, request_id: '' },
    );
  }
});

test('a request repeated with the same key gets the first response', async () => {
  const headers = { 'idempotency-key': 'enter-ada-1' };
  const body = person();
  const first = await world.post('/customers', { as: world.machine, body, headers });
  const second = await world.post('/customers', { as: world.machine, body, headers });
  assert.equal(first.status, 201);
  assert.equal(second.text, first.text);
  assert.equal(second.headers.get('idempotent-replayed'), 'true');
  const other = await world.post('/customers', { as: world.machine, body: person(), headers });
  assert.equal(other.status, 422);
});

test('a version tag saves a read, and guards a write', async () => {
  const { id } = await enter();
  const read = await world.get(`/customers/${id}`, { as: world.machine });
  const tag = read.headers.get('etag')!;
  assert.equal(
    (await world.get(`/customers/${id}`, { as: world.machine, headers: { 'if-none-match': tag } })).status,
    304,
  );
  const change = (etag: string) =>
    world.patch(`/customers/${id}`, {
      as: world.machine,
      body: { last_name: `L${Math.random()}` },
      headers: { 'if-match': etag },
    });
  assert.equal((await change(tag)).status, 200);
  assert.equal((await change(tag)).status, 412);
});

const post = (body: object) => world.post('/customers', { as: world.machine, body });

test('names are enough to create a customer, and without an email address nobody is invited', async () => {
  const made = await post({ first_name: 'Joan', last_name: 'Clarke' });
  assert.deepEqual([made.status, made.body.email], [201, ''], made.text);
  const refused = await post({ first_name: 'Joan', last_name: 'Clarke', send_invitation_email: true });
  assert.deepEqual([refused.status, Object.keys(refused.body.field_errors)], [400, ['send_invitation_email']]);
});

test('the code of the customer who referred somebody is stored, and refused if it belongs to nobody', async () => {
  const friend = await enter();
  const made = await post(person({ referral_code: friend.referral_code.code.toLowerCase() }));
  assert.equal(made.status, 201, made.text);
  const [kept] = await world.work(world.harbour, ({ tx }) =>
    tx.rows(sql`SELECT upper(referred_by_code) AS code FROM customer WHERE id = ${made.body.id}`),
  );
  assert.deepEqual(kept, { code: friend.referral_code.code });
  assert.deepEqual(Object.keys((await post(person({ referral_code: 'NOBODY' }))).body.field_errors), ['referral_code']);
  assert.equal((await post(person({ referral_code: null }))).status, 201);
});

test('ids find these customers and no others, however a list is written, and empty lists find nobody', async () => {
  const [one, two] = await newCustomers(world, 2);
  const found = async (query: string) => {
    const { status, body, text } = await world.get(`/customers?fields=id&${query}`, { as: world.machine });
    assert.equal(status, 200, text);
    return body.results.map((c: any) => c.id);
  };
  // The list is in the order of ids, which two requests at the same time may get in either order.
  const both = [one, two].toSorted((a, b) => a - b);
  for (const written of [
    `ids=${one},${two}`,
    `ids=${one}&ids=${two}`,
    `ids[]=${one}&ids[]=${two}`,
    `ids[0]=${one}&ids[1]=${two}`,
  ])
    assert.deepEqual(await found(written), both, written);
  for (const nobody of [
    'ids=',
    'ids=&ids=',
    'ids[]=',
    `ids=&age_gte=`,
    `ids=${one}&query=no-such-name`,
    `ids=&deleted=false`,
  ])
    assert.deepEqual(await found(nobody), [], nobody);
  assert.deepEqual(await found(`ids=${one}&query=`), [one]);
});

test('a date may be sent as midnight, as written or at the business, and any other instant is refused', async () => {
  const days: [string, string][] = [
    ['1990-05-01', '1990-05-01'],
    ['1990-05-01T00:00:00Z', '1990-05-01'],
    ['1990-05-01T00:00:00.000Z', '1990-05-01'],
    ['1990-05-01T00:00:00+02:00', '1990-05-01'],
    ['1990-05-01T04:00:00Z', '1990-05-01'],
    ['1990-05-01T00:00', '1990-05-01'],
  ];
  for (const [date_of_birth, day] of days) {
    const made = await world.post('/customers?expand=date_of_birth', {
      as: world.machine,
      body: person({ date_of_birth }),
    });
    assert.equal(made.body.date_of_birth, day, `${date_of_birth}: ${made.text}`);
  }
  const none = ['1990-02-30', '1990-02-30T00:00:00Z', '1990-05-01T25:00Z', 'yesterday', 19_900_501];
  const times = ['1990-05-01T03:59:59Z', '1990-05-01T12:00', '1990-05-01T12:00:00Z', '1990-05-01T00:00:01'];
  for (const date_of_birth of [...none, ...times]) {
    assert.deepEqual(
      Object.keys((await post(person({ date_of_birth }))).body.field_errors ?? {}),
      ['date_of_birth'],
      String(date_of_birth),
    );
  }
});
