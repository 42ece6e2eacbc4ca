import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textIn, DEFAULT_WORDS } from '../../../../kernel/base/values/words.ts';
import { readAnswer, type FieldType, type Explained } from './answer.ts';
import { keyFrom } from './key.ts';

const read = (type: FieldType, input: unknown, explained: Explained = 'never', choices: string[] = []): unknown => {
  const answer = readAnswer({ type, explained, choices }, input, 'America/Toronto');
  return 'value' in answer ? answer.value : textIn(DEFAULT_WORDS, answer.refused);
};

test('each type of question accepts its own answers and stores them in one form', () => {
  for (const [type, input, stored] of [
    ['short_text', ' Nuts ', 'Nuts'],
    ['long_text', 'One\nTwo', 'One\nTwo'],
    ['phone_number', '+44 1632 960001', '+44 1632 960001'],
    ['integer', 12, 12],
    ['decimal', '0012.50', '12.5'],
    ['decimal', '-0.0', '0'],
    ['decimal', -1.25, '-1.25'],
    ['decimal', '.5', '0.5'],
    ['boolean', true, { answer: true, explanation: null }],
    ['boolean', { answer: false, explanation: '' }, { answer: false, explanation: null }],
    ['date', '2026-02-28', '2026-02-28'],
    ['datetime', '2026-01-31T18:00', '2026-01-31T23:00:00.000Z'],
    ['datetime', '2026-07-31T18:00:00+02:00', '2026-07-31T16:00:00.000Z'],
    ['address', { address_line1: '1 Main St', city: '', country: 'CA' }, { address_line1: '1 Main St', country: 'CA' }],
  ] as const)
    assert.deepEqual(read(type, input), stored, `${type} ${JSON.stringify(input)}`);
  assert.deepEqual(read('choice', 'M', 'never', ['S', 'M']), 'M');
  assert.deepEqual(read('multiple_choice', ['M', 'S'], 'never', ['S', 'M', 'L']), ['S', 'M']);
});

test('answers of another form are refused in words', () => {
  for (const [type, input, refused] of [
    ['short_text', 'One\nTwo', /one line/],
    ['short_text', '  ', /not empty/],
    ['short_text', 'x'.repeat(256), /at most 255/],
    ['long_text', 'x'.repeat(10_001), /at most 10000/],
    ['phone_number', 'call me', /phone number/],
    ['phone_number', '++', /phone number/],
    ['integer', 1.5, /whole number/],
    ['integer', '5', /whole number/],
    ['decimal', '1.2345', /3 decimals/],
    ['decimal', '1e5', /3 decimals/],
    ['decimal', '-', /3 decimals/],
    ['boolean', 'yes', /yes or no/],
    ['date', '2026-02-30', /a date/],
    ['datetime', 'tomorrow', /a date with a time/],
    ['choice', 'XL', /Choose one of/],
    ['multiple_choice', [], /Choose from/],
    ['multiple_choice', ['S', 'XL'], /Choose from/],
    ['address', {}, /an address/],
    ['address', { street: 'Main St' }, /has no street/],
  ] as const)
    assert.match(String(read(type, input, 'never', ['S'])), refused, `${type} ${JSON.stringify(input)}`);
});

const allowed = (explained: Explained, input: object): boolean => typeof read('boolean', input, explained) === 'object';

test('a yes or no has an explanation only as the question asks for it', () => {
  const [yes, no] = [{ answer: true }, { answer: false }];
  const because = { explanation: 'Nuts' };
  const table: [Explained, boolean, boolean, boolean, boolean][] = [
    // yes, yes because, no, no because
    ['always', false, true, false, true],
    ['never', true, false, true, false],
    ['optional', true, true, true, true],
    ['if_true', false, true, true, false],
    ['if_false', true, false, false, true],
  ];
  for (const [explained, ...expected] of table)
    assert.deepEqual(
      [yes, { ...yes, ...because }, no, { ...no, ...because }].map((input) => allowed(explained, input)),
      expected,
      explained,
    );
});

test('a key is made of the letters and digits of a label', () => {
  assert.deepEqual(['Emergency contact', 'Größe (cm)', '***', 'a'.repeat(40)].map(keyFrom), [
    'emergency_contact',
    'grosse_cm',
    'field',
    'a'.repeat(32),
  ]);
});
