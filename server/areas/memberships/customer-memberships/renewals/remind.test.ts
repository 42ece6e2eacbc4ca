import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MembershipWorld } from '../../../../test/worlds/membership-world.ts';
import { newCustomers } from '../../../../test/schedule-world.ts';
import { remindOfRenewals, sweepReminders } from './remind.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../../test/world.ts';

let world: World;
let m: MembershipWorld;
before(async () => {
  world = await startWorld();
  m = await MembershipWorld.of(world);
});
after(() => world.close());

const on = (day: string): void => world.setNow(Date.parse(`${day}T16:00Z`));
const isIn = async (country: string, region: string | null) => {
  const answer = await world.patch(`/providers/${world.harbour}`, {
    as: world.machine,
    body: { address: { street: '', city: '', region: region ?? '', postal_code: '', country } },
  });
  assert.equal(answer.status, 200, answer.text);
};
const remind = () => world.work(world.harbour, (work) => remindOfRenewals(work));
const mails = (customer: number): Promise<{ kind: string; text_part: string }[]> =>
  world.work(world.harbour, ({ tx }) =>
    tx.rows<{ kind: string; text_part: string }>(
      sql`SELECT kind, text_part FROM message
        WHERE provider_id = ${world.harbour} AND customer_id = ${customer} AND kind LIKE 'membership_%' ORDER BY id`,
    ),
  );
const kinds = async (customer: number) => (await mails(customer)).map(({ kind }) => kind);

/** Gives a customer a plan of so many months, from today. */
async function member(months: number, over: Record<string, unknown> = {}): Promise<{ customer: number; id: number }> {
  const [customer] = await newCustomers(world, 1);
  const { membership } = await m.recurring([], { billing_period_length: months, price: '480.00' }, over);
  return { customer, id: (await m.give(customer, membership)).id };
}

test('a year in California is announced once, in the days that the law names, with the price, the last day and how to end it', async () => {
  await isIn('US', 'California');
  on('2027-05-10');
  const [year, month] = [await member(12), await member(1)];
  on('2028-03-25');
  await remind();
  assert.deepEqual(await kinds(year.customer), []);
  on('2028-03-26');
  await remind();
  on('2028-03-27');
  await remind();
  const [mail, ...more] = await mails(year.customer);
  assert.deepEqual([mail.kind, more], ['membership_renews', []]);
  assert.match(
    mail.text_part,
    new RegExp(
      `Club renews on Wednesday, 10 May 2028\\. The next payment is \\$480\\.00\\.[^]*end it by Tuesday, 9 May 2028:[^]*/account/${world.harbour}/profile/memberships/${year.id}/end`,
    ),
  );
  assert.deepEqual(await kinds(month.customer), [], 'a month is too short for that law');
});

test('nobody is reminded of a plan that was ended, or in a country without such a law', async () => {
  on('2027-05-10');
  const [ended, elsewhere] = [await member(12), await member(12)];
  const cancelled = await world.post(`/customer_memberships/${ended.id}/cancel`, { as: world.machine, body: {} });
  assert.ok(cancelled.status < 300, cancelled.text);
  on('2028-04-01');
  await isIn('CA', null);
  await remind();
  assert.deepEqual(await kinds(elsewhere.customer), []);
  await isIn('US', 'CA');
  await remind();
  assert.deepEqual(await kinds(ended.customer), []);
  assert.deepEqual(await kinds(elsewhere.customer), ['membership_renews']);
});

test('in Britain, a trial is announced before it turns into payments, and a monthly plan every six months', async () => {
  await isIn('GB', null);
  on('2027-05-10');
  const [trial, plan] = [await member(1, { new_customers_only: true }), await member(1)];
  on('2027-06-03');
  await remind();
  assert.deepEqual(await kinds(trial.customer), ['membership_trial_ends']);
  assert.match((await mails(trial.customer))[0].text_part, /Your trial Club ends on Thursday, 10 June 2027/);
  assert.deepEqual(await kinds(plan.customer), []);
});

test('the job is enqueued once a day in the morning, only for businesses in such a country', async () => {
  const queued = async () => {
    await world.app.db.acrossTenants('a test sweeps', (tx) => sweepReminders(tx, world.now));
    const rows = await world.app.db.acrossTenants('a test reads its jobs', (tx) =>
      tx.rows<{ n: number }>(
        sql`SELECT count(*)::int AS n FROM job_effect
          WHERE provider_id = ${world.harbour} AND job_key LIKE 'remind_of_renewals:%'`,
      ),
    );
    return rows[0].n;
  };
  await isIn('CA', null);
  world.setNow(Date.parse('2027-05-10T16:00Z'));
  assert.equal(await queued(), 0);
  await isIn('GB', null);
  world.setNow(Date.parse('2027-05-11T05:00Z'));
  assert.equal(await queued(), 0, 'it is night');
  world.setNow(Date.parse('2027-05-11T16:00Z'));
  assert.equal(await queued(), 1);
  assert.equal(await queued(), 1);
  world.setNow(Date.parse('2027-05-12T16:00Z'));
  assert.equal(await queued(), 2);
});
