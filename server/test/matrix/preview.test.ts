/**
 * Every write that offers a dry run, in three states: as prepared, once it was done already, and a year later. The dry
 * run is refused like the call itself, or states what then happens. The changes that the dashboard makes are covered in
 * the first state by its own test.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inTurns } from '../rare.ts';
import { isWrite, supportsDryRun, type Declared } from '../../kernel/api/contract.ts';
import { callTwice, checkStated, LAST } from './preview.ts';
import { ALWAYS_REFUSED, callOf, type Call } from './calls.ts';
import { Complaints, nameOf } from './cases.ts';
import { startWorld, type World } from '../world.ts';
import { used } from '../../areas/sites/dashboard/test/program.ts';

const YEAR_MS = 366 * 86_400_000;

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

const offersPreview = (endpoint: Declared): boolean =>
  isWrite(endpoint) &&
  supportsDryRun(endpoint) &&
  endpoint.acts !== 'calculate' &&
  !(nameOf(endpoint) in ALWAYS_REFUSED) &&
  nameOf(endpoint) !== LAST;

/**
 * Calls it as prepared, and once more after it was done. Customers are shown only the effects that an operation names
 * for them, not everything that is recorded.
 */
async function twice(endpoint: Declared, as: (call: Call) => string, toldAll: boolean): Promise<void> {
  const call = await callOf(world, endpoint);
  const caller = { endpoint, call, as: as(call) };
  const done = await callTwice(world, caller);
  assert.ok(done, 'it is refused');
  await checkStated(world, endpoint, call, done, toldAll);
  const again = await callTwice(world, caller);
  if (again) await checkStated(world, endpoint, call, again, toldAll);
}

async function aYearLater(endpoint: Declared): Promise<void> {
  const call = await callOf(world, endpoint);
  world.setNow(world.now + YEAR_MS);
  const done = await callTwice(world, { endpoint, call, as: world.machine });
  if (done) await checkStated(world, endpoint, call, done);
}

async function overAll(endpoints: readonly Declared[], act: (endpoint: Declared) => Promise<void>): Promise<void> {
  const complaints = new Complaints();
  // One at a time: a feed item belongs to the call that was made last.
  for (const endpoint of endpoints) {
    await complaints.of(nameOf(endpoint), () => act(endpoint));
    world.resetNow();
  }
  complaints.throwIfAny();
}

const byStaff = (): string => world.machine;
const byCustomer = ({ customer }: Call): string => world.customer(customer!);

const forStaff = ({ who, belongsTo }: Declared) => who.provider !== false && belongsTo !== 'installation';
const forCustomers = ({ who, belongsTo }: Declared) => who.customer && belongsTo !== 'installation';

test('what a dry run states is what happens, also for changes that no screen makes and for a repetition', async () => {
  const all = world.app.registry.endpoints.filter((one) => offersPreview(one) && forStaff(one));
  assert.ok(all.length > 100);
  const [shown, unseen] = [true, false].map((is) => all.filter((one) => used.has(nameOf(one)) === is));
  await overAll([...inTurns(unseen, 2), ...inTurns(shown)], (one) => twice(one, byStaff, true));
});

test('what a dry run by a customer states is what happens', async () => {
  const all = world.app.registry.endpoints.filter((one) => offersPreview(one) && forCustomers(one));
  assert.ok(all.length > 30);
  await overAll(inTurns(all), (one) => twice(one, byCustomer, false));
});

test('a year after everything was prepared, a dry run is refused like the call, or states what happens', async () => {
  const all = world.app.registry.endpoints.filter((one) => offersPreview(one) && forStaff(one));
  await overAll(inTurns(all), aYearLater);
});
