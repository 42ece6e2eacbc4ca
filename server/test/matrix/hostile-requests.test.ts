import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { isWrite } from '../../kernel/api/contract.ts';
import { querySchema } from '../../kernel/api/input.ts';
import { startWorld, type World } from '../world.ts';
import { aims, isNarrow, overAims, survives } from './aims.ts';
import { Complaints, forAll, nameOf } from './cases.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

const QUERIES = [
  '-1',
  '0',
  '1e9',
  'NaN',
  '999999999999999999999',
  '9007199254740993',
  '1.5',
  '%00',
  '%ED%A0%80',
  '%FF',
  '%',
  '%ZZ',
  'x'.repeat(5000),
  ',,,',
  '1,,2,',
  "' OR 1=1 --",
  '<b>',
  '[]',
  '{}',
  'null',
  'true,false',
  'a.b.c.d',
  '__proto__',
  'constructor.name',
  '%25',
  '\\',
  '_',
  '2026-02-30',
  '2026-01-01T00:00:00+99:99',
  '-271821-04-20T00:00:00Z',
  '9999-12-31T23:59:59Z',
  '0001-01-01',
];

const NARROW = [
  '-1',
  '1.5',
  '999999999999999999999',
  '9007199254740991',
  '%00',
  '%ED%A0%80',
  '%',
  'x'.repeat(5000),
  '1,,2,',
  '__proto__',
];

test('no value of any parameter makes the service fail', () =>
  overAims(
    world,
    () => true,
    (aim) =>
      Object.entries(querySchema(aim.endpoint)).flatMap(([name, { spec }]) =>
        (isNarrow(spec.schema) ? NARROW : QUERIES).map((value): [string, () => Promise<void>] => [
          `?${name}=${value.slice(0, 40)}`,
          async () => {
            // A short page: it is the parameter that is looked at, not the rows.
            const short = name !== 'page_size' && 'page_size' in aim.endpoint.query ? '&page_size=1' : '';
            const answer = await world.ask(aim.endpoint.method, `${aim.path}?${name}=${value}${short}`, {
              as: aim.as,
              body: isWrite(aim.endpoint) ? {} : undefined,
            });
            // In XML the code is not read here.
            assert.ok(answer.status < 500, answer.text.slice(0, 300));
          },
        ]),
      ),
  ));

test('a page that cannot be is refused by name, and one after the last is empty', () =>
  overAims(
    world,
    (e) => 'page' in e.query && !e.path.includes('{'),
    (aim) => [
      [
        'page',
        async () => {
          for (const page of ['0', '-1', 'x', '1.5', '99999999999']) {
            const { status, body } = await world.get(`${aim.path}?page=${page}`, { as: aim.as });
            assert.deepEqual([status, Object.keys(body.field_errors)], [400, ['page']], page);
          }
          const past = await world.get(`${aim.path}?page=1000000`, { as: aim.as });
          if (past.status === 200) assert.deepEqual([past.body.results, past.body.next], [[], null]);
          else assert.equal(past.body.code, 'parameter_invalid');
        },
      ],
    ],
  ));

test('nothing in a header makes the service fail', () =>
  overAims(
    world,
    () => true,
    (aim) => {
      const headers: Record<string, string>[] = [
        { 'idempotency-key': 'x'.repeat(256) },
        { 'idempotency-key': 'with space' },
        { 'idempotency-key': '\u00e9' },
        { 'if-match': '"nothing"' },
        { 'if-match': ',,,' },
        { 'if-none-match': '*, "' },
        { prefer: 'handling=strict; wait=x,,' },
        { accept: 'nonsense' },
        { accept: '*/*;q=0' },
        { 'service-provider-id': '1e3' },
        { 'service-provider-id': '9'.repeat(40) },
        { 'service-request-mode': 'PROVIDER' },
        { traceparent: 'x'.repeat(1000) },
        { 'x-forwarded-host': 'evil.example' },
        { 'content-encoding': 'gzip' },
      ];
      return headers.map((header): [string, () => Promise<void>] => [
        JSON.stringify(header).slice(0, 60),
        async () => {
          const answer = await world.ask(aim.endpoint.method, aim.path, {
            as: aim.as,
            headers: header,
            body: isWrite(aim.endpoint) ? aim.body : undefined,
          });
          survives(answer);
        },
      ]);
    },
  ));

const SEGMENTS = [
  '%00',
  '%ff',
  '%E0%A4%A',
  '..',
  '..%2f..',
  'a'.repeat(199),
  'a'.repeat(250),
  '%20',
  "'",
  '💩',
  '%F0%9F%92%A9',
  '__proto__',
  ':',
  '*',
  '{id}',
];

test('no segment of a path makes the service fail', async () => {
  const complaints = new Complaints();
  const all = (await aims(world, (e) => e.path.includes('{'))).flatMap((aim) =>
    SEGMENTS.map((segment) => ({ aim, segment })),
  );
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
    socket
      .on('data', (chunk) => (answer += chunk))
      .on('close', () => resolve(answer))
      .on('error', reject);
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
  assert.equal(await fetch(`${world.url}/readyz`).then((r) => r.status), 200);
  assert.equal((await world.get('/providers', { as: world.machine })).status, 200);
});
