import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { billed, paid, payWith } from '../../money/invoices/test/invoicing.ts';
import { book, iso, newEvent, newPlace, row } from '../../../test/schedule-world.ts';
import { makeCustomer, newMember } from '../../../test/worlds/direct-auth-world.ts';
import { newOrder } from '../../commerce/store/test/seeds.ts';
import { seed } from '../../../test/seeds.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { idle, until } from '../../../test/storm.ts';
import { withNumber } from '../../../test/worlds/broadcast-world.ts';
import pg from 'pg';

const FIRST = 'Zyxwvia';
const LAST = 'Quillonbarg';
const EMAIL = 'zyxwvia.quillonbarg@unusual.example';
const OTHERS = 'Somebodyelse';

let world: World;
let owner: pg.Client;
before(async () => {
  world = await startWorld({ worker: true });
  owner = new pg.Client({ connectionString: world.databaseUrl });
  await owner.connect();
});
after(async () => {
  await owner.end();
  await world.close();
});

const rows = async (text: string, values: unknown[] = []): Promise<any[]> => (await owner.query(text, values)).rows;
const did = async (method: string, path: string, body?: unknown): Promise<any> => {
  const answer = await world.ask(method, path, { as: world.machine, body });
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
  return answer.body;
};

/** Creates everything that a person leaves behind at a business, through the interface where possible. */
async function somebody(): Promise<{ customer: number; user: number; phone: string; invoice: number }> {
  const member = await newMember(world);
  await rows('UPDATE user_account SET email = $2, email_key = $2, first_name = $3, last_name = $4 WHERE id = $1', [
    member.userId,
    EMAIL,
    FIRST,
    LAST,
  ]);
  const customer = await makeCustomer(world, { ...member, email: EMAIL });
  await did('PATCH', `/customers/${customer}`, { first_name: FIRST, last_name: LAST, date_of_birth: '1990-05-17' });
  const phone = await withNumber(world, customer);
  await did('POST', '/customer_notes', { customer, text: `${FIRST} ${LAST} likes the window. ${EMAIL}` });
  const note = await did('POST', '/customer_notes', { customer, text: `Call ${phone}` });
  await did('DELETE', `/customer_notes/${note.id}`);
  await did('POST', '/customer_tasks', { customer, title: `Call ${FIRST}`, description: phone });
  const place = await newPlace(world);
  const event = await newEvent(world, place);
  await book(world, event.id, customer);
  const invoice = await billed(world, customer);
  const [{ due }] = await rows('SELECT due_minor::int AS due FROM invoice WHERE id = $1', [invoice.id]);
  await payWith(world, customer, invoice.id, due);
  const order = await newOrder(world);
  await rows('UPDATE store_order SET customer_id = $2, note = $3, delivery_address = $4 WHERE id = $1', [
    order.order,
    customer,
    `For ${FIRST}`,
    `${FIRST} ${LAST}, 1 Main Street`,
  ]);
  await did('POST', '/communication/suppressions', { channel: 'email', address: EMAIL });
  await row(world, 'mail_outbox', {
    sender: 'studio@example.com',
    recipient: EMAIL,
    subject: `Hello ${FIRST}`,
    text_part: `Dear ${FIRST} ${LAST}`,
    html_part: '',
  });
  await row(world, 'message', {
    key: `test:${customer}`,
    channel: 'email',
    purpose: 'transactional',
    kind: 'booked',
    customer_id: customer,
    recipient: EMAIL,
    subject: `Hello ${FIRST}`,
    text_part: `Dear ${FIRST} ${LAST}, ${phone}`,
    status: 'sent',
    queued_at: iso(world.now),
    send_at: iso(world.now),
    sent_at: iso(world.now),
  });
  await row(world, 'sign_up', {
    email_key: EMAIL,
    is_opted_into_broadcast_messages: false,
    is_opted_into_sms_marketing: false,
    created_at: iso(world.now),
  });
  const { processor } = await paid(world, customer, 100);
  await row(world, 'payment_method', {
    customer_id: customer,
    payment_processor_id: processor,
    type: 'credit_card',
    token: `token-${customer}`,
    holder: `${FIRST} ${LAST}`,
    email: EMAIL,
    removed_at: iso(world.now),
    forgotten_at: iso(world.now),
  });
  // Bought by another customer for this person.
  await rows(
    `UPDATE gift_card SET recipient_id = NULL, recipient_email = $2, recipient_name = $3, voided_at = now(), void_explanation = 'x' WHERE id = $1`,
    [await seed(world, 'gift_card'), EMAIL, `${FIRST} ${LAST}`],
  );
  await world.ask('PATCH', `/customers/${customer}`, {
    as: world.machine,
    body: { last_name: LAST },
    headers: { 'idempotency-key': `erase-${customer}` },
  });
  // Repeats the request with a response of only the two names, in separate places.
  for (const accept of ['application/json', 'application/xml'])
    await world.ask('PATCH', `/customers/${customer}?fields=first_name,last_name`, {
      as: world.machine,
      body: { last_name: LAST },
      headers: { 'idempotency-key': `erase-${customer}-${accept}`, accept },
    });
  return { customer, user: member.userId, phone, invoice: invoice.id };
}

const has = ({ table, column }: { table: string; column: string }) =>
  `SELECT '${table.replace('public.', '')}.${column}' AS place WHERE EXISTS (SELECT FROM ${table} t, unnest($1::text[]) AS sought
     WHERE strpos(lower(t."${column}"::text), lower(sought)) > 0)`;

/** Returns every column in the whole database that contains one of these words, as `table.column`. */
async function placesOf(words: readonly string[]): Promise<string[]> {
  const columns = await rows(
    `SELECT format('%I.%I', n.nspname, c.relname) AS "table", a.attname AS "column" FROM pg_attribute a
     JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname IN ('public', 'graphile_worker') AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped
       AND a.atttypid IN ('text'::regtype, 'text[]'::regtype, 'jsonb'::regtype, 'json'::regtype, 'varchar'::regtype)`,
  );
  assert.ok(columns.length > 300);
  return (await rows(columns.map(has).join(' UNION ALL '), [words])).map(({ place }) => place).toSorted();
}

const sums = () =>
  rows('SELECT account, sum(amount_minor)::text AS sum FROM ledger_line WHERE provider_id = $1 GROUP BY 1 ORDER BY 1', [
    world.harbour,
  ]);

test('after an erasure, nothing in the whole database identifies the person, except where this is documented with a reason', async () => {
  const { customer, user, phone, invoice } = await somebody();
  const words = [FIRST, LAST, EMAIL, phone];
  const before = await placesOf(words);
  assert.ok(before.length > 15, before.join(', '));
  const erase = (query = '') => world.post(`/customers/${customer}/erase${query}`, { as: world.machine });

  const refused = await erase();
  assert.equal(refused.status, 409);
  assert.match(refused.body.message, /They have 1 upcoming booking: cancel them first\./);
  const [{ event }] = await rows('SELECT event_id::int AS event FROM attendance WHERE customer_id = $1', [customer]);
  await did('POST', `/events/${event}/unregister`, { customer });

  // Includes what the worker writes about it.
  await idle(owner);
  const planted = await placesOf(words);
  const preview = await erase('?dry_run=true');
  assert.equal(preview.status, 200, preview.text);
  assert.deepEqual(await placesOf(words), planted);
  assert.equal((await world.get(`/customers/${customer}`, { as: world.machine })).body.first_name, FIRST);
  const books = await sums();
  const done = await erase();
  assert.equal(done.status, 200, done.text);
  for (const what of ['notes', 'tasks', 'phone_numbers', 'sign_ups'])
    assert.ok(
      done.body.erased.some((one: any) => one.what === what),
      what,
    );
  for (const what of ['invoices', 'payments', 'bookings', 'messages', 'audit_entries'])
    assert.ok(
      done.body.kept.some((one: any) => one.what === what && one.why.length > 10 && one.count > 0),
      what,
    );
  assert.deepEqual(
    preview.body.kept.map(({ what }: any) => what),
    done.body.kept.map(({ what }: any) => what),
  );

  await until(
    'the log-in is gone',
    async () => (await rows('SELECT FROM user_account WHERE id = $1', [user])).length === 0,
  );
  // As they were issued; and so that nothing is sent to the address again.
  assert.deepEqual(await placesOf(words), ['invoice.parties', 'suppression.address']);
  assert.deepEqual(await sums(), books);
  const [kept] = await rows('SELECT status FROM invoice WHERE id = $1', [invoice]);
  assert.equal(kept.status, 'paid');

  const again = await erase();
  assert.equal(again.status, 200, again.text);
  assert.deepEqual(again.body.erased_at, done.body.erased_at);
  assert.ok(!again.body.erased.some((one: any) => one.what === 'notes'));
  const items = await rows(
    `SELECT kind, payload FROM feed_item WHERE provider_id = $1 AND object = 'customer' AND object_id = $2 AND kind IN ('customer.erased', 'customer.deleted') ORDER BY id`,
    [world.harbour, customer],
  );
  assert.deepEqual(
    items.map(({ kind }) => kind),
    ['customer.deleted', 'customer.erased'],
  );
  const [audited] = await rows(
    `SELECT after, before FROM audit_entry WHERE provider_id = $1 AND action = 'erase' AND object_id = $2 ORDER BY id LIMIT 1`,
    [world.harbour, customer],
  );
  assert.equal(audited.before, null);
  assert.ok(audited.after.erased.length > 3);
});

test('an address can be used again after its person was erased, and a login that is used elsewhere stays', async () => {
  const member = await newMember(world);
  const customer = await makeCustomer(world, member);
  await makeCustomer(world, member, world.meadow);
  await did('POST', `/customers/${customer}/erase`);
  assert.notEqual(await world.newCustomer({ email: member.email }), customer);
  // Jobs of a business run in order, so a later one finishes later.
  const other = await newMember(world);
  const alone = await makeCustomer(world, other);
  await did('POST', `/customers/${alone}/erase`);
  await until(
    'the later log-in is gone',
    async () => (await rows('SELECT FROM user_account WHERE id = $1', [other.userId])).length === 0,
  );
  assert.equal((await rows('SELECT FROM user_account WHERE id = $1', [member.userId])).length, 1);
});

test('everything unfinished is listed together with its remedies, and nothing is erased', async () => {
  const owned = (
    await world.get(`/customer_memberships/${await seed(world, 'customermembership')}`, { as: world.machine })
  ).body;
  const event = await newEvent(world, await newPlace(world), { max_occupancy: 1 });
  await book(world, event.id, await world.newCustomer());
  await did('POST', `/events/${event.id}/join_waitlist`, { customer: owned.customer });
  await billed(world, owned.customer);
  const { status, body } = await world.post(`/customers/${owned.customer}/erase`, { as: world.machine });
  assert.equal(status, 409);
  for (const part of [
    /1 spot on a waitlist: take/,
    /membership that has not ended: cancel/,
    /1 invoice that is not paid: take payment/,
  ])
    assert.match(body.message, part);
  const [row] = await rows('SELECT deleted_at, erased_at FROM customer WHERE id = $1', [owned.customer]);
  assert.deepEqual(row, { deleted_at: null, erased_at: null });
});

test('a parent can be erased after the children of the family', async () => {
  const parent = await world.newCustomer({ first_name: 'Ada', last_name: 'King' });
  const child = await did('POST', `/customers/${parent}/add_child`, { first_name: 'Byron', last_name: 'King' });
  const refused = await world.post(`/customers/${parent}/erase`, { as: world.machine });
  assert.match(refused.body.message, /1 child in their family: erase or delete the children first/);
  await did('POST', `/customers/${child.id}/erase`);
  await did('POST', `/customers/${parent}/erase`);
});

test('the database itself keeps an erased customer empty', async () => {
  const customer = await world.newCustomer();
  await did('POST', `/customers/${customer}/erase`);
  await assert.rejects(
    rows(`UPDATE customer SET email = 'back@example.com' WHERE id = $1`, [customer]),
    /customer_erased/,
  );
});

test('only super admins erase, and only customers of their own business', async () => {
  const customer = await world.newCustomer();
  const as = (token: string, id: number) => world.post(`/customers/${id}/erase`, { as: token });
  assert.equal((await as(world.staff(['customers', 'revenue']), customer)).body.code, 'permission_denied');
  assert.equal((await as(world.customer(customer), customer)).status, 403);
  assert.equal((await as(world.machine, await world.newCustomer({}, world.meadow))).status, 404);
  assert.equal((await as(world.machine, 999_999_999)).status, 404);
});

test('the data of a person has everything about them and nothing about others, and their own file has no staff notes', async () => {
  const customer = await world.newCustomer({ first_name: 'Grace', last_name: 'Hopper', email: 'grace@example.com' });
  const other = await world.newCustomer({ first_name: OTHERS, last_name: OTHERS, email: 'other@example.com' });
  await did('POST', '/customer_notes', { customer, text: 'Likes compilers' });
  await did('POST', '/customer_notes', { customer: other, text: `About ${OTHERS}` });
  const event = await newEvent(world, await newPlace(world));
  await book(world, event.id, customer);
  await book(world, event.id, other);
  const invoice = await billed(world, customer);
  await billed(world, other);
  const phone = await withNumber(world, customer);
  const ask = (as: string, id = customer) => world.get(`/customers/${id}/personal_data`, { as });
  const { status, headers, body, text } = await ask(world.machine);
  assert.equal(status, 200, text);
  assert.match(headers.get('content-disposition') ?? '', new RegExp(`personal-data-${customer}\\.json`));
  const data = typeof body === 'string' ? JSON.parse(body) : body;
  assert.deepEqual([data.business, data.customer, data.currency], [world.harbour, customer, 'CAD']);
  assert.deepEqual(
    data.profile.map((one: any) => [one.id, one.first_name, one.email]),
    [[customer, 'Grace', 'grace@example.com']],
  );
  assert.deepEqual(
    data.bookings.map((one: any) => [one.event_id, one.event_name, one.status]),
    [[event.id, 'Rowing', 'registered']],
  );
  assert.deepEqual(
    data.invoices.map((one: any) => one.id),
    [invoice.id],
  );
  assert.equal(data.phone_numbers[0].full_number, phone);
  assert.equal(data.notes[0].text, 'Likes compilers');
  assert.ok(!text.includes(OTHERS) && !text.includes('other@example.com'));

  const own = await ask(world.customer(customer));
  assert.equal(own.status, 200);
  const mine = typeof own.body === 'string' ? JSON.parse(own.body) : own.body;
  assert.equal(mine.notes, undefined);
  assert.deepEqual(mine.bookings, data.bookings);
  assert.equal((await ask(world.customer(other))).status, 404);
  assert.equal((await ask(world.staff(['customers']))).body.code, 'permission_denied');
  assert.equal((await ask(world.meadowMachine)).status, 404);
});
