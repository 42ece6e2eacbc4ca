/** Balances of customers at a former product. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fates, upload, work } from '../test/moving.ts';
import { billOneAccount } from '../../../commerce/billing/charges.ts';
import { readSigned } from './rules/amount.ts';
import { startWorld, type World } from '../../../../test/world.ts';

let world: World;
before(async () => {
  world = await startWorld({ own: true, worker: true });
  world.setNow(Date.parse('2026-03-02T17:00:00Z'));
  const people = ['ana', 'ben', 'cleo', 'dov'].map((one) => `${one}@example.com,${one}`).join('\n');
  await work(world, (await upload(world, `Email,First Name\n${people}\n`)).id, 'run');
});
after(() => world?.close());

const get = async (path: string): Promise<any> => (await world.get(path, { as: world.machine })).body;
const balances = async (): Promise<any[]> =>
  (await get('/customers?fields=first_name,credit_balance,amount_owed&sort=id')).results.map((one: any) => [
    one.first_name,
    one.credit_balance.string,
  ]);

test('a sign before or after an amount is read, and a dash for no cents is none', () => {
  const money = { currency: 'EUR', country: 'DE' };
  const cases: readonly (readonly [string, number | undefined])[] = [
    ['12,50', 1250],
    ['-12,50', -1250],
    ['−12,50 €', -1250],
    ['€ -12,50', -1250],
    ['12,50-', -1250],
    ['12,-', 1200],
    ['0,00', 0],
    ['-0,00', 0],
    ['(12,50)', undefined],
    ['10-20', undefined],
    ['-5-', undefined],
    ['--5', undefined],
    ['5 / month', undefined],
  ];
  for (const [text, expected] of cases) assert.equal(readSigned(text, money), expected, text);
});

test('whether a balance is credit or a debt is a question', async () => {
  const file = await upload(world, 'Email,Account Balance\nana@example.com,-20.00\n');
  assert.deepEqual([file.kind, file.missing], ['balances', ['credit | debt']]);
  const refused = await world.post(`/imports/${file.id}/check`, { as: world.machine });
  assert.equal(refused.status, 409);
  const columns = [{ heading: 'Account Balance', property: 'credit' }];
  await world.patch(`/imports/${file.id}`, { as: world.machine, body: { columns } });
  const checked = await work(world, file.id, 'check');
  assert.deepEqual(checked.sums, [{ of: 'debt', count: 1, amount: '20.00' }]);
});

const FILE = `Email,Account Credit,Amount Due,As of
ana@example.com,25.50,,2026-02-28
ben@example.com,,40.00,2026-02-28
cleo@example.com,5.00,3.00,2026-02-28
dov@example.com,0.00,0.00,2026-02-28
ana@example.com,10.00,,2026-02-28
eve@example.com,10.00,,2026-02-28
dov@example.com,(5.00),,2026-02-28
dov@example.com,5.00,,2026-12-28
`;

test('credit can be spent, a debt is an open charge that nothing bills, and an undo takes both back', async () => {
  const file = await upload(world, FILE);
  assert.deepEqual([file.kind, file.missing], ['balances', []]);
  const expected = [
    [2, 'created', []],
    [3, 'created', []],
    [4, 'rejected', ['Amount Due: stands beside a credit of $5.00: correct one of the two']],
    [5, 'unchanged', []],
    [6, 'rejected', ['Account Credit: is another balance of the customer in line 2']],
    [7, 'rejected', ['Email: is no customer here: import the customers first']],
    [8, 'rejected', ['Account Credit: is not one amount in CAD']],
    [9, 'rejected', ['As of: is in the future']],
  ];
  const sums = [
    { of: 'credit', count: 1, amount: '25.50' },
    { of: 'debt', count: 1, amount: '40.00' },
  ];
  const checked = await work(world, file.id, 'check');
  assert.deepEqual([checked.sums, await fates(world, file.id)], [sums, expected]);
  assert.deepEqual((await get('/account_entries')).results, []);
  const run = await work(world, file.id, 'run');
  assert.deepEqual([run.sums, await fates(world, file.id)], [sums, expected]);
  assert.deepEqual((await balances())[0], ['ana', '25.50']);
  const entries = (await get('/account_entries?expand=customer&sort=id')).results;
  assert.deepEqual(
    entries.map((e: any) => [e.customer.first_name, e.kind, e.amount.string, e.reason, e.due_date, e.status]),
    [
      ['ana', 'credit', '25.50', 'opening_balance', '2026-02-28', 'credited'],
      ['ben', 'charge', '40.00', 'opening_balance', '2026-02-28', 'open'],
    ],
  );
  // A charge of today is billed, the debt isn't.
  const body = { customer: entries[1].customer.id, kind: 'charge', amount: '7.00', explanation: 'Lost key.' };
  assert.equal((await world.post('/account_entries', { as: world.machine, body })).status, 201);
  world.setNow(world.now + 2 * 86_400_000);
  await world.work(world.harbour, (billing) => billOneAccount(billing, { customer: body.customer }));
  const { results: invoices } = await get('/invoices');
  assert.deepEqual(
    invoices.map((one: any) => one.total_amount_due.string),
    ['7.00'],
  );

  // An export of a later day changes nothing, and says what differs.
  const later = await upload(world, FILE.replace('25.50', '30.00'));
  assert.deepEqual((await work(world, later.id, 'run')).created_count, 0);
  assert.match((await fates(world, later.id))[0][2][0], /differs from the balance that was imported/);

  const undone = await world.post(`/imports/${file.id}/undo`, { as: world.machine });
  assert.deepEqual([undone.body.undone_count, undone.body.kept_count], [2, 0], undone.text);
  assert.deepEqual((await balances())[0], ['ana', '0.00']);
  assert.deepEqual(
    (await get('/account_entries?sort=id')).results.map((e: any) => [e.kind, e.amount.string, e.status]),
    [
      ['credit', '25.50', 'credited'],
      ['charge', '40.00', 'voided'],
      ['charge', '7.00', 'invoiced'],
      ['charge', '25.50', 'credited'],
    ],
  );
  assert.equal((await work(world, file.id, 'run')).created_count, 2, 'the file can be imported again');
});
