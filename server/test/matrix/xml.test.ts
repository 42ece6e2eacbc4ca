/**
 * XML compared with JSON, at every endpoint that reads. In turns from change to change, all of them in `npm run
 * test:all`: refusals in XML at endpoints beyond the first of each form.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openapi } from '../../areas/sites/reference/openapi/openapi.ts';
import { opened, sameInXml } from './same-in-xml.ts';
import { parseXml } from './parse-xml.ts';
import { selectableFields } from '../../kernel/api/requests/input.ts';
import { startWorld, type World } from '../world.ts';
import { callForm, formsAndTurns } from './aims.ts';
import {
  anyId,
  callerOf,
  Complaints,
  forAll,
  nameOf,
  once,
  pathWith,
  sampleQuery,
  targetOf,
  withQuery,
} from './cases.ts';
import type { Declared } from '../../kernel/api/contract.ts';

let world: World;
let document: Record<string, any>;
before(async () => {
  world = await startWorld();
  document = openapi(world.app.registry, { partial: true });
});
after(() => world.close());

/** The rows of a page are all written alike; some lack what others have. */
const ROWS = 15;

test('XML has the same data as JSON at every endpoint that reads, plain and with everything expanded', async () => {
  // Nothing changes an object, so one of each resource is enough.
  const found = once(world);
  for (const resource of world.app.registry.resources.keys()) await found(resource);
  const complaints = new Complaints();
  const endpoints = world.app.registry.endpoints.filter(
    (e) => e.method === 'GET' && !['none', 'stream', 'file'].includes(e.returns.kind),
  );
  // Created up front: an object that is created between two responses would be in only one of them.
  const cases = [];
  for (const endpoint of endpoints) {
    const target = targetOf(endpoint);
    if (!target && endpoint.path.includes('{')) continue;
    cases.push({
      endpoint,
      path: pathWith(endpoint, target ? await found(target) : ''),
      as: await callerOf(world, endpoint),
      needed: await sampleQuery(world, endpoint, found),
    });
  }
  // Without this, the two responses would contain different times.
  world.stopNow();
  let compared = 0;
  await forAll(cases, async ({ endpoint, path, as, needed }) => {
    const fields = Object.entries(selectableFields(endpoint)?.fields ?? {});
    const all = fields.filter(([, { spec }]) => spec.relation || spec.deferred).map(([name]) => name);
    const short = 'page_size' in endpoint.query ? `page_size=${ROWS}` : '';
    for (const query of all.length > 0 ? ['', `expand=${all.join()}`] : ['']) {
      await complaints.of(`${nameOf(endpoint)} ${query}`, async () => {
        await sameInXml(world, document, endpoint.path, withQuery(path, needed, short, query), as);
        compared += 1;
      });
    }
  });
  complaints.throwIfAny();
  assert.ok(compared > endpoints.length / 2);
});

const form = (endpoint: Declared): string => `${callForm({ endpoint })} ${endpoint.acts} ${endpoint.returns.kind}`;

test('a refusal is XML for clients that request XML, at every endpoint', async () => {
  const complaints = new Complaints();
  // One endpoint of each form, and others in turns: refusals are rendered before anything of the endpoint matters.
  await forAll(formsAndTurns(world.app.registry.endpoints, form), (endpoint) =>
    complaints.of(nameOf(endpoint), async () => {
      const path = pathWith(endpoint, anyId(endpoint));
      const { status, text } = await world.ask(endpoint.method, path, {
        as: 'unknown',
        headers: { accept: 'application/xml' },
      });
      assert.equal(status, 401);
      const problem = parseXml(text, opened(document, { $ref: '#/components/schemas/Problem' })) as any;
      assert.equal(problem.code, 'authentication_failed');
    }),
  );
  complaints.throwIfAny();
});
