import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc, runs } from '../../../test/properties.ts';
import { XMLValidator } from 'fast-xml-parser';
import { type JsonSchemaLike, parseXml } from '../../../test/matrix/parse-xml.ts';
import { MAX_XML_DEPTH, printXml } from './xml.ts';

const HEAD = '<?xml version="1.0" encoding="utf-8"?>';

/**
 * Text of characters that break naive printers: markup, control characters, lone surrogates, and look-alikes of our own
 * escape.
 */
const hostileText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        '&',
        '<',
        '>',
        '"',
        "'",
        ']]>',
        '<![CDATA[',
        '<!--',
        '&amp;',
        '&#13;',
        '&lt;',
        '\r',
        '\n',
        '\r\n',
        '\t',
        ' ',
        '\0',
        '\u0001',
        '\u001f',
        '\u007f',
        '\u0085',
        '\u2028',
        '\ufffe',
        '\uffff',
        '\ud800',
        '\udfff',
        '\u{1f600}',
        '_',
        '_x',
        '_x0041',
        '_x0041_',
        'x0041_',
        '_x005F_',
        'x',
        '0041',
        'null',
        'true',
        '12',
        'list-item',
        'ä',
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join('')),
);
const key = fc.oneof(
  { weight: 6, arbitrary: fc.stringMatching(/^[a-z0-9_]{1,12}$/) },
  { weight: 2, arbitrary: hostileText },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      '_x_',
      'list-item',
      'xml',
      'XMLns',
      '__proto__',
      'constructor',
      'toString',
      ':@',
      '#text',
      '-',
      '1a',
      '_x0041_',
    ),
  },
);

const schema: fc.Arbitrary<JsonSchemaLike> = fc.letrec<{ schema: JsonSchemaLike }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc
      .tuple(fc.constantFrom('string', 'integer', 'number', 'boolean'), fc.boolean())
      .map(([type, nullable]) => ({ type: nullable ? [type, 'null'] : type })),
    tie('schema').map((items) => ({ type: 'array', items })),
    fc
      .dictionary(key, tie('schema'), { maxKeys: 5 })
      .map((properties) => ({ type: 'object', properties, additionalProperties: false })),
    tie('schema').map((additionalProperties) => ({ type: ['object', 'null'], additionalProperties })),
    fc
      .tuple(fc.constantFrom('integer', 'boolean', 'array'), tie('schema'))
      .map(([type, items]) => ({ anyOf: [{ type, items }, { type: 'null' }] })),
  ),
})).schema;

function conforming(like: JsonSchemaLike): fc.Arbitrary<unknown> {
  if (like.anyOf) return fc.oneof(...like.anyOf.map(conforming));
  return fc.oneof(...[like.type!].flat().map((type) => ofType(type as string, like)));
}

function ofType(type: string, like: JsonSchemaLike): fc.Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'string':
      return hostileText;
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.maxSafeInteger();
    case 'number': // minus zero is left out: JSON has none either
      return fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value));
    case 'array':
      return fc.array(conforming(like.items!), { maxLength: 4 });
    default:
      return objectOf(like);
  }
}

function objectOf(like: JsonSchemaLike): fc.Arbitrary<unknown> {
  if (!like.properties)
    return fc.dictionary(key, conforming(like.additionalProperties as JsonSchemaLike), {
      maxKeys: 4,
      noNullPrototype: true,
    });
  const entries = Object.entries(like.properties).map(([name, property]) =>
    fc.tuple(fc.constant(name), conforming(property)),
  );
  return fc.tuple(...entries).map((pairs) => Object.fromEntries(pairs));
}

test('a value that conforms to a schema is printed as a valid document and reads back equal', () => {
  const pair = schema.chain((like) => fc.tuple(fc.constant(like), conforming(like)));
  fc.assert(
    fc.property(pair, ([like, value]) => {
      const text = printXml(value);
      assert.equal(XMLValidator.validate(text), true);
      assert.deepEqual(parseXml(text, like), value);
    }),
    runs(1500),
  );
});

// Guards against: Markup in XML or on the reference pages
test('hostile text yields only characters that XML 1.0 permits', () => {
  fc.assert(
    fc.property(hostileText, key, (text, name) => {
      const printed = printXml({ [name]: text });
      assert.match(printed, /^[\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*$/u);
      assert.ok(!printed.includes('\r'));
      assert.deepEqual(parseXml(printed), { [name]: text });
    }),
    runs(3000),
  );
});

const DOCUMENTS: [string, unknown, string][] = [
  ['null as the bare empty element', { a: null }, '<root><a/></root>'],
  [
    'what is empty but not null names its type',
    { a: '', b: [], c: {} },
    '<root><a type="string"/><b type="list"/><c type="object"/></root>',
  ],
  [
    'lists as list-item children',
    { a: [1, [true, null]] },
    '<root><a><list-item>1</list-item><list-item><list-item>true</list-item><list-item/></list-item></a></root>',
  ],
  ['a carriage return as a reference', ['a\r\n'], '<root><list-item>a&#13;\n</list-item></root>'],
  ['markup as references', 'a<b>&"c"', '<root>a&lt;b&gt;&amp;"c"</root>'],
  ['a forbidden character as its code unit', '\u0001', '<root>_x0001_</root>'],
  ['a look-alike of the escape protected', 'a_x0041_ _x', '<root>a_x005F_x0041_ _x</root>'],
  ['a key beginning with a digit escaped', { '1st': 1 }, '<root><_x0031_st>1</_x0031_st></root>'],
  ['a key called list-item apart from lists', { 'list-item': 1 }, '<root><list_x002D_item>1</list_x002D_item></root>'],
  [
    'what JSON leaves out left out',
    { a: undefined, b: () => 1, c: [undefined], d: Number.NaN },
    '<root><c><list-item/></c><d/></root>',
  ],
  ['an instant as its JSON form', { at: new Date(0) }, '<root><at>1970-01-01T00:00:00.000Z</at></root>'],
];
for (const [name, value, text] of DOCUMENTS) {
  test(`prints ${name}`, () => assert.equal(printXml(value), HEAD + text));
}

test('data nested beyond the limit is refused instead of overflowing the stack', () => {
  const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);
  const deepest = nested(MAX_XML_DEPTH);
  assert.deepEqual(
    parseXml(printXml(deepest), {}),
    JSON.parse(JSON.stringify(deepest), (_, value: unknown) => (value === 1 ? '1' : value)),
  );
  assert.throws(() => printXml(nested(MAX_XML_DEPTH + 1)), RangeError);
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  assert.throws(() => printXml(circle), RangeError);
});

test('a document that does not fit its schema is refused by the reader', () => {
  assert.throws(
    () => parseXml(printXml({ a: 'x' }), { type: 'object', properties: { a: { type: 'integer' } } }),
    /does not fit/,
  );
  assert.throws(
    () => parseXml(printXml({ a: null }), { type: 'object', properties: { a: { type: 'string' } } }),
    /does not fit/,
  );
  assert.throws(() => parseXml(printXml({ b: 1 }), { type: 'object', additionalProperties: false }), /does not fit/);
  assert.throws(() => parseXml(printXml({ b: 1 }), { type: 'object', required: ['a'] }), /does not fit/);
});

test('alternatives are distinguished by their constants', () => {
  const like: JsonSchemaLike = {
    oneOf: [
      { type: 'object', properties: { kind: { type: 'string', const: 'a' }, size: { type: 'integer' } } },
      { type: 'object', properties: { kind: { type: 'string', enum: ['b'] }, size: { type: 'string' } } },
    ],
  };
  assert.deepEqual(parseXml(printXml({ kind: 'a', size: 1 }), like), { kind: 'a', size: 1 });
  assert.deepEqual(parseXml(printXml({ kind: 'b', size: '1' }), like), { kind: 'b', size: '1' });
});
