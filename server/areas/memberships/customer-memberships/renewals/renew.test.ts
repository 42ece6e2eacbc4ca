import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { completeOver } from './complete.ts';
import { feedEnd, feedSince, newCustomers } from '../../../../test/schedule-world.ts';
import { MemberWorld } from '../../../../test/worlds/member-world.ts';
import { renewDue, sweepRenewals } from './renew.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../../test/world.ts';

let world: World;
let w: MemberWorld;
before(async () => {
  world = await startWorld();
  // Noon UTC is another day there in summer, and the clock changes in April and September.
  await world.work(world.harbour, ({ tx }) =>
    tx.run(sql`UPDATE provider SET timezone = 'Pacific/Auckland' WHERE provider_id = ${world.harbour}`),
  );
  w = await MemberWorld.of(world);
});
after(() => w.close());

const wait = (owned: number, since: number) => async () =>
  (await feedSince(world, since)).filter((f) => f.payload.customer_membership === owned);

/** Returns the days that are reported as the beginning of a billing period. */
async function renewals(owned: number, since: number): Promise<string[]> {
  return (await wait(owned, since)())
    .filter((f) => f.kind === 'customer_membership.renewed')
    .map((f) => f.payload.period_start_date);
}

async function member(plan: Record<string, unknown> = {}, over: Record<string, unknown> = {}): Promise<any> {
  const [customer] = await newCustomers(world, 1);
  return w.m.give(customer, (await w.m.recurring([], plan)).membership, over);
}

test('a billing period is reported when it begins by the clock of the business, with its days and its price, in the feed and in the audit', async () => {
  world.setNow(Date.parse('2026-08-31T06:00Z'));
  const owned = await member();
  assert.deepEqual([owned.start_date, owned.renewal_date], ['2026-08-31', '2026-09-30']);
  const since = await feedEnd(world);
  // 23:59 on the 29th, 13 hours ahead since the clock changed on 27 September.
  world.setNow(Date.parse('2026-09-29T10:59Z'));
  await w.job(renewDue);
  assert.deepEqual(await renewals(owned.id, since), []);
  world.setNow(Date.parse('2026-09-29T11:00:30Z'));
  await w.job(renewDue);
  await w.job(renewDue);
  assert.deepEqual(
    (await feedSince(world, since))
      .filter((f) => f.payload.customer_membership === owned.id)
      .map((f) => [f.kind, f.payload]),
    [
      [
        'customer_membership.renewed',
        {
          customer_membership: owned.id,
          customer: owned.customer,
          period_start_date: '2026-09-30',
          period_end_date: '2026-10-30',
          price: '40.00',
          contract_renewed: false,
        },
      ],
    ],
  );
  const [entry] = (await w.get(`/audit_entries?object=customermembership&object_id=${owned.id}`)).results;
  assert.deepEqual(
    [entry.action, entry.after.period_start_date, entry.after.price_minor],
    ['renewal', '2026-09-30', 4000],
  );
});

test('after months without the service each period is reported once, those of all members in the order of their days', async () => {
  world.setNow(Date.parse('2027-01-31T00:00Z'));
  const [last, second] = [await member(), await member({ billing_period_unit: 'weeks', billing_period_length: 4 })];
  const since = await feedEnd(world);
  world.setNow(Date.parse('2027-06-10T00:00Z'));
  await w.job(renewDue);
  await w.job(renewDue);
  assert.deepEqual(await renewals(last.id, since), ['2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31']);
  assert.deepEqual(await renewals(second.id, since), ['2027-02-28', '2027-03-28', '2027-04-25', '2027-05-23']);
  const days = (await feedSince(world, since))
    .filter((f) => f.kind === 'customer_membership.renewed')
    .map((f) => f.payload.period_start_date);
  assert.deepEqual(days, days.toSorted());
  assert.equal((await w.get(`/customer_memberships/${last.id}`)).renewal_date, '2027-06-30');
});

test('a membership that ended while the service was down is reported after the periods that began before', async () => {
  world.setNow(Date.parse('2028-01-31T00:00Z'));
  const owned = await member({ committed_billing_periods: 3, commitment_expiration_scheme: 'stop_contract' });
  assert.equal(owned.expiration_date, '2028-04-29');
  const since = await feedEnd(world);
  world.setNow(Date.parse('2028-09-01T00:00Z'));
  await w.job(completeOver);
  assert.equal((await w.get(`/customer_memberships/${owned.id}`)).status, 'active', 'its periods were not told yet');
  await w.job(renewDue);
  await w.job(completeOver);
  const feedItems = (await feedSince(world, since))
    .filter((f) => f.payload.customer_membership === owned.id)
    .map((f) => [f.kind, f.payload.period_start_date ?? '']);
  assert.deepEqual(feedItems, [
    ['customer_membership.renewed', '2028-02-29'],
    ['customer_membership.renewed', '2028-03-31'],
    ['customer_membership.completed', ''],
  ]);
});

test('a period that begins within a hold is not reported, later ones are, and a hold that extends the contract moves its end', async () => {
  world.setNow(Date.parse('2029-01-15T00:00Z'));
  const owned = await member({ committed_billing_periods: 2, commitment_expiration_scheme: 'renew_contract' });
  const body = {
    customer_membership: owned.id,
    start_date: '2029-02-10',
    end_date: '2029-03-15',
    extend_expirations: true,
  };
  const hold = await world.post('/customer_membership_holds', { as: world.machine, body });
  assert.equal(hold.status, 201, hold.text);
  // Two periods until 14 March, and 34 days: the next whole one begins on 15 May.
  assert.equal(
    (await w.get(`/customer_memberships/${owned.id}?fields=allowed_cancellation_date`)).allowed_cancellation_date,
    '2029-05-14',
  );
  const since = await feedEnd(world);
  world.setNow(Date.parse('2029-06-01T00:00Z'));
  await w.job(renewDue);
  const told = (await wait(owned.id, since)())
    .filter((f) => f.kind === 'customer_membership.renewed')
    .map((f) => [f.payload.period_start_date, f.payload.contract_renewed]);
  assert.deepEqual(told, [
    ['2029-04-15', false],
    ['2029-05-15', true],
  ]);
});

test('a contract that renews automatically says with which period it begins again', async () => {
  world.setNow(Date.parse('2030-01-15T00:00Z'));
  const owned = await member({ committed_billing_periods: 2, commitment_expiration_scheme: 'renew_contract' });
  const since = await feedEnd(world);
  world.setNow(Date.parse('2030-06-01T00:00Z'));
  await w.job(renewDue);
  const told = (await wait(owned.id, since)()).map((f) => [f.payload.period_start_date, f.payload.contract_renewed]);
  assert.deepEqual(told, [
    ['2030-02-15', false],
    ['2030-03-15', true],
    ['2030-04-15', false],
    ['2030-05-15', true],
  ]);
});

test('a new price is reported from the next period on', async () => {
  world.setNow(Date.parse('2031-01-15T00:00Z'));
  const owned = await member();
  const priced = (price: number) =>
    world.work(world.harbour, ({ tx }) =>
      tx.run(
        sql`UPDATE customer_membership SET billed_price_minor = ${price} WHERE provider_id = ${world.harbour} AND id = ${owned.id}`,
      ),
    );
  await priced(5000);
  await priced(6000);
  const since = await feedEnd(world);
  world.setNow(Date.parse('2031-02-15T00:00Z'));
  await w.job(renewDue);
  assert.equal((await wait(owned.id, since)())[0].payload.price, '60.00');
});

test('the sweep enqueues a job for a business with a due period, and for no other', async () => {
  world.setNow(Date.parse('2032-01-15T00:00Z'));
  await w.job(renewDue);
  const owned = await member();
  const queued = async () =>
    (
      await w.owner.query(
        `SELECT FROM graphile_worker.jobs WHERE task_identifier = 'renew_memberships' AND key = '${world.harbour}:renew:2032-02-15'`,
      )
    ).rows;
  const sweep = () => world.app.db.acrossTenants('a test sweeps', (tx) => sweepRenewals(tx, world.now));
  world.setNow(Date.parse('2032-02-14T10:00Z'));
  await sweep();
  assert.equal((await queued()).length, 0);
  world.setNow(Date.parse('2032-02-14T12:00Z'));
  await sweep();
  assert.equal((await queued()).length, 1, `${owned.id} begins a period on the 15th in Auckland`);
});

test('the next billing date leaves out periods that begin during a hold, as billing does', async () => {
  world.setNow(Date.parse('2026-01-10T00:00Z'));
  const owned = await member();
  const dates = async () => {
    const fields = 'fields=renewal_date,next_billing_date';
    const { body } = await world.get(`/customer_memberships/${owned.id}?${fields}`, { as: world.machine });
    return [body.renewal_date, body.next_billing_date];
  };
  assert.deepEqual(await dates(), ['2026-02-10', '2026-02-10']);
  const hold = async (start_date: string, end_date: string | null) => {
    const body = { customer_membership: owned.id, start_date, end_date };
    const made = await world.post('/customer_membership_holds', { as: world.machine, body });
    assert.equal(made.status, 201, made.text);
  };
  await hold('2026-02-01', '2026-03-10');
  assert.deepEqual(await dates(), ['2026-02-10', '2026-04-10']);
  await hold('2026-04-05', null);
  assert.deepEqual(await dates(), ['2026-02-10', null]);
});
