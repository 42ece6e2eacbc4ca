import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  book,
  feedEnd,
  feedSince,
  iso,
  newCustomers,
  newEvent,
  newPlace,
  row,
} from '../../../../test/schedule-world.ts';
import { MembershipWorld } from '../../../../test/worlds/membership-world.ts';
import { seed } from '../../../../test/seeds.ts';
import { beside, until } from '../../../../test/storm.ts';
import { startWorld, type ApiAnswer, type World } from '../../../../test/world.ts';

let world: World;
before(async () => {
  world = await startWorld({ worker: true });
});
after(() => world.close());

const start = (ids: number[], query = '', as = world.machine) =>
  world.post(`/customers/bulk_delete${query}`, { as, body: { customers: { ids } } });

async function results(answer: {
  body: { id: number; job: number };
}): Promise<[id: number, status: string, why: string | null][]> {
  await until('the job is done', async () => {
    const { body } = await world.get(`/jobs/${answer.body.job}`, { as: world.machine });
    return body.complete_items === body.total_items;
  });
  const { body } = await world.get(`/bulk_actions/${answer.body.id}/results`, { as: world.machine });
  return body.results.map((r: any) => [r.primary_object, r.status, r.error_message]);
}

const listed = async (query: string): Promise<number[]> =>
  (await world.get(`/customers?fields=id&page_size=100&${query}`, { as: world.machine })).body.results.map(
    (r: any) => r.id,
  );

test('customers without bookings, memberships and children are deleted, and each of the others remains with a reason in its result', async () => {
  const [free, booked, waiting, paying] = await newCustomers(world, 4);
  const event = await newEvent(world, await newPlace(world), { max_occupancy: 1 });
  await book(world, event.id, booked);
  await world.post(`/events/${event.id}/join_waitlist`, { as: world.machine, body: { customer: waiting } });
  await row(world, 'seat_hold', {
    event_id: (await newEvent(world, await newPlace(world))).id,
    customer_id: paying,
    held_for: 'checkout_item',
    held_for_id: 1,
    expires_at: iso(world.now + 900_000),
  });
  const owned = (
    await world.get(`/customer_memberships/${await seed(world, 'customermembership')}`, { as: world.machine })
  ).body;
  const parent = await world.newCustomer({ first_name: 'Ada', last_name: 'King' });
  await world.post(`/customers/${parent}/add_child`, {
    as: world.machine,
    body: { first_name: 'Byron', last_name: 'King' },
  });
  const from = await feedEnd(world);
  const all = [
    free,
    booked,
    waiting,
    paying,
    owned.customer,
    owned.shared_with[0].customer ?? owned.shared_with[0],
    parent,
  ];
  const said = await results(await start(all));
  assert.deepEqual(
    said.map(([id, status]) => [id, status]),
    all.map((id) => [id, id === free ? 'success' : 'error']),
  );
  const why = said.map(([, , message]) => message ?? '');
  [
    /^$/,
    / has 1 booking, and can’t/,
    / has 1 spot on a waitlist,/,
    / has 1 seat held for a payment,/,
    / has 1 membership,/,
    / has 1 shared membership,/,
    /^Ada King has 1 family member to manage,/,
  ].forEach((expected, i) => assert.match(why[i], expected));
  assert.deepEqual(
    await listed(`ids=${all.join()}`),
    all.filter((id) => id !== free).toSorted((a, b) => a - b),
  );
  assert.deepEqual(await listed(`ids=${all.join()}&deleted=true`), [free]);
  const recorded = await feedSince(world, from);
  assert.deepEqual(
    recorded.filter(({ kind }: { kind: string }) => kind === 'customer.deleted').map((item: any) => item.payload),
    [{ customer: free }],
  );
});

test('a plain list of ids is accepted, and so is the form that existing dashboards send', async () => {
  const [one, other] = await newCustomers(world, 2);
  const body = { customers: [one, other], cancel_active_memberships: false, cancel_pending_payments: false };
  const answer = await world.post('/customers/bulk_delete', { as: world.machine, body });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(
    (await results(answer)).map(([id, status]) => [id, status]),
    [
      [one, 'success'],
      [other, 'success'],
    ],
  );
  const foreign = await world.newCustomer({}, world.meadow);
  const refused = await world.post('/customers/bulk_delete', { as: world.machine, body: { customers: [foreign] } });
  assert.deepEqual([refused.status, Object.keys(refused.body.field_errors)], [400, ['customers.ids']]);
});

test('with their memberships cancelled and their debts voided, customers are deleted who would otherwise be kept', async () => {
  const m = await MembershipWorld.of(world);
  const [member, owes, booked] = await newCustomers(world, 3);
  const pack = await m.pack(5);
  const held = (await m.give(member, pack)).id;
  const heldToo = (await m.give(booked, pack)).id;
  const charge = await world.post('/account_entries', {
    as: world.machine,
    body: { customer: owes, kind: 'charge', amount: '12.00', explanation: 'Lost key' },
  });
  assert.equal(charge.status, 201, charge.text);
  await book(world, (await newEvent(world, await newPlace(world))).id, booked);
  const all = [member, owes, booked];
  const send = (flags: object, query = '') =>
    world.post(`/customers/bulk_delete${query}`, { as: world.machine, body: { customers: { ids: all }, ...flags } });
  const statusOf = async (id: number) =>
    (await world.get(`/customer_memberships/${id}`, { as: world.machine })).body.is_set_for_cancellation;
  assert.deepEqual(
    (await results(await send({}))).map(([, status]) => status),
    ['error', 'error', 'error'],
  );
  const both = { cancel_active_memberships: true, cancel_pending_payments: true };
  const preview = await send(both, '?dry_run=true');
  assert.deepEqual(
    preview.body.effects
      .filter(({ effect }: any) => effect.startsWith('customer_') || effect === 'cancellation_scheduled')
      .map(({ effect, id }: any) => [effect, id]),
    [
      ['customer_deleted', member],
      ['cancellation_scheduled', held],
      ['customer_deleted', owes],
      ['customer_kept', booked],
    ],
  );
  assert.equal(await statusOf(held), false);
  const said = await results(await send(both));
  assert.deepEqual(
    said.map(([id, status]) => [id, status]),
    [
      [member, 'success'],
      [owes, 'success'],
      [booked, 'error'],
    ],
  );
  assert.match(said[2][2]!, /has 1 booking, and can’t be deleted/);
  // A customer who is kept keeps everything.
  assert.deepEqual([await statusOf(held), await statusOf(heldToo)], [true, false]);
  const { body: entry } = await world.get(`/account_entries/${charge.body.id}`, { as: world.machine });
  assert.equal(entry.status, 'voided');
});

test('an address is free again once its customer is deleted, and a second deletion is reported', async () => {
  const email = 'again@example.com';
  const id = await world.newCustomer({ email });
  assert.equal((await results(await start([id])))[0][1], 'success');
  assert.match((await results(await start([id])))[0][2] ?? '', /already been deleted/);
  assert.notEqual(await world.newCustomer({ email }), id);
});

test('a dry run shows who would be deleted and who remains, and only super admins delete, only customers of their own business', async () => {
  const [free, booked] = await newCustomers(world, 2);
  await book(world, (await newEvent(world, await newPlace(world))).id, booked);
  const { body } = await start([free, booked], '?dry_run=true');
  assert.deepEqual(
    body.effects.map((e: any) => [e.effect, e.id]),
    [
      ['customer_deleted', free],
      ['customer_kept', booked],
    ],
  );
  assert.deepEqual(await listed(`ids=${free}`), [free]);
  assert.equal((await start([free], '', world.staff(['customers']))).body.code, 'permission_denied');
  const foreign = await world.newCustomer({}, world.meadow);
  assert.equal((await start([free, foreign])).status, 400);
  assert.deepEqual(await listed(`ids=${free}`), [free]);
});

/**
 * Returns the response to a request that arrives while a deletion of the customer is in progress, which then commits.
 */
async function whileDeleting(customer: number, act: () => Promise<ApiAnswer>): Promise<ApiAnswer> {
  const client = await beside(world.databaseUrl);
  const mine = [world.harbour, customer];
  await client.query('BEGIN');
  await client.query('SELECT FROM customer WHERE provider_id = $1 AND id = $2 FOR UPDATE', mine);
  const asked = act();
  const watcher = await beside(world.databaseUrl);
  await until('it waits for the deletion', async () => {
    const { rows } = await watcher.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows.length > 0;
  });
  await client.query('UPDATE customer SET deleted_at = now() WHERE provider_id = $1 AND id = $2', mine);
  await client.query('COMMIT');
  const answer = await asked;
  const { rows } = await watcher.query(
    `SELECT FROM attendance WHERE provider_id = $1 AND customer_id = $2 UNION ALL SELECT FROM waitlist_spot
      WHERE provider_id = $1 AND customer_id = $2`,
    mine,
  );
  assert.equal(rows.length, 0, 'nothing is written for a customer who is gone');
  await Promise.all([client.end(), watcher.end()]);
  return answer;
}

test('nobody books or joins a waitlist for a customer whose deletion commits in the meantime, with or without a membership', async () => {
  const place = await newPlace(world);
  const [event, full] = [await newEvent(world, place), await newEvent(world, place, { max_occupancy: 1 })];
  const [one, other, taken] = await newCustomers(world, 3);
  await book(world, full.id, taken);
  const member = (
    await world.get(`/customer_memberships/${await seed(world, 'customermembership')}`, { as: world.machine })
  ).body.customer as number;
  for (const customer of [one, member]) {
    const { status, body } = await whileDeleting(customer, () => book(world, event.id, customer));
    assert.deepEqual([status, Object.keys(body.field_errors ?? {})], [400, ['customer']]);
  }
  const waits = await whileDeleting(other, () =>
    world.post(`/events/${full.id}/join_waitlist`, { as: world.machine, body: { customer: other } }),
  );
  assert.deepEqual([waits.status, Object.keys(waits.body.field_errors)], [400, ['customer']]);
});
