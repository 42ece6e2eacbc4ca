import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openapi } from '../../kernel/api/openapi.ts';
import { parseXml, type JsonSchemaLike } from '../parse-xml.ts';
import { startWorld, type World } from '../world.ts';
import { seed } from '../seeds.ts';
import { callerOf, Complaints, forAll, nameOf, pathWith, sampleQuery, targetOf, withQuery } from './cases.ts';
import type { JsonSchema } from '../../kernel/api/field.ts';

let world: World;
let document: Record<string, any>;
before(async () => {
  world = await startWorld();
  document = openapi(world.app.registry, { partial: true });
});
after(() => world.close());

/** The schema without references, opened as far as it is read: resources refer to each other in circles. */
function open(schema: JsonSchema): JsonSchemaLike {
  const own: JsonSchema = schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)] : schema;
  const lazily = (of: Record<string, any>): any =>
    Object.defineProperties({}, Object.fromEntries(Object.keys(of).map((key) => [key, { enumerable: true, get: () => open(of[key]) }])));
  const opened: Record<string, unknown> = { ...own };
  if (own.properties) opened.properties = lazily(own.properties);
  if (own.items) Object.defineProperty(opened, 'items', { enumerable: true, get: () => open(own.items) });
  for (const choice of ['anyOf', 'oneOf'] as const) if (own[choice]) opened[choice] = own[choice].map(open);
  if (own.allOf) Object.assign(opened, open(own.allOf[0]));
  return opened;
}

test('XML holds the same data as JSON at every endpoint that reads, plain and with everything expanded', async () => {
  for (const resource of world.app.registry.resources.keys()) await seed(world, resource);
  const complaints = new Complaints();
  const endpoints = world.app.registry.endpoints.filter((e) => e.method === 'GET' && e.returns.kind !== 'none');
  let compared = 0;
  await forAll(endpoints, async (endpoint) => {
    const target = targetOf(endpoint);
    if (!target && endpoint.path.includes('{')) return;
    const path = pathWith(endpoint, target ? await seed(world, target) : '');
    const [as, needed] = [await callerOf(world, endpoint), await sampleQuery(world, endpoint)];
    const fields = 'resource' in endpoint.returns ? Object.entries(endpoint.returns.resource.fields) : [];
    const all = fields.filter(([, { spec }]) => spec.relation || spec.deferred).map(([name]) => name);
    for (const query of all.length > 0 ? ['', `expand=${all.join()}`] : ['']) {
      await complaints.of(`${nameOf(endpoint)} ${query}`, async () => {
        const [json, xml] = await Promise.all(
          ['application/json', 'application/xml'].map((accept) => world.get(withQuery(path, needed, query), { as, headers: { accept } })),
        );
        assert.equal(json.status, 200, json.text);
        assert.match(xml.headers.get('content-type')!, /^application\/xml/);
        const schema = document.paths[endpoint.path].get.responses[200].content['application/xml'].schema;
        assert.deepEqual(parseXml(xml.text, open(schema)), json.body);
        compared += 1;
      });
    }
  });
  complaints.throwIfAny();
  assert.ok(compared > endpoints.length / 2);
});

test('a refusal is XML for who asks for XML, at every endpoint', async () => {
  const complaints = new Complaints();
  await forAll(world.app.registry.endpoints, (endpoint) =>
    complaints.of(nameOf(endpoint), async () => {
      const path = pathWith(endpoint, 1);
      const { status, text } = await world.ask(endpoint.method, path, { as: 'unknown', headers: { accept: 'application/xml' } });
      assert.equal(status, 401);
      const problem = parseXml(text, open({ $ref: '#/components/schemas/Problem' })) as any;
      assert.equal(problem.code, 'authentication_failed');
    }),
  );
  complaints.throwIfAny();
});
