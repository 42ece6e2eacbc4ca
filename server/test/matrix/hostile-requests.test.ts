/**
 * Hostile queries, headers and paths at every endpoint. Parsing alone decides whether a parameter's value is refused.
 * One request for each endpoint shows that all of its parameters are parsed that way, and what happens to the most
 * revealing accepted values, of all parameters together.
 *
 * In turns from change to change, all of them in `npm run test:all`: four fifths of the endpoints with all parameters
 * together, and other values together; one parameter alone with accepted values, beyond the first of each form; and
 * other endpoints with a header or a path that is parsed alike everywhere.
 */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { nameOf, sampleQuery, withQuery } from './cases.ts';
import { inTurns } from '../rare.ts';
import { isWrite, pathParameters } from '../../kernel/api/contract.ts';
import { flatQuery, querySchema, SELECTING, STANDARD, TRYING } from '../../kernel/api/requests/input.ts';
import { Issues } from '../../kernel/base/problem.ts';
import { readField, type Field } from '../../kernel/base/fields/field.ts';
import { schemaOf } from '../../kernel/base/fields/kinds.ts';
import { startWorld, type ApiAnswer, type World } from '../world.ts';
import {
  aims,
  callForm,
  describeExactForm,
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
  // Some of the requests change what belongs to the whole installation.
  world = await startWorld({ own: true });
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

/** Values that reveal a badly built condition or pattern. */
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

/** A query parameter, with an endpoint that takes it. */
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
    // A short page: the test is about the parameter, not the rows.
    const short = name !== 'page_size' && 'page_size' in aim.endpoint.query ? '&page_size=1' : '';
    check(
      await world.ask(aim.endpoint.method, `${aim.path}?${name}=${value}${short}`, {
        as: aim.as,
        body: bodyFor(aim),
      }),
    );
  },
];

/** The response may be XML, so its code is not read here. */
const isNoFailure = ({ status, text }: ApiAnswer): void => assert.ok(status < 500, text.slice(0, 300));

/** Returns the parsed value; null if it is refused. */
function reading({ name, field }: Parameter, value: string): { value: unknown } | null {
  const issues = new Issues();
  const flat = flatQuery({ [name]: new URLSearchParams(`v=${value}`).get('v')! });
  const read = readField(field, flat[name], name, { issues, text: true, zone: 'UTC' });
  return Object.keys(issues.fields).length > 0 ? null : { value: read };
}

test('parsing accepts or refuses every hostile value of every parameter', () => {
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

/** Parameters that every endpoint takes have no column of their own. */
const STANDARD_NAMES = new Set(Object.keys({ ...STANDARD, ...SELECTING, ...TRYING }));

/**
 * Returns accepted hostile values of a parameter. Numbers, dates and instants are all kept, because they meet a column
 * with its own range. Texts are all compared alike, so two are enough.
 */
function taken(parameter: Parameter): string[] {
  const values = valuesFor(parameter).filter((value) => reading(parameter, value));
  const isText = (value: string) => typeof reading(parameter, value)!.value === 'string';
  const texts = values.filter(isText).toSorted((a, b) => Number(TELLING.includes(b)) - Number(TELLING.includes(a)));
  return [...values.filter((value) => !isText(value)), ...texts.slice(0, 2)];
}

const ownParametersOf = (aim: Aim): Parameter[] => parametersOf(aim).filter(({ name }) => !STANDARD_NAMES.has(name));

const bodyFor = ({ endpoint }: Aim): unknown => (isWrite(endpoint) ? {} : undefined);

/**
 * Returns the accepted hostile values of all parameters of an endpoint together, always including the first of each.
 */
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

test('accepted hostile values of all parameters of an endpoint together do not make the service fail', () =>
  shootAll(inTurns(all).map((aim) => [aim, together(aim)])));

test('no accepted hostile value of a single parameter makes the service fail', () =>
  shootAll(
    formsAndTurns(
      all.flatMap(ownParametersOf).filter((parameter) => taken(parameter).length > 0),
      ({ field }) => describeExactForm(schemaOf(field)),
    ).map((parameter) => [parameter.aim, taken(parameter).map((value) => asking(parameter, value, isNoFailure))]),
  ));

/** Fewer than a refusal lists, because missing required parameters are listed too. */
const AT_ONCE = 15;

test('every parameter is parsed as declared: a wrong value is refused under its name', () =>
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

test('an impossible page is refused by name, and a page after the last one is empty', () => {
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
test('no header makes the service fail at any form of endpoint, and an invalid version makes no endpoint fail', () =>
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

/** Returns the form of a path: paths with the same form are parsed alike. */
const pathForm = (aim: Aim): string => `${callForm(aim)} ${pathParameters(aim.endpoint.path).join()}`;

// Guards against: SQL in a value
test('no path segment makes the service fail at any form of path, and a null character makes no endpoint fail', () =>
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

/** Sends a request that a client may write but fetch would not. */
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
test('a malformed address or request is refused as a problem', async () => {
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

test('the service still works after all this', async () => {
  assert.equal(await fetch(`${world.url}/readyz`).then((r) => r.status), 200);
  assert.equal((await world.get('/providers', { as: world.machine })).status, 200);
});
