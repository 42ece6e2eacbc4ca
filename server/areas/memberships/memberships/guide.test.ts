/** Tests that send the examples of docs/guide/memberships.md as written to an empty service. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { freshDatabase, idsFromOne, restartIds } from '../../../test/database.ts';
import { newOffering } from '../../../test/schedule-world.ts';
import { startWorld, type World } from '../../../test/world.ts';

const GUIDE = readFileSync(join(import.meta.dirname, '../../../../docs/guide/memberships.md'), 'utf8');
const EXAMPLES = [...GUIDE.matchAll(/^(POST|PUT|PATCH) \/api\/v2(\/\S+)\n(\{(?:.|\n(?!\n|```))*)/gm)].map(
  ([, method, path, body]) => ({ method, path, body: JSON.parse(body) }),
);

let world: World;
before(async () => {
  // The examples use ids, which are those of the first business and its first objects.
  const database = await freshDatabase();
  await restartIds(database.url, idsFromOne);
  world = await startWorld({ database });
});
after(() => world.close());

/** Creates the other memberships that the examples mention, as recurring plans. */
async function club(): Promise<void> {
  const body = {
    type: 'recurring_plan',
    name: 'Club',
    category: 1,
    visible_to_customers: true,
    purchasable_only_by_provider: false,
    new_customers_only: false,
    allow_repeat_purchases: true,
  };
  const { id } = (await world.post('/memberships', { as: world.machine, body })).body;
  const plan = { membership: id, price: '40.00', billing_period_length: 1, billing_period_unit: 'months' };
  for (const [method, path, sent] of [
    ['PUT', `/memberships/${id}/allotment`, { types: ['event'], period_limits: [] }],
    ['POST', '/membership_payment_plans', plan],
    ...['One', 'Two', 'Three'].map((base_terms) => ['PUT', `/membership_terms/${id}`, { base_terms }] as const),
  ] as const) {
    const answer = await world.ask(method, path, { as: world.machine, body: sent });
    assert.ok(answer.status < 300, answer.text);
  }
}

test('every example of the guide does what the guide says, in the order of the guide', async () => {
  assert.equal(EXAMPLES.length, 19);
  for (let n = 0; n < 7; n++) await newOffering(world);
  const ada = world.customer(await world.newCustomer());
  for (let n = 0; n < 2; n++) await world.newCustomer();
  for (const { method, path, body } of EXAMPLES) {
    const answer = await world.ask(method, path, { as: path.endsWith('/consent') ? ada : world.machine, body });
    assert.ok([200, 201].includes(answer.status), `${method} ${path}: ${answer.text}`);
    if (path === '/memberships') {
      assert.deepEqual([answer.body.is_draft, answer.body.incomplete_reasons], [true, ['allotment_missing']]);
      for (let n = 0; n < 4; n++) await club();
    }
    if (path === '/membership_payment_plans') {
      for (const name of ['price_with_period', 'duration_description', 'billing_day_description']) {
        assert.ok(
          GUIDE.replaceAll(/\s+/g, ' ').includes(`"${name}": "${answer.body[name]}"`),
          `${name} is ${answer.body[name]}`,
        );
      }
    }
  }
  const pack = await world.get('/memberships/1', { as: ada });
  assert.deepEqual([pack.status, pack.body.is_draft], [200, false]);
});
