/**
 * Queries, headers and paths that nobody means well with, at every endpoint. Whether a value of a parameter is refused is
 * decided by reading alone; a request shows once for each endpoint that all of its parameters are read that way, and
 * what becomes of the most telling values that are taken, of all parameters together.
 *
 * In turns from change to change, all of them in `npm run test:all`: further values together; one parameter alone with
 * values that reading takes, beyond the first of each form; and further endpoints with a header or a path that is read alike everywhere.
 */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { nameOf, sampleQuery, withQuery } from './cases.ts';
import { inTurns } from '../rare.ts';
import { isWrite, pathParameters } from '../../kernel/api/contract.ts';
import { flatQuery, querySchema, SELECTING, STANDARD, TRYING } from '../../kernel/api/input.ts';
import { Issues } from '../../kernel/base/problem.ts';
import { readField, type Field } from '../../kernel/base/fields/field.ts';
import { schemaOf } from '../../kernel/base/fields/kinds.ts';
import { PATIENT } from '../hasty.ts';
import { startWorld, type ApiAnswer, type World } from '../world.ts';
import {
  aims,
  callForm,
  exactFormOf,
  firstOfEach,
  formOf,
  formsAndTurns,
  isNarrow,
  onceForEachForm,
  shootAll,
  survives,
  telling,
  type Aim,
  type Shots,
} from './aims.ts';

let world: World;
let all: Aim[];
before(async () => {
  // Many ask at the same time: a busy machine must not refuse any of them.
  world = await startWorld({ patience: PATIENT });
  all = await aims(world, () => true);
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

/** Those that would show a condition or a pattern that is put together wrongly. */
const TELLING = ["' OR 1=1 --", '\\'];

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

/** A parameter of a query, with an endpoint that takes it. */
interface Parameter {
  readonly aim: Aim;
  readonly name: string;
  readonly field: Field<any>;
}

const parametersOf = (aim: Aim): Parameter[] =>
  Object.entries(querySchema(aim.endpoint)).map(([name, field]) => ({ aim, name, field }));

const valuesFor = ({ field }: Parameter): string[] => (isNarrow(field.spec.schema) ? NARROW : QUERIES);

const asking = (
  { aim, name }: Parameter,
  value: string,
  check: (answer: ApiAnswer) => void,
): [string, () => Promise<void>] => [
  `?${name}=${value.slice(0, 40)}`,
  async () => {
    // A short page: it is the parameter that is looked at, not the rows.
    const short = name !== 'page_size' && 'page_size' in aim.endpoint.query ? '&page_size=1' : '';
    check(
      await world.ask(aim.endpoint.method, `${aim.path}?${name}=${value}${short}`, {
        as: aim.as,
        body: bodyFor(aim),
      }),
    );
  },
];

/** In XML the code is not read here. */
const isNoFailure = ({ status, text }: ApiAnswer): void => assert.ok(status < 500, text.slice(0, 300));

/** What reading makes of a value; null: it refuses it. */
function reading({ name, field }: Parameter, value: string): { value: unknown } | null {
  const issues = new Issues();
  const flat = flatQuery({ [name]: new URLSearchParams(`v=${value}`).get('v')! });
  const read = readField(field, flat[name], name, { issues, text: true, zone: 'UTC' });
  return Object.keys(issues.fields).length > 0 ? null : { value: read };
}

test('reading takes or refuses every hostile value of every parameter', () => {
  for (const parameter of all.flatMap(parametersOf)) {
    for (const value of QUERIES)
      assert.doesNotThrow(
        () => reading(parameter, value),
        `${nameOf(parameter.aim.endpoint)} ${parameter.name}=${value}`,
      );
  }
});

// Guards against: SQL in a value
test('no hostile value of any form of parameter makes the service fail', () =>
  shootAll(
    firstOfEach(all.flatMap(parametersOf), ({ field }) => formOf(schemaOf(field))).map((parameter) => [
      parameter.aim,
      telling(valuesFor(parameter), (value) => reading(parameter, value) !== null).map((value) =>
        asking(parameter, value, isNoFailure),
      ),
    ]),
  ));

/** What every endpoint takes alike is no column of its own. */
const STANDARD_NAMES = new Set(Object.keys({ ...STANDARD, ...SELECTING, ...TRYING }));

/** A number, a date or an instant meets a column of its own. Texts are all compared alike: two will do. */
function taken(parameter: Parameter): string[] {
  const values = valuesFor(parameter).filter((value) => reading(parameter, value));
  const isText = (value: string) => typeof reading(parameter, value)!.value === 'string';
  const texts = values.filter(isText).toSorted((a, b) => Number(TELLING.includes(b)) - Number(TELLING.includes(a)));
  return [...values.filter((value) => !isText(value)), ...texts.slice(0, 2)];
}

const ownParametersOf = (aim: Aim): Parameter[] => parametersOf(aim).filter(({ name }) => !STANDARD_NAMES.has(name));

const bodyFor = ({ endpoint }: Aim): unknown => (isWrite(endpoint) ? {} : undefined);

/** The hostile values that reading takes, of all parameters of an endpoint together: always the first of each. */
function together(aim: Aim): Shots {
  const all = ownParametersOf(aim).map((parameter) => ({ parameter, values: taken(parameter) }));
  const most = Math.max(0, ...all.map(({ values }) => values.length));
  const [first, ...others] = Array.from({ length: most }, (_, round) => round);
  return (first === undefined ? [] : [first, ...inTurns(others)]).map((round) => {
    const query = all.flatMap(({ parameter, values }) => (values[round] ? [`${parameter.name}=${values[round]}`] : []));
    return [
      `?${query.join('&').slice(0, 200)}`,
      async () =>
        isNoFailure(
          await world.ask(aim.endpoint.method, withQuery(aim.path, ...query), { as: aim.as, body: bodyFor(aim) }),
        ),
    ];
  });
}

test('all parameters of an endpoint together do not make the service fail by hostile values that reading takes', () =>
  shootAll(all.map((aim) => [aim, together(aim)])));

test('no parameter alone makes the service fail by a hostile value that reading takes', () =>
  shootAll(
    formsAndTurns(
      all.flatMap(ownParametersOf).filter((parameter) => taken(parameter).length > 0),
      ({ field }) => exactFormOf(schemaOf(field)),
    ).map((parameter) => [parameter.aim, taken(parameter).map((value) => asking(parameter, value, isNoFailure))]),
  ));

/** Fewer than a refusal lists: what is required and missing is among them. */
const AT_ONCE = 15;

test('every parameter is read as it is declared: a wrong value is refused by its name', () =>
  shootAll(
    all.map((aim) => {
      const wrong = parametersOf(aim).flatMap((parameter) => {
        const value = valuesFor(parameter).find((one) => !reading(parameter, one));
        return value === undefined || parameter.name === 'format' ? [] : [{ name: parameter.name, value }];
      });
      return [aim, inParts(wrong, AT_ONCE).map((part) => refused(aim, part))];
    }),
  ));

const inParts = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, part) => all.slice(part * size, (part + 1) * size));

const refused = (aim: Aim, wrong: readonly { name: string; value: string }[]): Shots[number] => {
  const query = wrong.map(({ name, value }) => `${name}=${value}`);
  return [
    `?${query.map((one) => one.slice(0, 30)).join('&')}`,
    async () => {
      const path = withQuery(aim.path, ...query);
      const answer = await world.ask(aim.endpoint.method, path, { as: aim.as, body: bodyFor(aim) });
      assert.equal(answer.status, 400, answer.text.slice(0, 300));
      const missing = wrong.filter(({ name }) => !answer.body.field_errors?.[name]);
      assert.deepEqual(missing, [], answer.text.slice(0, 1000));
    },
  ];
};

test('a page that cannot be is refused by name, and one after the last is empty', () => {
  const lists = all.filter(({ endpoint: e }) => 'page' in e.query && !e.path.includes('{'));
  const representatives = new Set(firstOfEach(lists, callForm));
  return shootAll(
    lists.map((aim) => [
      aim,
      [
        [
          'page',
          async () => {
            const query = await sampleQuery(world, aim.endpoint);
            for (const page of representatives.has(aim) ? ['0', '-1', 'x', '1.5', '99999999999'] : ['0']) {
              const { status, body } = await world.get(withQuery(aim.path, query, `page=${page}`), { as: aim.as });
              assert.deepEqual([status, Object.keys(body.field_errors)], [400, ['page']], page);
            }
            const past = await world.get(withQuery(aim.path, query, 'page=1000000'), { as: aim.as });
            if (past.status === 200)
              assert.deepEqual([past.body.results ?? past.body.rows, past.body.next], [[], null]);
            else assert.equal(past.body.code, 'parameter_invalid');
          },
        ],
      ],
    ]),
  );
});

const HEADERS: Record<string, string>[] = [
  { 'if-match': '"nothing"' },
  { 'if-match': ',,,' },
  { 'idempotency-key': 'x'.repeat(256) },
  { 'idempotency-key': 'with space' },
  { 'idempotency-key': '\u00e9' },
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

// Guards against: Malformed HTTP
test('nothing in a header makes the service fail, wherever requests are read alike, nor a version that is none anywhere', () =>
  shootAll(
    onceForEachForm(all, (aim) =>
      HEADERS.map((headers) => [
        JSON.stringify(headers).slice(0, 60),
        async () => {
          const body = isWrite(aim.endpoint) ? aim.body : undefined;
          survives(await world.ask(aim.endpoint.method, aim.path, { as: aim.as, headers, body }));
        },
      ]),
    ),
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

/** What of a path is read like what of another. */
const pathForm = (aim: Aim): string => `${callForm(aim)} ${pathParameters(aim.endpoint.path).join()}`;

// Guards against: SQL in a value
test('no segment of a path makes the service fail, wherever paths are read alike, nor an empty character anywhere', () =>
  shootAll(
    onceForEachForm(
      all.filter(({ endpoint }) => endpoint.path.includes('{')),
      ({ endpoint, as, body }) =>
        SEGMENTS.map((segment) => [
          `with ${segment.slice(0, 20)}`,
          async () => {
            const path = endpoint.path.replaceAll(/\{[^}]+\}/g, segment);
            survives(await world.ask(endpoint.method, path, { as, body: isWrite(endpoint) ? body : undefined }));
          },
        ]),
      pathForm,
    ),
  ));

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

// Guards against: Malformed HTTP
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
