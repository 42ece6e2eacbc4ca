import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { expireCredit, giveCredit } from './index.ts';
import { checkLedger } from '../ledger/index.ts';
import { row } from '../../../test/schedule-world.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { sql } from '../../../kernel/base/db/sql.ts';

let world: World;
const day = (date: string): number => Date.parse(`${date}T16:00:00Z`);
before(async () => {
  world = await startWorld();
  world.setNow(day('2026-06-10'));
});
after(() => world.close());

const set = async (body: unknown) => {
  const answer = await world.patch('/account_credit_settings', { as: world.machine, body });
  assert.equal(answer.status, 200, answer.text);
};
const give = (customer: number, amount: number) =>
  world.work(world.harbour, (work) => giveCredit(work, { customer, amount, explanation: 'A gift.' }));
const credit = async (customer: number): Promise<string> =>
  (await world.get(`/customers/${customer}/account_balance`, { as: world.machine })).body.credit.string;
const run = () => world.work(world.harbour, (work) => expireCredit(work));
const on = async (date: string) => {
  world.setNow(day(date));
  await run();
};
/** Returns the last days that the customer was notified of. */
const told = async (customer: number): Promise<(string | undefined)[]> => {
  const rows = await world.work(world.harbour, ({ tx }) =>
    tx.rows<{ key: string }>(
      sql`SELECT key FROM message WHERE provider_id = ${world.harbour} AND customer_id = ${customer}
        AND kind = 'account_credit_expires' ORDER BY id`,
    ),
  );
  return rows.map(({ key }) => /\d{4}-\d\d-\d\d/.exec(key)?.[0]);
};
const balanced = async () => assert.deepEqual(await world.work(world.harbour, checkLedger), []);

test('without the setting, credit never expires', async () => {
  const customer = await world.newCustomer();
  await give(customer, 2000);
  world.setNow(day('2036-06-10'));
  await run();
  assert.equal(await credit(customer), '20.00');
  world.setNow(day('2026-06-10'));
});

test('credit expires after its last day has ended and a notice was sent, and the entry gives the reason', async () => {
  await set({ expires_after_days: 30, notice_days: 7 });
  const customer = await world.newCustomer();
  await give(customer, 2000);
  world.setNow(day('2026-06-20'));
  await give(customer, 500);
  for (const date of ['2026-06-21', '2026-07-02']) await on(date);
  assert.deepEqual(await told(customer), []);
  await on('2026-07-03');
  assert.deepEqual(await told(customer), ['2026-07-10']);
  await on('2026-07-10');
  assert.equal(await credit(customer), '25.00');
  await on('2026-07-11');
  await run();
  assert.equal(await credit(customer), '5.00');
  const all = (await world.get(`/account_entries?customer=${customer}&sort=id`, { as: world.machine })).body.results;
  assert.deepEqual(
    all.map((one: any) => [one.kind, one.reason, one.status, one.amount.string]),
    [
      ['credit', 'goodwill', 'credited', '20.00'],
      ['credit', 'goodwill', 'credited', '5.00'],
      ['charge', 'credit_expired', 'credited', '20.00'],
    ],
  );
  assert.match(
    all.at(-1).explanation,
    /^Account credit of \$20\.00 expired: it could be spent until Friday, 10 July 2026\.$/,
  );
  await on('2026-07-13');
  assert.deepEqual(await told(customer), ['2026-07-10', '2026-07-20']);
  await balanced();
});

test('after a standstill, nothing expires before its notice was sent', async () => {
  world.setNow(day('2027-01-01'));
  await run();
  const customer = await world.newCustomer();
  await give(customer, 900);
  await on('2027-03-01');
  assert.equal(await credit(customer), '9.00');
  assert.deepEqual(await told(customer), ['2027-03-01']);
  await on('2027-03-02');
  assert.equal(await credit(customer), '0.00');
  await balanced();
});

test('a change of the setting restarts the period, and never expires anything immediately', async () => {
  world.setNow(day('2028-01-01'));
  await set({ expires_after_days: null });
  const customer = await world.newCustomer();
  await give(customer, 700);
  world.setNow(day('2029-01-01'));
  await set({ expires_after_days: 30, notice_days: null });
  await run();
  await on('2029-01-31');
  assert.equal(await credit(customer), '7.00');
  await on('2029-02-01');
  assert.equal(await credit(customer), '0.00');
  const refused = await world.patch('/account_credit_settings', { as: world.machine, body: { notice_days: 30 } });
  assert.deepEqual([refused.status, Object.keys(refused.body.field_errors)], [400, ['notice_days']]);
});

test('staff and the manager of a family can move credit within it, and nowhere else', async () => {
  const family = await row(world, 'family', {});
  const of = (role: 'manager' | 'child') => world.newCustomer({ family_id: family, family_role: role });
  const [parent, child] = [await of('manager'), await of('child')];
  const stranger = await world.newCustomer();
  await give(parent, 3000);
  const move = (from: number, to: number, amount: string, as = world.machine) =>
    world.post(`/customers/${from}/move_credit`, { as, body: { to, amount } });
  const done = await move(parent, child, '10.00', world.customer(parent));
  assert.equal(done.status, 200, done.text);
  assert.deepEqual([await credit(parent), await credit(child)], ['20.00', '10.00']);
  assert.match(done.body.explanation, /^Moved to Test /);
  assert.equal((await move(child, parent, '4.00', world.customer(parent))).status, 200);
  assert.equal((await move(child, parent, '4.00', world.customer(child))).status, 200);
  assert.equal((await move(parent, child, '1.00', world.customer(child))).status, 403);
  const more = await move(child, parent, '2.01');
  assert.deepEqual([more.status, more.body.code], [409, 'conflict']);
  const out = await move(parent, stranger, '1.00');
  assert.deepEqual([out.status, Object.keys(out.body.field_errors)], [400, ['to']]);
  assert.equal((await move(parent, parent, '1.00')).status, 400);
  assert.equal((await move(parent, child, '0')).status, 400);
  assert.deepEqual([await credit(parent), await credit(child)], ['28.00', '2.00']);
  const history = async (of: number, as = world.machine) => world.get(`/credit_movements?customer=${of}`, { as });
  const { body } = await history(child, world.customer(parent));
  assert.deepEqual(
    body.results.map((one: any) => [one.amount.string, one.explanation.replace(/Test \S+\./, '…')]),
    [
      ['-4.00', 'Moved to …'],
      ['-4.00', 'Moved to …'],
      ['10.00', 'Moved from …'],
    ],
  );
  assert.deepEqual((await history(child, world.customer(stranger))).body.results, []);
  assert.equal((await history(child, world.staff(['store']))).status, 403);
  await balanced();
});
