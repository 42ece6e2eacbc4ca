/**
 * Hostile bodies at every endpoint that takes one. Parsing alone decides whether a value is refused, so every value of
 * every property is parsed here without a request. One request for each endpoint shows that all of its properties are
 * parsed that way, and one for each form of property shows what happens to accepted values.
 *
 * In turns from change to change, all of them in `npm run test:all`: other endpoints with a body that is malformed, too
 * large or of another type, and other properties of a form with accepted values.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { bodyLimitOf } from '../../kernel/api/requests/input.ts';
import { isWrite } from '../../kernel/api/contract.ts';
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
import { Issues, Problem } from '../../kernel/base/problem.ts';
import { refusal } from '../../kernel/api/requests/exchange.ts';
import { nameOf } from './cases.ts';
import { readField, type Field, type JsonSchema } from '../../kernel/base/fields/field.ts';
import { schemaOf } from '../../kernel/base/fields/kinds.ts';

let world: World;
let all: Aim[];
before(async () => {
  // Some of the requests change what belongs to the whole installation.
  world = await startWorld({ own: true });
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

test('a body that is not JSON is refused by every endpoint that takes one, and any other malformed body by one endpoint of each form', () =>
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

// Guards against: Exhausting the service
test('a body over the limit is refused with 413 everywhere, whatever the limit', () =>
  shootAll(
    formsAndTurns(all, (aim) => `${callForm(aim)} ${bodyLimitOf(aim.endpoint)}`).map((aim) => [
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

test('a body of another media type is refused with 415 everywhere, whatever the type', () =>
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

test('a form of excessive length or depth is refused, and so is one that names built-in object properties', () =>
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

const propertiesOf = (aim: Aim): Property[] =>
  Object.entries(aim.endpoint.body ?? {}).map(([name, field]) => ({ aim, name, field, schema: field.spec.schema }));
const properties = (): Property[] => all.flatMap(propertiesOf);

const formOfProperty = ({ field }: Property): string => formOf(schemaOf(field));

const shown = (value: unknown): string => JSON.stringify(value).slice(0, 40);

const sendWith = ({ aim, name }: Property, value: unknown): Promise<ApiAnswer> =>
  send(aim, JSON.stringify({ ...aim.body, [name]: value }));

/** Returns the errors from parsing a value; null if it is accepted. */
function complaint({ name, field }: Property, value: unknown): Record<string, string[]> | null {
  const issues = new Issues();
  readField(field, JSON.parse(JSON.stringify(value)), name, { issues, text: false, zone: 'UTC' });
  return Object.keys(issues.fields).length > 0 ? issues.fields : null;
}

const isAt = (name: string, at: string): boolean => at === name || at.startsWith(`${name}.`);

test('parsing accepts or refuses every hostile value of every property, and refuses it under the name of that property', () => {
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

test('the parse errors for hostile values of each form of property can be sent as JSON and as XML', () => {
  for (const property of firstOfEach(properties(), formOfProperty)) {
    for (const value of VALUES) {
      const said = complaint(property, value);
      if (!said) continue;
      const problem = new Problem('parameter_invalid', Object.values(said)[0][0], said);
      assert.deepEqual(JSON.parse(String(refusal(problem, 'test', false, {}).body)).field_errors, said);
      assert.match(String(refusal(problem, 'test', true, {}).body), /^<\?xml.*<code>parameter_invalid<\/code>/s);
    }
  }
});

// Guards against: SQL in a value
test('no hostile value of any form of property makes the service fail', () =>
  shootAll(
    firstOfEach(properties(), formOfProperty).map((property) => [
      property.aim,
      telling(valuesFor(property.schema), (value) => !complaint(property, value)).map((value) => [
        `${property.name} = ${shown(value)}`,
        async () => survives(await sendWith(property, value)),
      ]),
    ]),
  ));

/** Ordered so that values that fit no type come first. */
const WRONG: unknown[] = [{ $gt: '' }, [[]], '\uD800', null, -1];

/** The maximum number of problems that a refusal lists. */
const LISTED = 20;

interface Refused {
  readonly property: Property;
  readonly value: unknown;
  /** the names under which parsing refuses the value */
  readonly at: readonly string[];
  readonly problems: number;
}

function refusedAs(property: Property, value: unknown): Refused[] {
  const said = complaint(property, value);
  if (!said) return [];
  const at = Object.keys(said).filter((name) => isAt(property.name, name));
  return [{ property, value, at, problems: Object.values(said).flat().length }];
}

/** Groups wrong values into bodies, each with no more problems than one refusal lists. */
function bodiesOf(all: readonly Refused[]): Refused[][] {
  const bodies: Refused[][] = [];
  let room = 0;
  for (const one of all) {
    // Null is sent alone: where it may be accepted, it is checked only after everything else.
    if (one.problems > room || one.value === null || bodies.at(-1)?.[0].value === null) {
      bodies.push([]);
      room = LISTED;
    }
    bodies.at(-1)!.push(one);
    room -= one.problems;
  }
  return bodies;
}

/** Sends the wrong values of one endpoint together, and expects a problem under each name that parsing reports. */
const areRefused = (aim: Aim, all: readonly Refused[]): readonly [Aim, Shots] => [
  aim,
  bodiesOf(all).map((body) => [
    body.map(({ property, value }) => `${property.name} = ${shown(value)}`).join(', '),
    async () => {
      const wrong = Object.fromEntries(body.map(({ property, value }) => [property.name, value]));
      const answer = await send(aim, JSON.stringify({ ...aim.body, ...wrong }));
      assert.equal(answer.status, 400, answer.text.slice(0, 300));
      const found = Object.keys(answer.body.field_errors ?? {});
      assert.deepEqual(
        body.flatMap(({ at }) => at).filter((name) => !found.includes(name)),
        [],
        answer.text,
      );
    },
  ]),
];

test('every property is parsed as declared: a wrong value is refused under its name', () =>
  shootAll(
    all.map((aim) =>
      areRefused(
        aim,
        propertiesOf(aim).flatMap((property) => {
          const wrong = WRONG.find((value) => complaint(property, value));
          return wrong === undefined ? [] : refusedAs(property, wrong);
        }),
      ),
    ),
  ));

/**
 * Returns the accepted hostile values of a property. Problems with a text don't depend on its length, so one is enough.
 * All numbers are kept, because they meet a column with its own range.
 */
const taken = (property: Property): unknown[] => {
  const values = valuesFor(property.schema).filter((value) => value !== null && !complaint(property, value));
  const texts = values.filter((value) => typeof value === 'string');
  return [...values.filter((value) => typeof value !== 'string'), ...texts.slice(0, 1)];
};

/** Returns everything declared of a property including its bounds, which are those of its column. */
const boundedForm = ({ field }: Property): string => describeExactForm(schemaOf(field));

test('no accepted hostile value of any property makes the service fail', () =>
  shootAll(
    formsAndTurns(
      properties().filter((property) => taken(property).length > 0),
      boundedForm,
    ).map((property) => [
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

test('no nested value in a body makes the service fail, once for each form of the nested property', () =>
  shootAll(
    firstOfEach(properties().flatMap(innerOf), ({ of, name, schema }) =>
      [of.schema.type, name === 'unknown', formOf(schema)].join(),
    ).map((inner) => [
      inner.of.aim,
      telling(valuesFor(inner.schema), (value) => !complaint(inner.of, holding(inner, value))).map((value) => [
        `${inner.of.name}.${inner.name} = ${shown(value)}`,
        async () => survives(await sendWith(inner.of, holding(inner, value))),
      ]),
    ]),
  ));

/** Returns everything nested in a property, each with a value that no declaration allows. */
function wrongWithin(property: Property): Refused[] {
  const inner = innerOf(property).filter((one) => complaint(property, holding(one, { $gt: '' })));
  if (inner.length === 0) return [];
  const within = Object.fromEntries(inner.map(({ name }) => [name, { $gt: '' }]));
  return refusedAs(property, property.schema.type === 'array' ? [within, { $gt: '' }] : within);
}

test('nested properties are parsed at every level: a value that no declaration allows is refused under its full name', () =>
  shootAll(all.map((aim) => areRefused(aim, propertiesOf(aim).flatMap(wrongWithin)))));

test('the service still works after all this', async () => {
  assert.equal(await fetch(`${world.url}/readyz`).then((r) => r.status), 200);
  assert.equal((await world.get('/providers', { as: world.machine })).status, 200);
});
