import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { bulkJob } from '../../../platform/bulk/index.ts';
import { editPrices } from './price-edit.ts';
import { feedEnd, feedSince, newCustomers } from '../../../../test/schedule-world.ts';
import { MembershipWorld } from '../../../../test/worlds/membership-world.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { until } from '../../../../test/storm.ts';

let world: World;
let m: MembershipWorld;
before(async () => {
  world = await startWorld({ worker: true });
  m = await MembershipWorld.of(world);
  world.setNow(Date.parse('2026-02-15T15:00Z'));
});
after(() => world.close());

const edit = (body: object, query = '', as = world.machine) =>
  world.post(`/customer_memberships/bulk_edit_prices${query}`, { as, body });
const extend = (body: object, query = '', as = world.machine) =>
  world.put(`/customer_memberships/bulk_extend_expiration_dates${query}`, { as, body });
const get = async (path: string) => (await world.get(path, { as: world.machine })).body;
const priceOf = async (id: number): Promise<string> => (await get(`/customer_memberships/${id}`)).billed_price.string;

/** Returns the results of an action when it is done. */
async function done(action: number): Promise<any[]> {
  const { job } = await get(`/bulk_actions/${action}`);
  await until('the action is done', async () => {
    const { total_items, complete_items } = await get(`/jobs/${job}`);
    return total_items === complete_items;
  });
  return (await get(`/bulk_actions/${action}/results`)).results;
}

const jobs = () => world.work(world.harbour, ({ tx }) => tx.one<{ n: number }>(sql`SELECT count(*) AS n FROM job`));

const holders = async (
  n: number,
  over: object = {},
  membership?: number,
): Promise<{ membership: number; owned: any[] }> => {
  const of = membership ?? (await m.recurring()).membership;
  const owned = [];
  for (const customer of await newCustomers(world, n))
    owned.push(await m.give(customer, of, { start_date: '2026-01-31', ...over }));
  return { membership: of, owned };
};

test('all holders of a membership get a new price with one call, each with their own result, and the first of them is returned', async () => {
  const { membership, owned } = await holders(3);
  const since = await feedEnd(world);
  const answer = await edit({ membership, billed_price: '45.00' });
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.body.id, owned[0].id);
  assert.deepEqual(answer.body.shared_with, []);
  const results = await done(answer.body.price_edit);
  assert.deepEqual(
    results.map((r) => [r.primary_object, r.status, r.error_message]),
    owned.map((h) => [h.id, 'success', null]),
  );
  for (const { id } of owned) assert.equal(await priceOf(id), '45.00');
  const feedItems = (await feedSince(world, since)).filter((f) => f.kind === 'customer_membership.price_changed');
  assert.deepEqual(
    feedItems.map((f) => f.payload),
    owned.map((h) => ({
      customer_membership: h.id,
      customer: h.customer,
      before: '40.00',
      after: '45.00',
      from: '2026-02-28',
    })),
  );
  const audited = await get(`/audit_entries?object=customermembership&object_id=${owned[0].id}`);
  assert.deepEqual(
    audited.results.map((e: any) => [e.before?.billed_price_minor, e.after.billed_price_minor]),
    [
      [4000, 4500],
      [undefined, 4000],
    ],
  );
});

test('a change by percent or by amount is computed from each holder’s agreed price', async () => {
  const { membership, owned } = await holders(1);
  const dearer = (await holders(1, { billed_price: '60.00' }, membership)).owned;
  await done((await edit({ membership, change: { percent: 2.5 } })).body.price_edit);
  await done((await edit({ membership, change: { amount: '-1.00' } })).body.price_edit);
  assert.deepEqual([await priceOf(owned[0].id), await priceOf(dearer[0].id)], ['40.00', '60.50']);
});

test('a price that cannot be changed has its own error with a reason, and stops no other', async () => {
  const {
    owned: [cheap, other],
  } = await holders(2);
  await done((await edit({ customermembership_ids: [cheap.id], billed_price: '1.00' })).body.price_edit);
  const pack = await m.give((await newCustomers(world, 1))[0], await m.pack(5));
  const ending = (await holders(1, { expiration_date: '2026-02-20' })).owned[0];
  const answer = await edit({
    customermembership_ids: [ending.id, other.id, cheap.id, other.id, pack.id],
    change: { amount: '-2.00' },
  });
  assert.equal(answer.body.id, ending.id);
  const results = await done(answer.body.price_edit);
  assert.deepEqual(
    results.map((r) => [r.primary_object, r.status]),
    [
      [ending.id, 'error'],
      [other.id, 'success'],
      [cheap.id, 'error'],
      [pack.id, 'success'],
    ],
  );
  const { results: failed } = await get(`/bulk_actions/${answer.body.price_edit}/results?status=error`);
  assert.deepEqual(failed, [results[0], results[2]]);
  assert.match(results[0].error_message, /nothing is left to be billed/);
  assert.match(results[2].error_message, /would become -1.00 CAD/);
  assert.deepEqual(
    [await priceOf(other.id), await priceOf(cheap.id), await priceOf(pack.id)],
    ['38.00', '1.00', '118.00'],
  );
});

test('a dry run lists each effect and the totals, and starts nothing', async () => {
  const { membership, owned } = await holders(2);
  await holders(1, { expiration_date: '2026-02-20' }, membership);
  const before = await jobs();
  const { status, body } = await edit({ membership, change: { percent: 10 } }, '?dry_run=true');
  assert.equal(status, 200);
  assert.deepEqual(
    body.effects.map((e: any) => [e.effect, e.id]),
    [
      ['price_changed', owned[0].id],
      ['price_changed', owned[1].id],
      ['price_stays', body.effects[2].id],
      ['prices_changed', null],
    ],
  );
  assert.deepEqual(body.effects[0].detail, {
    customer: owned[0].customer,
    before_minor: 4000,
    after_minor: 4400,
    from: '2026-02-28',
  });
  assert.deepEqual(body.effects[3].detail, {
    customer_memberships: 3,
    changed: 2,
    refused: 1,
    before_minor: 8000,
    after_minor: 8800,
    told_one_by_one: 3,
  });
  assert.deepEqual(await jobs(), before);
  assert.equal(await priceOf(owned[0].id), '40.00');
});

test('customer and membership select one; if there are several, more properties tell them apart', async () => {
  const {
    membership,
    owned: [first],
  } = await holders(1);
  const second = await m.give(first.customer, membership, { start_date: '2026-02-01' });
  const one = { membership, customer: first.customer, billed_price: '41.00' };
  const several = await edit(one);
  assert.deepEqual([several.status, Object.keys(several.body.field_errors)], [400, ['customer']]);
  const answer = await edit({ ...one, start_date: '2026-02-01', expiration_date: null, active_hold: null });
  assert.equal(answer.body.id, second.id);
  await done(answer.body.price_edit);
  assert.deepEqual([await priceOf(first.id), await priceOf(second.id)], ['40.00', '41.00']);
  const nobody = await edit({ ...one, start_date: '2026-02-02' });
  assert.match(nobody.body.message, /does not hold such a membership/);
});

test('invalid input is refused by name before anything begins', async () => {
  const {
    membership,
    owned: [{ id }],
  } = await holders(1);
  const theirs = { billed_price: '1.00', customermembership_ids: [id, 999_999] };
  for (const [body, name] of [
    [{ billed_price: '1.00' }, 'customermembership_ids'],
    [{ billed_price: '1.00', customermembership_ids: [id], membership }, 'customermembership_ids'],
    [{ billed_price: '1.00', customermembership_ids: [] }, 'customermembership_ids'],
    [theirs, 'customermembership_ids'],
    [{ customermembership_ids: [id] }, 'billed_price'],
    [{ customermembership_ids: [id], billed_price: '1.00', change: { percent: 1 } }, 'billed_price'],
    [{ customermembership_ids: [id], change: {} }, 'change'],
    [{ customermembership_ids: [id], change: { percent: 1, amount: '1.00' } }, 'change'],
    [{ customermembership_ids: [id], change: { percent: 1.234 } }, 'change.percent'],
    [{ customermembership_ids: [id], change: { amount: '1.234' } }, 'change.amount'],
    [{ customermembership_ids: [id], billed_price: '-1.00' }, 'billed_price'],
    [{ membership: (await m.recurring()).membership, billed_price: '1.00' }, 'membership'],
    [{ membership, start_date: '2026-01-31', billed_price: '1.00' }, 'start_date'],
  ] as const) {
    const answer = await edit(body);
    assert.equal(answer.status, 400, JSON.stringify(body));
    assert.deepEqual(Object.keys(answer.body.field_errors), [name]);
  }
  assert.equal(
    (await edit({ customermembership_ids: [id], billed_price: '1.00' }, '', world.meadowMachine)).status,
    400,
  );
  assert.equal(
    (await edit({ customermembership_ids: [id], billed_price: '1.00' }, '', world.staff(['attendances']))).status,
    403,
  );
  assert.equal(await priceOf(id), '40.00');
});

test('an interrupted batch leaves nothing behind, and repeating it changes each price once', async () => {
  const { owned } = await holders(2);
  const ids = owned.map((h) => h.id);
  const answer = await edit({ customermembership_ids: ids, change: { percent: 50 } });
  await done(answer.body.price_edit);
  const run = (fails: boolean) =>
    world.work(world.harbour, async (work) => {
      await bulkJob(editPrices).run(work, { bulk_action: answer.body.price_edit });
      if (fails) throw new Error('the power went');
    });
  await world.work(world.harbour, ({ tx }) =>
    tx.run(
      sql`UPDATE bulk_action_result SET status = 'pending' WHERE bulk_action_id = ${answer.body.price_edit} AND primary_object = ${ids[0]}`,
    ),
  );
  await assert.rejects(run(true), /the power went/);
  assert.equal(await priceOf(ids[0]), '60.00');
  await run(false);
  await run(false);
  assert.deepEqual(await Promise.all(ids.map(priceOf)), ['90.00', '60.00']);
});

test('many memberships are extended in one call, and the response has the result of each', async () => {
  const pack = await m.pack(5, { duration: 1, duration_unit: 'months' });
  const [a, b] = await newCustomers(world, 2);
  const [ends, too] = [await m.give(a, pack), await m.give(b, pack)];
  const endless = (await holders(1)).owned[0];
  const since = await feedEnd(world);
  const body = { customermembership_ids: [ends.id, endless.id], customer_memberships: { [too.id]: {} }, days: 10 };
  const preview = await extend(body, '?dry_run=true');
  assert.deepEqual(
    preview.body.effects.map((e: any) => [e.effect, e.id, e.detail.before, e.detail.after]),
    [ends, too].map((h) => ['expiration_changed', h.id, '2026-03-14', '2026-03-24']),
  );
  assert.equal((await get(`/customer_memberships/${ends.id}`)).expiration_date, '2026-03-14');
  const { status, body: said } = await extend(body);
  assert.equal(status, 200);
  assert.deepEqual([said.customermembership_ids, said.days], [[ends.id, endless.id, too.id], 10]);
  const ok = { status: 'ok', expiration_date: '2026-03-24', error: null };
  assert.deepEqual(said.customer_memberships, {
    [ends.id]: ok,
    [too.id]: ok,
    [endless.id]: {
      status: 'error',
      expiration_date: null,
      error: "The membership has no last day, so it can't be extended.",
    },
  });
  assert.equal((await get(`/customer_memberships/${too.id}`)).expiration_date, '2026-03-24');
  assert.deepEqual(
    (await feedSince(world, since)).map((f) => [f.kind, f.payload.before, f.payload.after]),
    [ends, too].map(() => ['customer_membership.expiration_changed', '2026-03-14', '2026-03-24']),
  );
  for (const wrong of [
    { days: 1 },
    { days: 0, customermembership_ids: [ends.id] },
    { days: 1, customer_memberships: { x: {} } },
    { days: 1, customer_memberships: { 999_999: {} } },
  ])
    assert.equal((await extend(wrong)).status, 400);
  assert.equal((await extend(body, '', world.meadowMachine)).status, 400);
  assert.equal((await extend(body, '', world.staff(['attendances']))).status, 403);
});
