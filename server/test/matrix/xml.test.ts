import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openapi } from '../../kernel/api/openapi.ts';
import { answerAt, follow as followIn } from '../openapi-refs.ts';
import { parseXml, type JsonSchemaLike } from '../parse-xml.ts';
import { startWorld, type World } from '../world.ts';
import { seed } from '../seeds.ts';
import { anyId, callerOf, Complaints, forAll, nameOf, pathWith, sampleQuery, targetOf, withQuery } from './cases.ts';
import type { JsonSchema } from '../../kernel/api/field.ts';

let world: World;
let document: Record<string, any>;
before(async () => {
  world = await startWorld();
  document = openapi(world.app.registry, { partial: true });
});
after(() => world.close());

const follow = (schema: JsonSchema): JsonSchema => followIn(document, schema);

/** The schema without references, opened as far as it is read: resources refer to each other in circles. */
function open(schema: JsonSchema): JsonSchemaLike {
  const own = follow(schema);
  const lazily = (of: Record<string, any>): any =>
    Object.defineProperties(
      {},
      Object.fromEntries(Object.keys(of).map((key) => [key, { enumerable: true, get: () => open(of[key]) }])),
    );
  const opened: Record<string, unknown> = { ...own };
  if (own.properties) opened.properties = lazily(own.properties);
  if (own.items) Object.defineProperty(opened, 'items', { enumerable: true, get: () => open(own.items) });
  for (const choice of ['anyOf', 'oneOf'] as const) if (own[choice]) opened[choice] = own[choice].map(open);
  for (const part of (own.allOf ?? []).map(follow))
    opened.properties = lazily({ ...part.properties, ...own.properties });
  return opened;
}

/** A form may itself be one of several: a relation leads to an object that comes in varieties. */
const formsOf = (like: JsonSchemaLike): readonly JsonSchemaLike[] =>
  (like.anyOf ?? like.oneOf)?.flatMap(formsOf) ?? [like];

/**
 * JSON as XML can hold it: where the document leaves a value's type open, a number or a truth comes back as its text.
 */
function untyped(value: any, like: JsonSchemaLike): unknown {
  // Among several forms, the one of this kind is meant: relations are an id or the object, an address or the list.
  const forms = formsOf(like);
  if (Array.isArray(value)) {
    const items = forms.find((one) => one.items)?.items ?? {};
    return value.map((item) => untyped(item, items));
  }
  if (typeof value === 'object' && value !== null) {
    const form = forms.find((one) => one.properties ?? one.additionalProperties) ?? {};
    const rest = typeof form.additionalProperties === 'object' ? form.additionalProperties : {};
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, untyped(inner, form.properties?.[key] ?? rest)]),
    );
  }
  const open =
    like.type === undefined && !like.anyOf && !like.oneOf && like.enum === undefined && like.const === undefined;
  return open && value !== null ? String(value) : value;
}

test('XML holds the same data as JSON at every endpoint that reads, plain and with everything expanded', async () => {
  for (const resource of world.app.registry.resources.keys()) await seed(world, resource);
  const complaints = new Complaints();
  const endpoints = world.app.registry.endpoints.filter(
    (e) => e.method === 'GET' && !['none', 'stream', 'file'].includes(e.returns.kind),
  );
  // All of it first: what is made while two answers are compared would stand in one of them.
  const cases = [];
  for (const endpoint of endpoints) {
    const target = targetOf(endpoint);
    if (!target && endpoint.path.includes('{')) continue;
    cases.push({
      endpoint,
      path: pathWith(endpoint, target ? await seed(world, target) : ''),
      as: await callerOf(world, endpoint),
      needed: await sampleQuery(world, endpoint),
    });
  }
  let compared = 0;
  await forAll(cases, async ({ endpoint, path, as, needed }) => {
    const fields = 'resource' in endpoint.returns ? Object.entries(endpoint.returns.resource.fields) : [];
    const all = fields.filter(([, { spec }]) => spec.relation || spec.deferred).map(([name]) => name);
    for (const query of all.length > 0 ? ['', `expand=${all.join()}`] : ['']) {
      await complaints.of(`${nameOf(endpoint)} ${query}`, async () => {
        const [json, xml] = await Promise.all(
          ['application/json', 'application/xml'].map((accept) =>
            world.get(withQuery(path, needed, query), { as, headers: { accept } }),
          ),
        );
        assert.equal(json.status, 200, json.text);
        assert.match(xml.headers.get('content-type')!, /^application\/xml/);
        const schema = answerAt(document, 'GET', endpoint.path, 200);
        assert.deepEqual(parseXml(xml.text, open(schema)), untyped(json.body, open(schema)));
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
      const path = pathWith(endpoint, anyId(endpoint));
      const { status, text } = await world.ask(endpoint.method, path, {
        as: 'unknown',
        headers: { accept: 'application/xml' },
      });
      assert.equal(status, 401);
      const problem = parseXml(text, open({ $ref: '#/components/schemas/Problem' })) as any;
      assert.equal(problem.code, 'authentication_failed');
    }),
  );
  complaints.throwIfAny();
});
