import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readHourAndMinute, readTime, sessionSpan } from './times.ts';

const at = (hhmm: string) => readTime(hhmm)!;
const MONDAY = '2026-01-05';
const TUESDAY = '2026-01-06';

const spans: [string, [string, string, string, string], string | null, RegExp | null][] = [
  ['an ordinary session', [MONDAY, '9:00', MONDAY, '10:30'], '2026-01-05T09:00:00 2026-01-05T10:30:00', null],
  [
    'a session over midnight, as its dates say',
    [MONDAY, '23:30', TUESDAY, '1:00'],
    '2026-01-05T23:30:00 2026-01-06T01:00:00',
    null,
  ],
  ['a session until midnight', [MONDAY, '22:00', MONDAY, '24:00'], '2026-01-05T22:00:00 2026-01-06T00:00:00', null],
  [
    'an end in the afternoon written as in the morning',
    [MONDAY, '13:00', MONDAY, '3:00'],
    '2026-01-05T13:00:00 2026-01-05T15:00:00',
    /03:00 taken as 15:00/,
  ],
  [
    'an end just after noon written as midnight',
    [MONDAY, '11:00', MONDAY, '0:30'],
    '2026-01-05T11:00:00 2026-01-05T12:30:00',
    /taken as 12:30/,
  ],
  [
    'an end after midnight without its date',
    [MONDAY, '22:00', MONDAY, '1:00'],
    '2026-01-05T22:00:00 2026-01-06T01:00:00',
    /next day/,
  ],
  [
    'a start in the night',
    [MONDAY, '1:00', MONDAY, '2:30'],
    '2026-01-05T01:00:00 2026-01-05T02:30:00',
    /starts at 01:00/,
  ],
  ['a session that ends as it starts', [MONDAY, '9:00', MONDAY, '9:00'], null, null],
  ['an end that no slip explains', [MONDAY, '16:00', MONDAY, '13:00'], null, null],
  ['a range of days', [MONDAY, '9:00', '2026-01-09', '10:00'], null, null],
  ['a last date before the first', [TUESDAY, '9:00', MONDAY, '10:00'], null, null],
];

for (const [what, [first, start, last, end], expected, note] of spans) {
  test(`${what} is ${expected ? `taken as ${expected}` : 'refused'}`, () => {
    const found = sessionSpan(first, at(start), last, at(end));
    if (expected === null) return assert.ok('refused' in found, JSON.stringify(found));
    assert.ok(!('refused' in found), JSON.stringify(found));
    assert.equal(`${found.starts} ${found.ends}`, expected);
    if (note) assert.match(found.note ?? '', note);
    else assert.equal(found.note, null);
  });
}

test('times are read in all usual formats, and any other text is not a time', () => {
  const read = ['9:30', '09:30:00', '9:30 PM', '12 am', '12 p.m.', '24:00', '24:30', '9', '13 pm', '9:60', 'noon'].map(
    readTime,
  );
  assert.deepEqual(read, [570, 570, 1290, 0, 720, 1440, null, null, null, null, null]);
  assert.deepEqual(
    [
      readHourAndMinute('7', null),
      readHourAndMinute('7', '5'),
      readHourAndMinute('7.0', '0.0'),
      readHourAndMinute('25', '0'),
      readHourAndMinute('7', 'x'),
    ],
    [420, 425, 420, null, null],
  );
});
