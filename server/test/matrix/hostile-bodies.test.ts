import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { BODY_LIMIT } from '../../kernel/api/input.ts';
import { isWrite } from '../../kernel/api/contract.ts';
import { startWorld, type World } from '../world.ts';
import { isNarrow, overAims, survives, type Aim } from './aims.ts';
import type { JsonSchema } from '../../kernel/api/field.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

const send = ({ endpoint, path, as }: Aim, body: string, headers: Record<string, string> = {}) =>
  world.ask(endpoint.method, path, { as, body, headers });

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
  overAims(world, isWrite, (aim) =>
    BODIES.map(([what, body, status]) => [
      what,
      async () => {
        const answer = await send(aim, body);
        assert.equal(answer.status, status, answer.text.slice(0, 300));
        assert.equal(answer.body.code, 'parameter_invalid');
      },
    ]),
  ));

test('a body over the limit is 413 everywhere, of another kind 415, and a form may not have no end', () =>
  overAims(world, isWrite, (aim) => [
    [
      'too large',
      async () => {
        const { status, body } = await send(aim, `{"a":"${'x'.repeat(BODY_LIMIT)}"}`);
        assert.deepEqual([status, body.code], [413, 'body_too_large']);
      },
    ],
    [
      'of another kind',
      async () => {
        for (const type of [
          'text/plain',
          'application/xml',
          'image/png',
          'application/jsonp',
          'nonsense',
          'a/b/c;;;',
        ]) {
          const { status, body } = await send(aim, 'x', { 'content-type': type });
          assert.deepEqual([status, body.code], [415, 'unsupported_media_type'], type);
        }
      },
    ],
    [
      'forms',
      async () => {
        const form = { 'content-type': 'application/x-www-form-urlencoded' };
        for (const text of [
          'a=1&'.repeat(1001),
          '__proto__.a=1&constructor.prototype.b=2',
          `${'a.'.repeat(5000)}=1`,
          'a=1&a.b=2&a.b.c=3',
          '%ZZ=%',
          '=',
          'a[b][c]=1',
        ]) {
          const answer = await send(aim, text, form);
          survives(answer);
          assert.equal(answer.status, 400, answer.text);
        }
      },
    ],
  ]));

const VALUES: unknown[] = [
  null,
  true,
  1.5,
  -1,
  2 ** 53 + 2,
  1e308,
  '',
  ' ',
  'x'.repeat(10_001),
  [],
  {},
  [[]],
  [null],
  { $gt: '' },
  "'; DROP TABLE customer; --",
  '<script>alert(1)</script>',
  'a\u0000b',
  '\uD800',
  '\u202E\u200B',
  '9999-99-99',
  '2026-02-30T25:00:00Z',
  '+275760-09-13T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '999999999999999999999',
  '{"a":1}',
  '__proto__',
];

const NARROW: unknown[] = [null, '', '5', 1.5, -1, 2 ** 53 + 2, 1e308, [], {}, { $gt: '' }, '\uD800', '__proto__'];
const valuesFor = (schema: JsonSchema): unknown[] => (isNarrow(schema) ? NARROW : VALUES);

test('no value of any property of a body makes the service fail', () =>
  overAims(world, isWrite, (aim) =>
    Object.entries(aim.endpoint.body ?? {}).flatMap(([name, { spec }]) =>
      valuesFor(spec.schema).map((value): [string, () => Promise<void>] => [
        `${name} = ${JSON.stringify(value).slice(0, 40)}`,
        async () => survives(await send(aim, JSON.stringify({ ...aim.body, [name]: value }))),
      ]),
    ),
  ));

test('no value deep inside a body makes the service fail', () =>
  overAims(world, isWrite, (aim) =>
    Object.entries(aim.endpoint.body ?? {}).flatMap(([name, { spec }]) => {
      const inside: Record<string, JsonSchema> = spec.schema.properties ?? spec.schema.items?.properties ?? {};
      const list = spec.schema.type === 'array';
      if (!list && spec.schema.type !== 'object') return [];
      return Object.entries({ ...inside, unknown: { type: 'boolean' } }).flatMap(([inner, schema]) =>
        valuesFor(schema).map((value): [string, () => Promise<void>] => [
          `${name}.${inner} = ${JSON.stringify(value).slice(0, 40)}`,
          async () => {
            const held = { [inner]: value };
            survives(await send(aim, JSON.stringify({ ...aim.body, [name]: list ? [held, value] : held })));
          },
        ]),
      );
    }),
  ));

test('the service is well after all this', async () => {
  assert.equal(await fetch(`${world.url}/readyz`).then((r) => r.status), 200);
  assert.equal((await world.get('/providers', { as: world.machine })).status, 200);
});
