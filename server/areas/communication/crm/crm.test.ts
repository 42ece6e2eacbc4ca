import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { book, newCustomers, newEvent, newPlace, row } from '../../../test/schedule-world.ts';
import { isWrite } from '../../../kernel/api/contract.ts';
import { seed } from '../../../test/seeds.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type Ask, type World } from '../../../test/world.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

async function done(
  method: 'post' | 'patch' | 'put' | 'delete' | 'get',
  path: string,
  body?: unknown,
  as = world.machine,
): Promise<any> {
  const answer = await world[method](path, { as, body } as Ask);
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
  return answer.body;
}

/** Returns feed items about customers since the last call, in the order in which they were written. */
let seen = 0;
async function recorded(): Promise<[kind: string, payload: any][]> {
  const rows = await world.work(world.harbour, ({ tx }) =>
    tx.rows<{ id: number; kind: string; payload: unknown }>(
      sql`SELECT id, kind, payload FROM feed_item WHERE provider_id = ${world.harbour} AND id > ${seen} ORDER BY id`,
    ),
  );
  seen = rows.at(-1)?.id ?? seen;
  return rows.map((r) => [r.kind, r.payload]);
}

test('the first status is the default, and every new customer has the default, however they are created', async () => {
  const before_ = await world.newCustomer();
  const lead = await done('post', '/customer_statuses', { name: 'Lead', color: '#AA0000' });
  assert.deepEqual([lead.slug, lead.is_default, lead.color, lead.position], ['lead', true, '#aa0000', 0]);
  const statusOf = async (id: number) => (await done('get', `/customers/${id}?fields=status`)).status;
  assert.equal(await statusOf(before_), null);
  const entered = await done('post', '/customers', {
    first_name: 'Ada',
    last_name: 'King',
    email: 'ada.king@example.com',
  });
  assert.equal(entered.status, 'lead');
  assert.equal(await statusOf(await world.newCustomer()), 'lead');
  const [plain] = await world.work(world.harbour, ({ tx }) =>
    tx.rows<{ id: number }>(
      sql`INSERT INTO customer (provider_id, email) VALUES (${world.harbour}, 'imported@example.com') RETURNING id`,
    ),
  );
  assert.equal(await statusOf(plain.id), 'lead');
  const member = await done('post', '/customer_statuses', { name: 'Member', is_default: true });
  assert.equal((await done('get', `/customer_statuses/${lead.id}`)).is_default, false);
  assert.equal(await statusOf(await world.newCustomer()), 'member');
  const refused = await world.patch(`/customer_statuses/${member.id}`, {
    as: world.machine,
    body: { is_default: false },
  });
  assert.ok(refused.body.field_errors.is_default);
  const elsewhere = await world.newCustomer({}, world.meadow);
  assert.equal(
    (await world.get(`/customers/${elsewhere}?fields=status`, { as: world.meadowMachine })).body.status,
    null,
  );
});

test('statuses have an order and a slug that never changes, and no two share one', async () => {
  const trial = await done('post', '/customer_statuses', { name: 'On trial', position: 1000 });
  assert.equal(trial.slug, 'on_trial');
  const again = await world.post('/customer_statuses', { as: world.machine, body: { name: 'On Trial!' } });
  assert.deepEqual(
    [again.status, again.body.code, Object.keys(again.body.field_errors)],
    [409, 'already_exists', ['slug']],
  );
  const renamed = await done('patch', `/customer_statuses/${trial.id}`, { name: 'Trying out', position: 2 });
  assert.deepEqual([renamed.name, renamed.slug], ['Trying out', 'on_trial']);
  const strict = { as: world.machine, body: { slug: 'other' }, headers: { prefer: 'handling=strict' } };
  assert.equal((await world.patch(`/customer_statuses/${trial.id}`, strict)).status, 400);
  const positions = (await done('get', '/customer_statuses')).results.map((s: any) => s.position);
  assert.deepEqual(
    positions,
    positions.toSorted((a: number, b: number) => a - b),
  );
  const unnamed = await world.post('/customer_statuses', { as: world.machine, body: { name: '会員' } });
  assert.ok(unnamed.body.field_errors.slug);
});

test('setting a status records the old and the new one, and setting it again records nothing', async () => {
  const [one, two] = [
    await done('post', '/customer_statuses', { name: 'One' }),
    await done('post', '/customer_statuses', { name: 'Two' }),
  ];
  const customer = await world.newCustomer();
  await done('post', `/customers/${customer}/set_status`, { status: one.id });
  await recorded();
  assert.equal((await done('post', `/customers/${customer}/set_status`, { status: two.id })).status, 'two');
  await done('post', `/customers/${customer}/set_status`, { status: two.id });
  await done('post', `/customers/${customer}/set_status`, { status: null });
  assert.deepEqual(await recorded(), [
    ['customer_status.changed', { customer, from: 'one', to: 'two', by: 'staff', workflow_run: null }],
    ['customer_status.changed', { customer, from: 'two', to: null, by: 'staff', workflow_run: null }],
  ]);
  const preview = await done('post', `/customers/${customer}/set_status?dry_run=true`, { status: one.id });
  assert.deepEqual(
    preview.effects.map((e: any) => [e.effect, e.detail]),
    [['status_changed', { from: null, to: 'one' }]],
  );
  assert.deepEqual(await recorded(), []);
});

test('a status that customers have can be deleted with a replacement, and the feed records each change', async () => {
  const [old, other] = [
    await done('post', '/customer_statuses', { name: 'Old' }),
    await done('post', '/customer_statuses', { name: 'New' }),
  ];
  const customers = [await world.newCustomer(), await world.newCustomer()];
  for (const customer of customers) await done('post', `/customers/${customer}/set_status`, { status: old.id });
  await recorded();
  const refused = await world.delete(`/customer_statuses/${old.id}`, { as: world.machine });
  assert.deepEqual([refused.status, refused.body.code], [409, 'in_use']);
  assert.match(refused.body.message, /^2 customers/);
  assert.equal(
    (await world.delete(`/customer_statuses/${old.id}?replacement=${old.id}`, { as: world.machine })).status,
    400,
  );
  assert.deepEqual(await recorded(), []);
  await done('delete', `/customer_statuses/${old.id}?replacement=${other.id}`);
  const items = await recorded();
  assert.deepEqual(
    items
      .slice(0, 2)
      .map(([kind, p]) => [kind, p.customer, p.from, p.to, p.by])
      .toSorted(),
    customers.map((id) => ['customer_status.changed', id, 'old', 'new', 'deletion']).toSorted(),
  );
  assert.deepEqual(items.slice(2), [['customer_status.deleted', { customer_status: old.id }]]);
  const default_ = (await done('get', '/customer_statuses')).results.find((s: any) => s.is_default);
  assert.equal(
    (await world.delete(`/customer_statuses/${default_.id}?replacement=${other.id}`, { as: world.machine })).status,
    409,
  );
});

test('a label is added once and removed once, and the feed records it', async () => {
  const label = await done('post', '/customer_labels', { name: 'Early bird' });
  const customer = await world.newCustomer();
  await recorded();
  for (let i = 0; i < 2; i++) await done('post', `/customers/${customer}/add_label`, { label: label.id });
  assert.deepEqual(
    (await done('get', `/customers/${customer}?expand=labels`)).labels.map((l: any) => l.slug),
    ['early_bird'],
  );
  for (let i = 0; i < 2; i++) await done('post', `/customers/${customer}/remove_label`, { label: label.id });
  const payload = { customer, customer_label: label.id, label: 'early_bird', workflow_run: null };
  assert.deepEqual(await recorded(), [
    ['customer_label.added', payload],
    ['customer_label.removed', payload],
  ]);
  await done('patch', `/customer_labels/${label.id}`, { archived: true });
  const archived = await world.post(`/customers/${customer}/add_label`, {
    as: world.machine,
    body: { label: label.id },
  });
  assert.ok(archived.body.field_errors.label);
  const foreign = await seed(world, 'customer_label', world.meadow);
  assert.ok(
    (await world.post(`/customers/${customer}/add_label`, { as: world.machine, body: { label: foreign } })).body
      .field_errors.label,
  );
});

test('a customer shows the slug of the status, and the status itself when that is expanded', async () => {
  const status = await done('post', '/customer_statuses', { name: 'Converted' });
  const customer = await world.newCustomer();
  await done('post', `/customers/${customer}/set_status`, { status: 'converted' });
  assert.equal((await done('get', `/customers/${customer}`)).status, 'converted');
  assert.deepEqual(
    (await done('get', `/customers/${customer}?fields=status&expand=status`)).status,
    await done('get', `/customer_statuses/${status.id}`),
  );
  assert.deepEqual(await done('get', `/customers/${customer}?fields=status.name`), { status: { name: 'Converted' } });
  await done('post', `/customers/${customer}/set_status`, { status: null });
  assert.deepEqual(await done('get', `/customers/${customer}?fields=status&expand=status`), { status: null });
});

test('set_status takes a slug or an id, and refuses anything else by name', async () => {
  const status = await done('post', '/customer_statuses', { name: 'Visiting' });
  const customer = await world.newCustomer();
  for (const sent of ['visiting', status.id, String(status.id)]) {
    await done('post', `/customers/${customer}/set_status`, { status: null });
    assert.equal((await done('post', `/customers/${customer}/set_status`, { status: sent })).status, 'visiting');
  }
  for (const sent of ['visting', 'No Slug', 10 ** 9, 'null', true]) {
    const refused = await world.post(`/customers/${customer}/set_status`, {
      as: world.machine,
      body: { status: sent },
    });
    assert.deepEqual([refused.status, Object.keys(refused.body.field_errors)], [400, ['status']], String(sent));
  }
  const theirs = await world.post(`/customers/${customer}/set_status`, {
    as: world.meadowMachine,
    body: { status: status.id },
  });
  assert.equal(theirs.status, 404);
});

test('customers are found by the slugs and ids of statuses, and by `null` for none', async () => {
  const [here, there] = [
    await done('post', '/customer_statuses', { name: 'Found here' }),
    await done('post', '/customer_statuses', { name: 'Found there' }),
  ];
  // A slug that reads like the id of another status is still a slug.
  const confusing = await done('post', '/customer_statuses', { name: 'Confusing', slug: String(here.id) });
  const [a, b, none, odd] = [
    await world.newCustomer(),
    await world.newCustomer(),
    await world.newCustomer(),
    await world.newCustomer(),
  ];
  for (const [customer, status] of [
    [a, here.slug],
    [b, there.slug],
    [none, null],
    [odd, confusing.slug],
  ] as const)
    await done('post', `/customers/${customer}/set_status`, { status });
  const found = async (status: string) =>
    (await done('get', `/customers?ids=${[a, b, none, odd]}&fields=id&status=${status}`)).results.map((c: any) => c.id);
  assert.deepEqual(await found('found_here'), [a]);
  assert.deepEqual(await found('found_here,found_there'), [a, b]);
  assert.deepEqual(await found('null'), [none]);
  assert.deepEqual(await found('found_there,null'), [b, none]);
  assert.deepEqual(await found(`${there.id},null`), [b, none]);
  assert.deepEqual(await found(String(here.id)), [odd]);
  assert.deepEqual(await found('found_nowhere'), []);
  assert.deepEqual(await found(''), [a, b, none, odd]);
  const wrong = await world.get('/customers?status=Found%20here', { as: world.machine });
  assert.deepEqual(
    [wrong.status, wrong.body.code, Object.keys(wrong.body.field_errors)],
    [400, 'parameter_invalid', ['status']],
  );
});

test('no status can be called `null`, which means none', async () => {
  for (const body of [{ name: 'Null' }, { name: 'Nothing', slug: 'null' }]) {
    const refused = await world.post('/customer_statuses', { as: world.machine, body });
    assert.deepEqual([refused.status, Object.keys(refused.body.field_errors)], [400, ['slug']]);
  }
});

test('customers are found by status and by labels, and sorted by the order of statuses', async () => {
  const [a, b] = [
    await done('post', '/customer_labels', { name: 'A' }),
    await done('post', '/customer_labels', { name: 'B' }),
  ];
  const [first, second] = [
    await done('post', '/customer_statuses', { name: 'Sorted first', position: 1 }),
    await done('post', '/customer_statuses', { name: 'Sorted second', position: 2 }),
  ];
  const [x, y] = [await world.newCustomer(), await world.newCustomer()];
  await done('post', `/customers/${x}/set_status`, { status: second.id });
  await done('post', `/customers/${y}/set_status`, { status: first.id });
  await done('post', `/customers/${x}/add_label`, { label: a.id });
  await done('post', `/customers/${x}/add_label`, { label: b.id });
  await done('post', `/customers/${y}/add_label`, { label: a.id });
  const found = async (query: string) =>
    (await done('get', `/customers?fields=id&${query}`)).results.map((c: any) => c.id);
  assert.deepEqual(await found(`label=${a.id}`), [x, y]);
  assert.deepEqual(await found(`labels=${a.id},${b.id}`), [x]);
  assert.deepEqual(await found(`status=${first.id},${second.id}&sort=status`), [y, x]);
  assert.deepEqual(await found(`status=${first.id},${second.id}&sort=-status`), [x, y]);
});

// Guards against: A customer sees or guesses what a business thinks of them
test('a business’s opinions about its customers are hidden from everyone without the permission, and cannot be guessed', async () => {
  const [status, label] = [
    await done('post', '/customer_statuses', { name: 'Difficult' }),
    await done('post', '/customer_labels', { name: 'Complains' }),
  ];
  const customer = await world.newCustomer();
  await done('post', `/customers/${customer}/set_status`, { status: status.id });
  await done('post', `/customers/${customer}/add_label`, { label: label.id });
  const note = await done('post', '/customer_notes', { customer, text: 'Complained' });
  for (const as of [world.customer(customer), world.staff(['attendances'])]) {
    const { body } = await world.get(`/customers/${customer}?fields=status,labels`, { as });
    assert.deepEqual(body, { status: null, labels: [] });
    assert.deepEqual(
      (await world.get(`/customers/${customer}?expand=status,labels&fields=status,labels`, { as })).body,
      { status: null, labels: [] },
    );
    for (const query of [
      `status=${status.id}`,
      `status=${status.slug}`,
      'status=null',
      `label=${label.id}`,
      `labels=${label.id}`,
    ])
      assert.equal((await world.get(`/customers?${query}`, { as })).body.count, 0, query);
    for (const path of [
      '/customer_statuses',
      '/customer_labels',
      '/customer_notes',
      '/customer_tasks',
      `/customer_notes/${note.id}`,
    ])
      assert.equal((await world.get(path, { as })).status, 403, path);
    for (const path of [`/customers/${customer}/set_status`, `/customers/${customer}/add_label`])
      assert.equal((await world.post(path, { as, body: {} })).status, 403, path);
  }
  const carer = world.staff(['customers']);
  assert.deepEqual((await world.get(`/customers/${customer}?fields=status,labels`, { as: carer })).body, {
    status: status.slug,
    labels: [label.id],
  });
  assert.equal((await world.post('/customer_labels', { as: carer, body: { name: 'Mine' } })).status, 403);
});

test('a note keeps its author and its time, and the feed records that it exists but not its text', async () => {
  const customer = await world.newCustomer();
  const staff = await seed(world, 'staff');
  const [me, other] = [world.staff(['customers'], staff), world.staff(['customers'], await seed(world, 'staff'))];
  await recorded();
  const call = await done(
    'post',
    '/customer_notes',
    { customer, kind: 'call', text: 'Asked about rowing', at: '2026-05-01T10:00:00-04:00' },
    me,
  );
  assert.deepEqual([call.author, call.kind, call.at, call.pinned], [staff, 'call', '2026-05-01T10:00:00-04:00', false]);
  const changed = await done('patch', `/customer_notes/${call.id}`, { pinned: true }, other);
  assert.deepEqual([changed.author, changed.pinned, changed.text], [staff, true, 'Asked about rowing']);
  await done('delete', `/customer_notes/${call.id}`, undefined, other);
  assert.deepEqual(await recorded(), [
    ['customer_note.created', { customer_note: call.id, customer }],
    ['customer_note.updated', { customer_note: call.id, customer, changed: ['pinned'] }],
    ['customer_note.deleted', { customer_note: call.id, customer }],
  ]);
  const future = await world.post('/customer_notes', {
    as: me,
    body: { customer, text: 'x', at: '2999-01-01T00:00:00Z' },
  });
  assert.ok(future.body.field_errors.at);
});

test('a task is completed once, by whom and when, and may be reopened', async () => {
  const customer = await world.newCustomer();
  const staff = await seed(world, 'staff');
  const me = world.staff(['customers'], staff);
  const task = await done(
    'post',
    '/customer_tasks',
    { customer, title: 'Call back', due_date: '2026-05-02', assignee: staff },
    me,
  );
  assert.deepEqual([task.done_at, task.done_by, task.assignee], [null, null, staff]);
  await recorded();
  const [first, second] = [
    await done('post', `/customer_tasks/${task.id}/complete`, {}, me),
    await done('post', `/customer_tasks/${task.id}/complete`, {}),
  ];
  assert.equal(first.done_by, staff);
  assert.deepEqual(second, first);
  assert.equal((await done('get', `/customer_tasks?customer=${customer}&done=false`)).count, 0);
  const open = await done('post', `/customer_tasks/${task.id}/reopen`, {}, me);
  assert.deepEqual([open.done_at, open.done_by], [null, null]);
  assert.equal(
    (await done('get', `/customer_tasks?customer=${customer}&done=false&due_before=2026-05-03&assignee=${staff}`))
      .count,
    1,
  );
  assert.equal((await done('get', `/customer_tasks?customer=${customer}&due_before=2026-05-02`)).count, 0);
  const of = { customer_task: task.id, customer };
  assert.deepEqual(await recorded(), [
    ['customer_task.done', of],
    ['customer_task.reopened', of],
  ]);
});

test('every write of this area has a dry run, which returns the result and commits nothing', async () => {
  const customer = await world.newCustomer();
  await recorded();
  const effects = async (path: string, body: object) =>
    (await done('post', `${path}?dry_run=true`, body)).effects.map((e: any) => e.effect);
  assert.deepEqual(await effects('/customer_tasks', { customer, title: 'x' }), ['task_created']);
  assert.deepEqual(await effects('/customer_statuses', { name: 'Tried' }), ['customer_status.created']);
  assert.deepEqual(await recorded(), []);
  assert.ok(!(await done('get', '/customer_statuses?page_size=100')).results.some((s: any) => s.name === 'Tried'));
  const writes = world.app.registry.endpoints
    .filter(isWrite)
    .filter((e) => e.area === 'crm' && e.method !== 'DELETE' && !e.path.endsWith('/simulate'));
  assert.ok(writes.length > 20);
  for (const { method, path, dryRun } of writes) assert.equal(dryRun, undefined, `${method} ${path}`);
});

test('customers who can be deleted are those without bookings, visits, waitlist spots, memberships and a family to manage', async () => {
  const place = await newPlace(world);
  const [free, booked, cancelled, waits, came, manager] = await newCustomers(world, 6);
  const member = await world.newCustomer({ date_of_birth: '1990-05-01' });
  const child = (await done('post', `/customers/${manager}/add_child`, { first_name: 'Kid', last_name: 'King' })).id;
  const [event, full] = [await newEvent(world, place), await newEvent(world, place, { in: 48, max_occupancy: 1 })];
  await book(world, event.id, booked);
  await book(world, event.id, cancelled);
  await done('post', `/events/${event.id}/unregister`, { customer: cancelled });
  await book(world, full.id, booked);
  await done('post', `/events/${full.id}/join_waitlist`, { customer: waits });
  await row(world, 'checkin', { customer_id: came, venue_id: place.venue, checkin_date: '2026-05-01' });
  await done('post', '/customer_memberships', { customer: member, membership: await seed(world, 'membership') });
  const all = [free, booked, cancelled, waits, came, member, manager, child];
  const found = async (can: boolean): Promise<number[]> =>
    (
      await world.get(`/customers?fields=id&sort=id&ids=${all.join()}&can_delete=${can}`, { as: world.machine })
    ).body.results.map((r: any) => r.id);
  assert.deepEqual(
    await found(true),
    [free, cancelled, child].toSorted((a, b) => a - b),
  );
  assert.deepEqual(
    await found(false),
    [booked, waits, came, manager, member].toSorted((a, b) => a - b),
  );
});

test('if many add the same label at the same time, it is added once', async () => {
  const label = await done('post', '/customer_labels', { name: 'Once' });
  const customer = await world.newCustomer();
  await recorded();
  await Promise.all(
    Array.from({ length: 8 }, () => done('post', `/customers/${customer}/add_label`, { label: label.id })),
  );
  assert.equal((await recorded()).length, 1);
});

test('exactly one of several statuses that are made the default at the same time becomes it', async () => {
  const made = await Promise.all(
    Array.from({ length: 6 }, (_, i) => done('post', '/customer_statuses', { name: `Default ${i}`, is_default: true })),
  );
  assert.equal(made.length, 6);
  assert.equal(
    (await done('get', '/customer_statuses?page_size=100')).results.filter((s: any) => s.is_default).length,
    1,
  );
});
