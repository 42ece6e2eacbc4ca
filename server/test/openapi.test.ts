import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { openapi } from '../kernel/api/openapi.ts';
import { nameOf } from '../kernel/api/openapi-schemas.ts';
import { registry } from '../app.ts';
import { Variants } from '../kernel/api/kinds.ts';
import { startWorld, type World } from './world.ts';
import { violation } from './conformance.ts';
import type { Shape } from '../kernel/api/field.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

const declared = registry();
const document = JSON.parse(JSON.stringify(openapi(declared)));

test('the document is valid OpenAPI 3.1', async () => {
  const result = await new Validator().validate(structuredClone(document));
  assert.equal(result.valid, true, JSON.stringify(result, null, 1).slice(0, 2000));
});

test('every declared operation is in the document, with its area, its modes and an answer in JSON and XML, and nothing else is', () => {
  const documented = Object.entries<any>(document.paths).flatMap(([path, methods]) => Object.keys(methods).map((m) => `${m.toUpperCase()} ${path}`));
  assert.deepEqual(documented.toSorted(), declared.endpoints.map((e) => `${e.method} ${e.path}`).toSorted());
  for (const endpoint of declared.endpoints) {
    const operation = document.paths[endpoint.path][endpoint.method.toLowerCase()];
    assert.deepEqual(operation.tags, [endpoint.area]);
    assert.equal(operation['x-modes'].includes('customer'), endpoint.who.customer);
    const answer = operation.responses[endpoint.status];
    assert.ok(answer, `${endpoint.method} ${endpoint.path}`);
    const types = endpoint.stream ? ['text/event-stream'] : ['application/json', 'application/xml'];
    if (endpoint.status !== 204) assert.deepEqual(Object.keys(answer.content), types);
    for (const code of endpoint.problems) assert.match(JSON.stringify(operation.responses), new RegExp(`"${code}"`));
  }
});

test('every description of a field reaches the document', () => {
  const missing: string[] = [];
  const walk = (shape: Shape, properties: Record<string, any>, at: string) => {
    for (const [name, { spec }] of Object.entries(shape)) {
      const schema = properties[name];
      if (spec.description !== undefined && schema?.description !== spec.description) missing.push(`${at}.${name}`);
      if (spec.shape) walk(spec.shape, schema.properties, `${at}.${name}`);
    }
  };
  for (const [name, resource] of declared.resources) {
    walk(resource.fields, document.components.schemas[nameOf(resource)].properties, name);
  }
  assert.deepEqual(missing, []);
});

const IS_ASKED = /^(is|has|can|makes)_|_makes_|^late$/;

test('what reads as a question is answered by true or false, never by a word', () => {
  const found: string[] = [];
  const walk = (shape: Shape, at: string) => {
    for (const [name, { spec }] of Object.entries(shape)) {
      if (IS_ASKED.test(name)) found.push(`${at}.${name} ${spec.schema.type}`);
      if (spec.shape) walk(spec.shape, `${at}.${name}`);
    }
  };
  for (const [name, { fields }] of declared.resources) walk(fields, name);
  for (const { path, returns } of declared.endpoints) if ('shape' in returns && !(returns.shape instanceof Variants)) walk(returns.shape, path);
  assert.deepEqual(found.filter((one) => !one.endsWith(' boolean')), []);
  for (const one of ['event.is_appointment', 'customermembership.is_set_for_cancellation', 'customermembership.discount_code_makes_free_forever']) assert.ok(found.includes(`${one} boolean`), one);
});

test('the document is the same each time, and is served without a credential', async () => {
  assert.equal(JSON.stringify(openapi(registry())), JSON.stringify(document));
  const served = await fetch(`${world.url}/api/v2/openapi.json`);
  assert.equal(served.status, 200);
  assert.deepEqual(await served.json(), document);
  const again = await fetch(`${world.url}/api/v2/openapi.json`, { headers: { 'if-none-match': served.headers.get('etag')! } });
  assert.equal(again.status, 304);
  await again.text();
});

test('an answer that is not as documented is noticed', async () => {
  const answer = await world.get('/venues', { as: world.machine });
  const changed = (body: unknown, status = answer.status) => violation('GET', '/venues', { ...answer, status, body });
  assert.equal(changed(answer.body), null);
  assert.match(changed({ ...answer.body, count: 'many' })!, /count/);
  assert.match(changed({ ...answer.body, more: 1 })!, /additional/);
  assert.match(changed(answer.body, 418)!, /418 is not documented/);
  assert.match(violation('GET', '/nowhere', answer)!, /no operation is documented/);
  const refused = await world.get('/venues');
  assert.equal(refused.status, 200);
  const made = await world.post('/customers', { as: world.machine, body: {} });
  assert.match(violation('POST', '/customers', { ...made, body: { ...made.body, code: 'event_full' } })!, /enum|allowed values/);
});
