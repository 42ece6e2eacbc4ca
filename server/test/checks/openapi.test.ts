import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { after, before, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Validator } from '@seriousme/openapi-schema-validator';
import { openapi } from '../../areas/sites/reference/openapi/openapi.ts';
import { hasCsv } from '../../kernel/api/requests/input.ts';
import { nameOf } from '../../areas/sites/reference/openapi/openapi-schemas.ts';
import { bodyAt, codesAt, follow, parametersAt, responseAt } from './openapi-refs.ts';
import { kindOf } from '../../kernel/base/problem.ts';
import { registry } from '../../app.ts';
import { RELEASE } from '../../kernel/base/release.ts';
import { WRITTEN_ONCE } from '../../areas/sites/reference/openapi/openapi-shared.ts';
import { Variants } from '../../kernel/base/fields/kinds.ts';
import { startWorld, type World } from '../world.ts';
import { violation } from './conformance.ts';
import type { Shape } from '../../kernel/base/fields/field.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

const declared = registry();
const document = JSON.parse(JSON.stringify(openapi(declared)));

const operationsOf = ({ paths }: Record<string, any>): string[] =>
  Object.entries<any>(paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((key) => key !== 'parameters')
      .map((method) => `${method.toUpperCase()} ${path}`),
  );

test('the document is valid OpenAPI 3.1', async () => {
  const result = await new Validator().validate(structuredClone(document));
  assert.equal(result.valid, true, JSON.stringify(result, null, 1).slice(0, 2000));
});

test('the document names the release of the service', () => {
  assert.equal(document.info['x-release'], RELEASE);
});

test('every declared operation is in the document, with its topic, its modes and an answer, and nothing else is', () => {
  const documented = operationsOf(document);
  assert.deepEqual(documented.toSorted(), declared.endpoints.map((e) => `${e.method} ${e.path}`).toSorted());
  for (const endpoint of declared.endpoints) {
    const operation = document.paths[endpoint.path][endpoint.method.toLowerCase()];
    assert.deepEqual(operation.tags, [endpoint.topic]);
    assert.equal((operation['x-modes'] ?? ['provider']).includes('customer'), endpoint.who.customer);
    const answer = follow(document, operation.responses[endpoint.status]);
    assert.ok(answer, `${endpoint.method} ${endpoint.path}`);
    const { returns } = endpoint;
    const types =
      returns.kind === 'file'
        ? returns.types
        : returns.kind === 'stream'
          ? ['text/event-stream']
          : ['application/json', ...(hasCsv(returns) ? ['text/csv'] : [])];
    if (endpoint.status !== 204) assert.deepEqual(Object.keys(answer.content), types);
    for (const { code, status } of endpoint.problems.map(kindOf)) {
      const general = responseAt(document, { responses: { default: operation.responses.default } }, 400)!['x-codes'];
      assert.ok(
        general.includes(code) || codesAt(document, operation).includes(code),
        `${endpoint.method} ${endpoint.path}: ${code}`,
      );
      assert.ok(responseAt(document, operation, status)!['x-codes'].includes(code));
    }
  }
});

test('every field description is in the document', () => {
  const missing: string[] = [];
  const walk = (shape: Shape, properties: Record<string, any>, at: string) => {
    for (const [name, { spec }] of Object.entries(shape)) {
      const schema = properties[name];
      if (spec.description !== undefined && schema?.description !== spec.description) missing.push(`${at}.${name}`);
      if (spec.shape) walk(spec.shape, follow(document, schema.anyOf?.[0] ?? schema).properties, `${at}.${name}`);
    }
  };
  for (const [name, resource] of declared.resources) {
    const schema = document.components.schemas[nameOf(resource)];
    const forms = [schema, ...(schema.oneOf ?? []).map((one: object) => follow(document, one))];
    walk(resource.fields, Object.assign({}, ...forms.map(({ properties }) => properties)), name);
  }
  assert.deepEqual(missing, []);
});

test('every schema with alternatives lists at least one', () => {
  const empty: string[] = [];
  const walk = (node: unknown, at: string) => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, inner] of Object.entries(node)) {
      if (key === 'enum' && Array.isArray(inner) && inner.every((value) => value === null)) empty.push(at);
      walk(inner, `${at}/${key}`);
    }
  };
  walk(document, '#');
  assert.deepEqual(empty, []);
  const { subject } = document.components.schemas.AccountEntryPayload.properties;
  assert.ok(follow(document, subject.properties.object).enum.includes('customermembership'));
});

const IS_ASKED = /^(is|has|can|makes)_|_makes_|^late$/;

test('every property whose name reads as a question is a boolean', () => {
  const found: string[] = [];
  const walk = (shape: Shape, at: string) => {
    for (const [name, { spec }] of Object.entries(shape)) {
      if (IS_ASKED.test(name)) found.push(`${at}.${name} ${spec.schema.type}`);
      if (spec.shape) walk(spec.shape, `${at}.${name}`);
    }
  };
  for (const [name, { fields }] of declared.resources) walk(fields, name);
  for (const { path, returns } of declared.endpoints)
    if ('shape' in returns && !(returns.shape instanceof Variants)) walk(returns.shape, path);
  assert.deepEqual(
    found.filter((one) => !one.endsWith(' boolean')),
    [],
  );
  for (const one of [
    'event.is_appointment',
    'customermembership.is_set_for_cancellation',
    'customermembership.discount_code_makes_free_forever',
  ])
    assert.ok(found.includes(`${one} boolean`), one);
});

test('the document is the same every time, and is served without a credential', async () => {
  assert.equal(JSON.stringify(openapi(registry())), JSON.stringify(document));
  const served = await fetch(`${world.url}/api/v2/openapi.json`);
  assert.equal(served.status, 200);
  assert.deepEqual(await served.json(), document);
  const again = await fetch(`${world.url}/api/v2/openapi.json`, {
    headers: { 'if-none-match': served.headers.get('etag')! },
  });
  assert.equal(again.status, 304);
  await again.text();
});

test('nothing is written out twice: repeated schemas are references', () => {
  const seen = new Map<string, string>();
  const twice: string[] = [];
  const walk = (node: unknown, at: string) => {
    if (typeof node !== 'object' || node === null) return;
    const { description: _ofThePlace, ...form } = node as Record<string, unknown>;
    const text = JSON.stringify(form);
    const written = text.replaceAll(/\{"\$ref":"[^"]+"\}/g, '');
    if (!Array.isArray(node) && written.length > 2 * WRITTEN_ONCE) {
      if (seen.has(text)) twice.push(`${at} is ${seen.get(text)}`);
      else seen.set(text, at);
    }
    for (const [key, inner] of Object.entries(node)) walk(inner, `${at}/${key}`);
  };
  walk(document, '#');
  assert.deepEqual(twice, []);
});

test('a schema is named after its meaning, never by a number', () => {
  const numbered = Object.keys(document.components.schemas).filter((name) => /\d$/.test(name));
  assert.deepEqual(numbered, []);
});

test('a schema that several places share is not named after one of them', () => {
  const { schemas } = document.components;
  assert.ok(!('BroadcastMessageStatusList' in schemas));
  assert.ok(schemas.AttendanceStatusList.items.enum.includes('attended'));
  assert.deepEqual(Object.keys(schemas.TimeRange.properties), ['start', 'end']);
  assert.ok(schemas.ReportInvoiceStatus.enum.includes('pending_online'));
  for (const name of ['EmailTemplate', 'ClosureNotice', 'ReportColumnType', 'StoreOrderStatusList', 'TimeRanges'])
    assert.ok(name in schemas, name);
});

test('a parameter that is named after an area is taken by the operations of that area alone', () => {
  const foreign: string[] = [];
  for (const [path, item] of Object.entries<any>(document.paths))
    for (const [method, operation] of Object.entries<any>(item)) {
      if (method === 'parameters') continue;
      for (const { $ref = '' } of [...(item.parameters ?? []), ...(operation.parameters ?? [])]) {
        const name = $ref.replace('#/components/parameters/', '');
        const plain = $ref && follow(document, { $ref }).name;
        if (name !== plain && name !== `${operation.tags[0]}_${plain}`) foreign.push(`${method} ${path} ${name}`);
      }
    }
  assert.deepEqual(foreign, []);
});

test('a schema of one report has its name, and a schema of several has none of their names', () => {
  const { schemas, parameters } = document.components;
  const reports = Object.keys(schemas).flatMap((name) => name.match(/^(.+)ReportColumns$/)?.slice(1) ?? []);
  assert.ok(reports.length > 20, String(reports));
  for (const name of reports) {
    const others = Object.keys(schemas).filter((one) => !one.startsWith(name) && one.includes('Report'));
    const users = others.filter((one) => JSON.stringify(schemas[one]).includes(`/${name}Report`));
    assert.deepEqual(
      users.filter((one) => !one.startsWith(`Reports${name}`)),
      [],
      name,
    );
  }
  assert.deepEqual(
    Object.keys(parameters).filter((name) => /^report_.*(page|sort|group)$/.test(name)),
    [],
  );
});

test('the data, the groups and the export of a report share its filters', () => {
  const { schemas } = document.components;
  const $ref = '#/components/schemas/CustomersReportFilters';
  for (const path of ['/reports/customers/data', '/reports/customers.grouped/data']) {
    const taken = document.paths[path].parameters.map((one: object) => follow(document, one));
    const filters = taken.find((one: any) => one.schema.$ref === $ref);
    assert.deepEqual([filters.style, filters.explode], ['form', true], path);
    const names = parametersAt(document, 'GET', path).map(({ name }) => name);
    for (const name of ['columns', 'created_at_gte', 'sort', 'limit', 'offset'])
      assert.ok(names.includes(name), `${path} ${name}`);
  }
  for (const name of ['ReportsCustomersExportBody', 'ReportsCustomersGroupedExportBody'])
    assert.ok(JSON.stringify(schemas[name].allOf).includes($ref), name);
  const body = bodyAt(document, 'POST', '/reports/customers.grouped/export').properties;
  for (const name of ['columns', 'created_at_gte', 'sort', 'format']) assert.ok(name in body, name);
});

test('a long response schema has a name, and is not inline in its operation', () => {
  for (const [path, item] of Object.entries<any>(document.paths))
    for (const [method, operation] of Object.entries<any>(item))
      for (const [status, written] of Object.entries<any>(operation.responses ?? {}))
        assert.ok(JSON.stringify(written).length < 1500, `${method} ${path} ${status}`);
});

test('the document stays small: under 1.8 KB for an operation, and under 60 KB for a topic', async () => {
  const { length } = JSON.stringify(document);
  assert.ok(
    length < 1.8 * 1024 * declared.endpoints.length,
    `${length} bytes for ${declared.endpoints.length} operations`,
  );
  for (const { name } of document.tags) {
    const part = await (await fetch(`${world.url}/api/v2/openapi.json?tag=${name}`)).text();
    assert.ok(part.length < 60 * 1024, `${name}: ${part.length}`);
  }
});

/** Returns a document in which each of these addresses exists, and nothing else. */
function skeletonOf(addresses: Iterable<string>): Record<string, any> {
  const skeleton: Record<string, any> = {};
  for (const address of addresses)
    address
      .split('/')
      .slice(1)
      .reduce((node, key) => (node[key.replaceAll('~1', '/').replaceAll('~0', '~')] ??= {}), skeleton);
  return skeleton;
}

test('a part has the operations of its tags, and everything it refers to is in the part or in the whole document', async () => {
  // One validator for all parts: it loads the rules for documents once.
  const validator = new Validator();
  for (const tags of [...document.tags.map((t: { name: string }) => t.name), 'schedule,venues']) {
    const part: any = await (await fetch(`${world.url}/api/v2/openapi.json?tag=${tags}`)).json();
    const wanted = declared.endpoints
      .filter((e) => tags.split(',').includes(e.topic))
      .map((e) => `${e.method} ${e.path}`);
    assert.deepEqual(operationsOf(part).toSorted(), wanted.toSorted());
    const refs = new Set([...JSON.stringify(part).matchAll(/"\$ref":"([^"]+)"/g)].map((m) => m[1]));
    const outside: string[] = [];
    for (const $ref of refs) {
      const [file, at] = $ref.split('#');
      assert.ok(['', 'openapi.json'].includes(file), $ref);
      assert.ok(follow(file === '' ? part : document, { $ref: `#${at}` }), $ref);
      if (file !== '') outside.push(at);
    }
    // Other tests show that these are in the whole document, and that it is valid.
    await validator.addSpecRef(skeletonOf(outside), 'openapi.json');
    const { valid, errors } = await validator.validate(part);
    assert.equal(valid, true, `${tags}: ${JSON.stringify(errors)}`);
  }
  const wrong = await fetch(`${world.url}/api/v2/openapi.json?tag=nothing`);
  assert.equal(wrong.status, 400);
  assert.match(JSON.stringify(await wrong.json()), /Must be one of: /);
});

test('a response that is the same for everybody is compressed for clients that accept it, and not sent again to those that already have it', async () => {
  const { port } = new URL(world.url);
  const ask = async (path: string, headers: Record<string, string>) => {
    const request = get({ port, path, headers, host: '127.0.0.1' });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) };
  };
  const decode = { br: brotliDecompressSync, gzip: gunzipSync } as const;
  for (const path of [
    '/api/v2/openapi.json',
    '/docs',
    '/docs/reference/schedule',
    '/docs/errors',
    '/docs/permissions',
  ]) {
    const plain = await ask(path, {});
    assert.equal(plain.headers['content-encoding'], undefined);
    for (const [encoding, accept] of [
      ['br', 'gzip, deflate, br'],
      ['gzip', 'gzip'],
      ['gzip', 'br;q=0, gzip'],
    ] as const) {
      const packed = await ask(path, { 'accept-encoding': accept });
      assert.deepEqual([packed.headers['content-encoding'], packed.headers.vary], [encoding, 'accept-encoding']);
      assert.ok(packed.body.length < plain.body.length / 2);
      assert.deepEqual(decode[encoding](packed.body), plain.body);
      assert.notEqual(packed.headers.etag, plain.headers.etag);
      assert.equal((await ask(path, { 'accept-encoding': accept, 'if-none-match': packed.headers.etag! })).status, 304);
    }
  }
});

test('a response that does not match the document is reported', async () => {
  const answer = await world.get('/venues', { as: world.machine });
  const changed = (body: unknown, status = answer.status) => violation('GET', '/venues', { ...answer, status, body });
  assert.equal(changed(answer.body), null);
  assert.match(changed({ ...answer.body, count: 'many' })!, /count/);
  assert.match(changed({ ...answer.body, more: 1 })!, /unevaluated/);
  assert.match(changed(answer.body, 418)!, /418 is not documented/);
  assert.match(violation('GET', '/nowhere', answer)!, /no operation is documented/);
  const refused = await world.get('/venues');
  assert.equal(refused.status, 200);
  const made = await world.post('/customers', { as: world.machine, body: {} });
  assert.match(
    violation('POST', '/customers', { ...made, body: { ...made.body, code: 'event_full' } })!,
    /event_full is not documented/,
  );
});
