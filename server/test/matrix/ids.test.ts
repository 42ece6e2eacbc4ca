import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startWorld, type World } from '../world.ts';
import { allSeeds, seed } from '../seeds.ts';
import { callForm, firstOfEach } from './aims.ts';
import {
  callerOf,
  Complaints,
  forAll,
  nameOf,
  once,
  pathWith,
  sampleBody,
  sampleQuery,
  targetOf,
  withQuery,
} from './cases.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

test('every resource has a seed, and every seed creates an object of it', async () => {
  const resources = [...world.app.registry.resources.keys()];
  const seeds = await allSeeds();
  assert.deepEqual(
    resources.filter((name) => !(name in seeds)),
    [],
    'add a seed for these to test/seeds.ts of their area',
  );
  for (const name of resources) assert.ok(Number.isSafeInteger(await seed(world, name)), name);
});

const GARBAGE = [
  '0',
  '-1',
  '1.5',
  '1e3',
  'abc',
  '0x1',
  '01',
  '%31%20',
  '99999999999999999999',
  '1%00',
  "1'--",
  '%F0%9F%92%A9',
  '1;2',
  '*',
];

// Guards against: Finding out what exists at other businesses
test("another business's id and an unknown id get the same response at every endpoint, and so does a malformed id at every form of path", async () => {
  const endpoints = world.app.registry.endpoints.filter((e) => e.path.includes('{id}'));
  assert.ok(endpoints.length > 0);
  const complaints = new Complaints();
  // No call finds its object, so none changes anything: objects are shared.
  const [related, foreign] = [once(world), once(world, world.meadow)];
  const representatives = new Set(firstOfEach(endpoints, (endpoint) => callForm({ endpoint })));
  await forAll(endpoints, async (endpoint) => {
    const garbage = representatives.has(endpoint) ? GARBAGE : GARBAGE.slice(0, 1);
    const target = targetOf(endpoint);
    const [as, body, query] = await Promise.all([
      callerOf(world, endpoint),
      sampleBody(world, endpoint, related),
      sampleQuery(world, endpoint, related),
    ]);
    for (const id of [...(target ? [await foreign(target)] : []), 987_654_321, ...garbage]) {
      await complaints.of(`${nameOf(endpoint)} with ${id}`, async () => {
        const answer = await world.ask(endpoint.method, withQuery(pathWith(endpoint, id), query), {
          as,
          body: endpoint.method === 'GET' ? undefined : body,
        });
        const { request_id, ...rest } = answer.body;
        assert.equal(typeof request_id, 'string');
        assert.deepEqual(
          [answer.status, rest],
          [404, { code: 'not_found', message: 'Not found.', type: 'not_found_error', field_errors: {} }],
        );
      });
    }
  });
  complaints.throwIfAny();
});
