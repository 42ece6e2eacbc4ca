/** Operations that the program itself calls on behalf of somebody. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ownViewer, viewer as viewerOf, type Viewer } from '../../work/access/viewer.ts';
import { Problem } from '../../base/problem.ts';
import { startWorld, type World } from '../../../test/world.ts';
import type { Asked } from '../calls.ts';
import type { Transaction } from '../../base/db/database.ts';
import { DEFAULT_WORDS } from '../../base/values/words.ts';
import { START } from '../../../test/clock.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world?.close());

const call = (viewer: Viewer, operation: string, asked: Asked, within?: Transaction): Promise<any> => {
  const { registry, pipeline } = world.app;
  const tenant = { providerId: world.harbour, zone: 'America/Toronto', currency: 'CAD', words: DEFAULT_WORDS };
  const caller = { viewer, tenant, now: START, requestId: 'test', baseUrl: '', pagesUrl: '', ip: '127.0.0.1' };
  return pipeline.call(registry.operation(operation), caller, asked, within);
};
const ours = () => ownViewer(world.harbour, 'test');
const labels = async (): Promise<string[]> =>
  (await world.get('/customer_labels?page_size=100', { as: world.machine })).body.results.map((one: any) => one.name);
const refused =
  (code: string) =>
  (error: unknown): boolean =>
    error instanceof Problem && error.code === code;

test('an internal call is refused as a request of the same caller would be', async () => {
  const customer = viewerOf({
    mode: 'customer',
    providerId: world.harbour,
    actor: 'user:1',
    permissions: new Set(),
    staffId: null,
    customerId: await world.newCustomer({}),
    venues: null,
  });
  await assert.rejects(
    call(customer, 'POST /customer_labels', { body: { name: 'Mine' } }),
    refused('mode_not_allowed'),
  );
  await assert.rejects(call(ours(), 'POST /customer_labels', { body: { name: 7 } }), refused('parameter_invalid'));
  await assert.rejects(call(ours(), 'GET /customers/{id}', { params: { id: 987_654_321 } }), refused('not_found'));
  assert.throws(() => world.app.registry.operation('GET /nothing'), /no operation/);
});

test('a name that the operation does not know is refused, not ignored', () =>
  assert.rejects(call(ours(), 'GET /customers', { query: { last_nam: 'x' } }), refused('parameter_invalid')));

test('an internal call returns the printed value, and leaves the same audit and feed', async () => {
  const made = await call(ours(), 'POST /customer_labels', { body: { name: 'Called' }, query: { fields: 'name' } });
  assert.deepEqual(made, { name: 'Called' });
  const { results } = (await world.get('/audit_entries?page_size=1', { as: world.machine })).body;
  assert.deepEqual([results[0].action, results[0].actor.kind], ['POST /customer_labels', 'test']);
});

/** Creates a label and does a dry run of another, in one transaction. */
const both = (fails: boolean, first: string) =>
  world.app.db.transaction(world.harbour, async (tx) => {
    await call(ours(), 'POST /customer_labels', { body: { name: first } }, tx);
    const preview = { body: { name: 'Tried' }, query: { dry_run: true } };
    const { effects } = await call(ours(), 'POST /customer_labels', preview, tx);
    assert.deepEqual(
      effects.map((one: any) => one.effect),
      ['customer_label.created'],
    );
    if (fails) throw new Error('undone');
  });

test('calls in one transaction commit or roll back together, and a dry run among them rolls back only itself', async () => {
  await both(false, 'Kept');
  await assert.rejects(both(true, 'Lost'), /undone/);
  const names = await labels();
  assert.deepEqual(
    ['Kept', 'Tried', 'Lost'].map((name) => names.includes(name)),
    [true, false, false],
  );
});
