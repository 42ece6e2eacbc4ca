import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { BODY_LIMIT, querySchema } from '../../kernel/api/input.ts';
import { isWrite } from '../../kernel/api/contract.ts';
import { startWorld, type ApiAnswer, type World } from '../world.ts';
import { seed } from '../seeds.ts';
import { callerOf, Complaints, forAll, nameOf, pathWith, sampleBody, targetOf } from './cases.ts';
import type { Declared } from '../../kernel/api/contract.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

/** An endpoint with what a well-meant call of it looks like. Every JSON answer is held against the document besides. */
interface Aim {
  readonly endpoint: Declared;
  readonly path: string;
  readonly as: string | undefined;
  readonly body: Record<string, unknown>;
}

async function aims(of: (endpoint: Declared) => boolean): Promise<Aim[]> {
  const found: Aim[] = [];
  for (const endpoint of world.app.registry.endpoints.filter(of)) {
    const target = targetOf(endpoint);
    found.push({ endpoint, path: pathWith(endpoint, target ? await seed(world, target) : 1), as: await callerOf(world, endpoint), body: await sampleBody(world, endpoint) });
  }
  return found;
}

function survives({ status, body, text }: ApiAnswer): void {
  assert.ok(status < 500, text.slice(0, 300));
  if (status >= 400) assert.equal(typeof body?.code, 'string', text.slice(0, 300));
}

async function overAims(of: (endpoint: Declared) => boolean, shots: (aim: Aim) => [what: string, shot: () => Promise<void>][]): Promise<void> {
  const complaints = new Complaints();
  const all = (await aims(of)).flatMap((aim) => shots(aim).map(([what, shot]) => ({ what: `${nameOf(aim.endpoint)} ${what}`, shot })));
  await forAll(all, ({ what, shot }) => complaints.of(what, shot));
  complaints.throwIfAny();
}

const send = ({ endpoint, path, as }: Aim, body: string, headers: Record<string, string> = {}) => world.ask(endpoint.method, path, { as, body, headers });

const BODIES: [what: string, body: string, status: number][] = [
  ['no JSON', '{"a":', 400],
  ['null', 'null', 400],
  ['a list', '[]', 400],
  ['a text', '"x"', 400],
  ['a number', '1e400', 400],
  ['deep lists', '['.repeat(100_000), 400],
  ['deep lists that end', '['.repeat(20_000) + ']'.repeat(20_000), 400],
  ['deep objects', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`, 400],
  ['the names of every object', '{"__proto__":{"a":1},"constructor":1,"toString":1,"hasOwnProperty":1}', 400],
  ['a name of no letters', '{"":1,"\\u0000":2,"a.b":3}', 400],
  ['a long name', `{"${'n'.repeat(50_000)}":1}`, 400],
  ['bytes that are no text', '\uFFFD\u0000', 400],
];

test('a body that is none is refused by every endpoint that takes one', () =>
  overAims(isWrite, (aim) =>
    BODIES.map(([what, body, status]) => [what, async () => {
      const answer = await send(aim, body);
      assert.equal(answer.status, status, answer.text.slice(0, 300));
      assert.equal(answer.body.code, 'parameter_invalid');
    }]),
  ));

test('a body over the limit is 413 everywhere, of another kind 415, and a form may not have no end', () =>
  overAims(isWrite, (aim) => [
    ['too large', async () => {
      const { status, body } = await send(aim, `{"a":"${'x'.repeat(BODY_LIMIT)}"}`);
      assert.deepEqual([status, body.code], [413, 'body_too_large']);
    }],
    ['of another kind', async () => {
      for (const type of ['text/plain', 'application/xml', 'image/png', 'application/jsonp', 'nonsense', 'a/b/c;;;']) {
        const { status, body } = await send(aim, 'x', { 'content-type': type });
        assert.deepEqual([status, body.code], [415, 'unsupported_media_type'], type);
      }
    }],
    ['forms', async () => {
      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      for (const text of ['a=1&'.repeat(1001), '__proto__.a=1&constructor.prototype.b=2', `${'a.'.repeat(5000)}=1`, 'a=1&a.b=2&a.b.c=3', '%ZZ=%', '=', 'a[b][c]=1']) {
        const answer = await send(aim, text, form);
        survives(answer);
        assert.equal(answer.status, 400, answer.text);
      }
    }],
  ]));

const VALUES: unknown[] = [
  null, true, 1.5, -1, 2 ** 53 + 2, 1e308, '', ' ', 'x'.repeat(10_001), [], {}, [[]], [null], { $gt: '' }, "'; DROP TABLE customer; --", '<script>alert(1)</script>', 'a\u0000b', '\uD800', '\u202E\u200B',
  '9999-99-99', '2026-02-30T25:00:00Z', '+275760-09-13T00:00:00Z', '0000-01-01T00:00:00Z', '999999999999999999999', '{"a":1}', '__proto__',
];

test('no value of any property of a body makes the service fail', () =>
  overAims(isWrite, (aim) =>
    Object.keys(aim.endpoint.body ?? {}).flatMap((name) =>
      VALUES.map((value): [string, () => Promise<void>] => [`${name} = ${JSON.stringify(value).slice(0, 40)}`, async () => survives(await send(aim, JSON.stringify({ ...aim.body, [name]: value })))]),
    ),
  ));

test('no value deep inside a body makes the service fail', () =>
  overAims(isWrite, (aim) =>
    Object.entries(aim.endpoint.body ?? {}).flatMap(([name, { spec }]) => {
      const inside = Object.keys(spec.schema.properties ?? spec.schema.items?.properties ?? {});
      const list = spec.schema.type === 'array';
      if (!list && spec.schema.type !== 'object') return [];
      return [...inside, 'unknown'].flatMap((inner) =>
        VALUES.map((value): [string, () => Promise<void>] => [`${name}.${inner} = ${JSON.stringify(value).slice(0, 40)}`, async () => {
          const held = { [inner]: value };
          survives(await send(aim, JSON.stringify({ ...aim.body, [name]: list ? [held, value] : held })));
        }]),
      );
    }),
  ));

const QUERIES = ['-1', '0', '1e9', 'NaN', '999999999999999999999', '9007199254740993', '1.5', '%00', '%ED%A0%80', '%FF', '%', '%ZZ', 'x'.repeat(5000), ',,,', '1,,2,', "' OR 1=1 --", '<b>', '[]', '{}', 'null', 'true,false',
  'a.b.c.d', '__proto__', 'constructor.name', '%25', '\\', '_', '2026-02-30', '2026-01-01T00:00:00+99:99', '-271821-04-20T00:00:00Z', '9999-12-31T23:59:59Z', '0001-01-01'];

test('no value of any parameter makes the service fail', () =>
  overAims(() => true, (aim) =>
    Object.keys(querySchema(aim.endpoint)).flatMap((name) =>
      QUERIES.map((value): [string, () => Promise<void>] => [`?${name}=${value.slice(0, 40)}`, async () => {
        const answer = await world.ask(aim.endpoint.method, `${aim.path}?${name}=${value}`, { as: aim.as, body: isWrite(aim.endpoint) ? {} : undefined });
        // In XML the code is not read here.
        assert.ok(answer.status < 500, answer.text.slice(0, 300));
      }]),
    ),
  ));

test('a page that cannot be is refused by name, and one after the last is empty', () =>
  overAims((e) => 'page' in e.query && !e.path.includes('{'), (aim) => [
    ['page', async () => {
      for (const page of ['0', '-1', 'x', '1.5', '99999999999']) {
        const { status, body } = await world.get(`${aim.path}?page=${page}`, { as: aim.as });
        assert.deepEqual([status, Object.keys(body.field_errors)], [400, ['page']], page);
      }
      const past = await world.get(`${aim.path}?page=1000000`, { as: aim.as });
      if (past.status === 200) assert.deepEqual([past.body.results, past.body.next], [[], null]);
      else assert.equal(past.body.code, 'parameter_invalid');
    }],
  ]));

test('nothing in a header makes the service fail', () =>
  overAims(() => true, (aim) => {
    const headers: Record<string, string>[] = [
      { 'idempotency-key': 'x'.repeat(256) }, { 'idempotency-key': 'with space' }, { 'idempotency-key': '\u00e9' }, { 'if-match': '"nothing"' }, { 'if-match': ',,,' }, { 'if-none-match': '*, "' },
      { prefer: 'handling=strict; wait=x,,' }, { accept: 'nonsense' }, { accept: '*/*;q=0' }, { 'service-provider-id': '1e3' }, { 'service-provider-id': '9'.repeat(40) }, { 'service-request-mode': 'PROVIDER' },
      { traceparent: 'x'.repeat(1000) }, { 'x-forwarded-host': 'evil.example' }, { 'content-encoding': 'gzip' },
    ];
    return headers.map((header): [string, () => Promise<void>] => [JSON.stringify(header).slice(0, 60), async () => {
      const answer = await world.ask(aim.endpoint.method, aim.path, { as: aim.as, headers: header, body: isWrite(aim.endpoint) ? aim.body : undefined });
      survives(answer);
    }]);
  }));

const SEGMENTS = ['%00', '%ff', '%E0%A4%A', '..', '..%2f..', 'a'.repeat(199), 'a'.repeat(250), '%20', "'", '💩', '%F0%9F%92%A9', '__proto__', ':', '*', '{id}'];

test('no segment of a path makes the service fail', async () => {
  const complaints = new Complaints();
  const all = (await aims((e) => e.path.includes('{'))).flatMap((aim) => SEGMENTS.map((segment) => ({ aim, segment })));
  await forAll(all, ({ aim: { endpoint, as, body }, segment }) =>
    complaints.of(`${nameOf(endpoint)} with ${segment.slice(0, 20)}`, async () => {
      const path = endpoint.path.replaceAll(/\{[^}]+\}/g, segment);
      survives(await world.ask(endpoint.method, path, { as, body: isWrite(endpoint) ? body : undefined }));
    }),
  );
  complaints.throwIfAny();
});

/** What a client may write that fetch would not. */
function rawRequest(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(world.url).port), '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk)).on('close', () => resolve(answer)).on('error', reject);
    socket.end(text);
  });
}

test('an address or a request that is malformed is refused as a problem', async () => {
  const requests = [
    'GET /api/v2/customers/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    `GET /api/v2/${'a'.repeat(9000)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    'GET //api/v2//customers HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'POST /api/v2/customers HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 5\r\nConnection: close\r\n\r\n{"a"',
    'GET /api/v2/customers?fields=\u0001 HTTP/1.1\r\nHost: evil.example/<script>\r\nConnection: close\r\n\r\n',
    'NONSENSE /api/v2/customers HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'hello\r\n\r\n',
  ];
  for (const request of requests) {
    const answer = await rawRequest(request);
    if (answer === '') continue;
    assert.match(answer, /^HTTP\/1\.1 4\d\d /, `${request.slice(0, 60)} → ${answer.slice(0, 300)}`);
    assert.doesNotMatch(answer, /at .*\.ts|node_modules|stack/i);
    assert.match(answer, /"code":"[a-z_]+"/, `${request.slice(0, 60)} → ${answer.slice(0, 600)}`);
  }
});

test('the service is well after all this', async () => {
  assert.equal((await fetch(`${world.url}/readyz`).then((r) => r.status)), 200);
  assert.equal((await world.get('/providers', { as: world.machine })).status, 200);
});
