import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { bodyLimitOf } from '../../kernel/api/input.ts';
import { isWrite } from '../../kernel/api/contract.ts';
import { startWorld, type ApiAnswer, type World } from '../world.ts';
import { aims, firstOfEach, formOf, isNarrow, onceForEachForm, shootAll, survives, type Aim } from './aims.ts';
import { Issues } from '../../kernel/api/problem.ts';
import { nameOf } from './cases.ts';
import { readField, type Field, type JsonSchema } from '../../kernel/api/field.ts';
import { schemaOf } from '../../kernel/api/kinds.ts';

let world: World;
let all: Aim[];
before(async () => {
  world = await startWorld();
  all = await aims(world, isWrite);
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

test('a body that is no JSON is refused by every endpoint that takes one, and whatever else is none wherever bodies are read alike', () =>
  shootAll(
    onceForEachForm(all, (aim) =>
      BODIES.map(([what, body, status]) => [
        what,
        async () => {
          const answer = await send(aim, body);
          assert.equal(answer.status, status, answer.text.slice(0, 300));
          assert.equal(answer.body.code, 'parameter_invalid');
        },
      ]),
    ),
  ));

const tooLarge = ({ endpoint }: Aim) => `{"a":"${'x'.repeat(bodyLimitOf(endpoint))}"}`;

test('a body over the limit is 413 everywhere', () =>
  shootAll(
    all.map((aim) => [
      aim,
      [
        [
          'too large',
          async () => {
            const { status, body } = await send(aim, tooLarge(aim));
            assert.deepEqual([status, body.code], [413, 'body_too_large']);
          },
        ],
      ],
    ]),
  ));

const TYPES = ['text/plain', 'application/xml', 'image/png', 'application/jsonp', 'nonsense', 'a/b/c;;;'];

test('a body of another kind is 415 everywhere, whatever kind that is', () =>
  shootAll(
    onceForEachForm(all, (aim) =>
      TYPES.map((type) => [
        type,
        async () => {
          const { status, body } = await send(aim, 'x', { 'content-type': type });
          assert.deepEqual([status, body.code], [415, 'unsupported_media_type'], type);
        },
      ]),
    ),
  ));

const FORMS = [
  '__proto__.a=1&constructor.prototype.b=2',
  'a=1&'.repeat(1001),
  `${'a.'.repeat(5000)}=1`,
  'a=1&a.b=2&a.b.c=3',
  '%ZZ=%',
  '=',
  'a[b][c]=1',
];

test('a form may not have no end, nor name what every object has', () =>
  shootAll(
    onceForEachForm(all, (aim) =>
      FORMS.map((text) => [
        `a form ${text.slice(0, 20)}`,
        async () => {
          const answer = await send(aim, text, { 'content-type': 'application/x-www-form-urlencoded' });
          survives(answer);
          assert.equal(answer.status, 400, answer.text);
        },
      ]),
    ),
  ));

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

/** A property of a body, with an endpoint that takes it. */
interface Property {
  readonly aim: Aim;
  readonly name: string;
  readonly field: Field<any>;
  readonly schema: JsonSchema;
}

const properties = (): Property[] =>
  all.flatMap((aim) =>
    Object.entries(aim.endpoint.body ?? {}).map(([name, field]) => ({ aim, name, field, schema: field.spec.schema })),
  );

const shown = (value: unknown): string => JSON.stringify(value).slice(0, 40);

const sendWith = ({ aim, name }: Property, value: unknown): Promise<ApiAnswer> =>
  send(aim, JSON.stringify({ ...aim.body, [name]: value }));

/** What reading has to say against a value; null: it takes it. */
function complaint({ name, field }: Property, value: unknown): Record<string, string[]> | null {
  const issues = new Issues();
  readField(field, JSON.parse(JSON.stringify(value)), name, { issues, text: false, zone: 'UTC' });
  return Object.keys(issues.fields).length > 0 ? issues.fields : null;
}

const isAt = (name: string, at: string): boolean => at === name || at.startsWith(`${name}.`);

test('reading takes or refuses every hostile value of every property, and refuses it by the name of that property', () => {
  for (const property of properties()) {
    for (const value of VALUES) {
      const names = Object.keys(complaint(property, value) ?? {});
      assert.ok(
        names.every((at) => isAt(property.name, at)),
        `${nameOf(property.aim.endpoint)} ${property.name} = ${shown(value)}: ${names.join()}`,
      );
    }
  }
});

test('no hostile value of any form of property makes the service fail', () =>
  shootAll(
    firstOfEach(properties(), (p) => formOf(schemaOf(p.field))).map((property) => [
      property.aim,
      valuesFor(property.schema).map((value) => [
        `${property.name} = ${shown(value)}`,
        async () => survives(await sendWith(property, value)),
      ]),
    ]),
  ));

/** Of what reading refuses, what no kind of value is like comes first. */
const WRONG: unknown[] = [{ $gt: '' }, [[]], '\uD800', null, -1];

test('every property is read as it is declared: a wrong value is refused by its name', () =>
  shootAll(
    properties().map((property) => {
      const wrong = WRONG.find((value) => complaint(property, value));
      return [
        property.aim,
        wrong === undefined
          ? []
          : [
              [
                `${property.name} = ${shown(wrong)}`,
                async () => {
                  const answer = await sendWith(property, wrong);
                  assert.equal(answer.status, 400, answer.text.slice(0, 300));
                  assert.ok(
                    Object.keys(answer.body.field_errors ?? {}).some((at) => isAt(property.name, at)),
                    answer.text.slice(0, 300),
                  );
                },
              ],
            ],
      ];
    }),
  ));

/** What may be wrong with a text is not told by its length: one will do. Every number meets a column of its own. */
const taken = (property: Property): unknown[] => {
  const values = valuesFor(property.schema).filter((value) => value !== null && !complaint(property, value));
  const texts = values.filter((value) => typeof value === 'string');
  return [...values.filter((value) => typeof value !== 'string'), ...texts.slice(0, 1)];
};

test('no property makes the service fail by a hostile value that reading takes', () =>
  shootAll(
    properties().map((property) => [
      property.aim,
      taken(property).map((value) => [
        `${property.name} = ${shown(value)}`,
        async () => survives(await sendWith(property, value)),
      ]),
    ]),
  ));

interface Inner {
  readonly of: Property;
  readonly name: string;
  readonly schema: JsonSchema;
}

function innerOf(property: Property): Inner[] {
  const { type, properties: own, items } = property.schema;
  if (type !== 'array' && type !== 'object') return [];
  const declared: Record<string, JsonSchema> = own ?? items?.properties ?? {};
  return Object.entries({ ...declared, unknown: { type: 'boolean' } }).map(([name, schema]) => ({
    of: property,
    name,
    schema,
  }));
}

const holding = ({ of, name }: Inner, value: unknown): unknown =>
  of.schema.type === 'array' ? [{ [name]: value }, value] : { [name]: value };

test('no value deep inside a body makes the service fail, once for each form of what is inside', () =>
  shootAll(
    firstOfEach(properties().flatMap(innerOf), ({ of, name, schema }) =>
      [of.schema.type, name === 'unknown', formOf(schema)].join(),
    ).map((inner) => [
      inner.of.aim,
      valuesFor(inner.schema).map((value) => [
        `${inner.of.name}.${inner.name} = ${shown(value)}`,
        async () => survives(await sendWith(inner.of, holding(inner, value))),
      ]),
    ]),
  ));

test('whatever has an inside is read to its depth: a value that nothing declares is refused there by name', () =>
  shootAll(
    properties().map((property) => [
      property.aim,
      innerOf(property)
        .map((inner) => holding(inner, { $gt: '' }))
        .filter((value) => complaint(property, value))
        .map((value) => [
          `${property.name} = ${shown(value)}`,
          async () => {
            const answer = await sendWith(property, value);
            assert.equal(answer.status, 400, answer.text.slice(0, 300));
            assert.ok(
              Object.keys(answer.body.field_errors ?? {}).some((at) => isAt(property.name, at)),
              answer.text.slice(0, 300),
            );
          },
        ]),
    ]),
  ));

test('the service is well after all this', async () => {
  assert.equal(await fetch(`${world.url}/readyz`).then((r) => r.status), 200);
  assert.equal((await world.get('/providers', { as: world.machine })).status, 200);
});
