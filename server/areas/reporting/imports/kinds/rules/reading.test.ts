import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numbersIn } from './phone.ts';
import { clockText, readSpan, readTime } from './time.ts';
import { readAmount } from './amount.ts';
import { readDay, readMoment, withWholeYear } from './day.ts';
import { readPeriod } from './period.ts';

const US = { currency: 'USD', country: 'US' };
const DE = { currency: 'EUR', country: 'DE' };

const born = (text: string) => readDay(text, { order: 'MM/DD/YYYY', bornBy: 2026 });

const moment = (text: string) => {
  const found = readMoment(text, { order: 'MM/DD/YYYY' });
  return found && `${found.day} ${found.time === null ? '-' : clockText(found.time)}${found.zoned ? ' zoned' : ''}`;
};

test('an amount is one number with at most its currency and a known period', () => {
  const cases: readonly (readonly [string, number | undefined])[] = [
    ['0', 0],
    ['45', 4500],
    ['45.5', 4550],
    ['$45.50', 4550],
    ['US$ 45.50', 4550],
    ['45.50 USD', 4550],
    ['1,049.90', 104_990],
    ['$1,049', 104_900],
    ['1,234,567.8', 123_456_780],
    ['1 049,90', 104_990],
    ["1'049.90", 104_990],
    ['45,-', 4500],
    ['45.50 USD monthly', 4550],
    ['45.50/mo', 4550],
    ['$45.50 / month', 4550],
    ['45.50 per year', 4550],
    // one of two readings
    ['1.049', undefined],
    // more than one number, or signs
    ['45.50 / 4 weeks', undefined],
    ['2 x 45.50', undefined],
    ['12 @ 10.00', undefined],
    ['$45.50 (was $55.50)', undefined],
    ['(45.00)', undefined],
    ['-45.00', undefined],
    ['45-55', undefined],
    ['45.50 + tax', undefined],
    ['from 45', undefined],
    ['45%', undefined],
    // another currency
    ['€45', undefined],
    ['45 GBP', undefined],
    // no number
    ['free', undefined],
    ['', undefined],
    ['45.505', undefined],
    ['1,04.90', undefined],
    ['1.049,90.1', undefined],
  ];
  for (const [text, minor] of cases) assert.equal(readAmount(text, US)?.minor, minor, text);
});

test('a point before three digits is a thousand where people write it so', () => {
  const cases: readonly (readonly [string, number | undefined])[] = [
    ['1.049', 104_900],
    ['1.049,90 €', 104_990],
    ['49,90 € mtl.', 4990],
    ['1,049', undefined],
    ['49,90', 4990],
  ];
  for (const [text, minor] of cases) assert.equal(readAmount(text, DE)?.minor, minor, text);
  assert.equal(readAmount('1500.00', { currency: 'JPY', country: 'JP' })?.minor, 1500);
  assert.equal(readAmount('1500.50', { currency: 'JPY', country: 'JP' }), undefined);
});

test('billing periods are read from words in nine languages', () => {
  const cases: readonly (readonly [string, string | undefined])[] = [
    ['monthly', '1 months'],
    ['per Month', '1 months'],
    ['every 4 weeks', '4 weeks'],
    ['alle 4 Wochen', '4 weeks'],
    ['toutes les 2 semaines', '2 weeks'],
    ['cada 3 meses', '3 months'],
    ['ogni mese', '1 months'],
    ['elke maand', '1 months'],
    ['por mês', '1 months'],
    ['co miesiąc', '1 months'],
    ['כל חודש', '1 months'],
    ['כל 4 שבועות', '4 weeks'],
    ['vierteljährlich', '3 months'],
    ['annually', '12 months'],
    ['2 years', '24 months'],
    ['sometimes', undefined],
    ['4', undefined],
  ];
  for (const [text, period] of cases) {
    const found = readPeriod(text, { counted: true });
    assert.equal(found && `${found.length} ${found.unit}`, period, text);
  }
});

test('a time of day is read in the usual ways to write it, and not at all if anything is left', () => {
  const cases: readonly (readonly [string, string | null])[] = [
    ['18:00', '18:00'],
    ['9:05', '09:05'],
    ['18:00:00', '18:00'],
    ['5:30p', '17:30'],
    ['5:30 p', '17:30'],
    ['530p', '17:30'],
    ['5:30 p.m.', '17:30'],
    ['5.30pm', '17:30'],
    ['5pm', '17:00'],
    ['5 PM', '17:00'],
    ['12a', '00:00'],
    ['12:15 am', '00:15'],
    ['12 pm', '12:00'],
    ['17.30', '17:30'],
    ['17h', '17:00'],
    ['17h30', '17:30'],
    ['9h', '09:00'],
    ['18 Uhr', '18:00'],
    ['18:30 Uhr', '18:30'],
    ['1830', '18:30'],
    ['0.75', '18:00'],
    ['noon', '12:00'],
    ['12:00 noon', '12:00'],
    ['midnight', '00:00'],
    ['6:00 PM PST', null],
    ['6:00 PM (EST)', null],
    ['18', null],
    ['530', null],
    ['25:00', null],
    ['13pm', null],
    ['18:60', null],
    ['evening', null],
    ['6:00-7:00 PM', null],
  ];
  for (const [text, time] of cases) {
    const minutes = readTime(text);
    assert.equal(minutes === null ? null : clockText(minutes), time, text);
  }
});

test('a span has both times, and a first time without its half of the day has the one that makes sense', () => {
  const cases: readonly (readonly [string, string | null])[] = [
    ['18:00 - 19:00', '18:00 19:00'],
    ['09.30–10.30', '09:30 10:30'],
    ['6:00-7:00 PM', '18:00 19:00'],
    ['6-7pm', '18:00 19:00'],
    ['11:00-12:30 PM', '11:00 12:30'],
    ['11 PM - 12:30 AM', '23:00 00:30'],
    ['18:00 bis 19:00 Uhr', '18:00 19:00'],
    ['noon to 1pm', '12:00 13:00'],
    ['18:00', '18:00'],
    ['6:00 PM - later', null],
    ['6pm-7', null],
    ['6:00-7:00-8:00', null],
  ];
  for (const [text, times] of cases) {
    const span = readSpan(text);
    const shown = span && [span.start, ...(span.end === null ? [] : [span.end])].map(clockText).join(' ');
    assert.equal(shown, times, text);
  }
});

test('a day is read in numbers and in words of nine languages', () => {
  const cases: readonly (readonly [string, string | null, string | null])[] = [
    // text, with the month first, with an unknown order
    ['2027-01-12', '2027-01-12', '2027-01-12'],
    ['2027/1/12', '2027-01-12', '2027-01-12'],
    ['20270112', '2027-01-12', '2027-01-12'],
    ['1/12/2027', '2027-01-12', null],
    ['1/12/27', '2027-01-12', null],
    ['12.1.2027', '2027-01-12', '2027-01-12'],
    ['3.4.90', '1990-04-03', '1990-04-03'],
    ['46399', '2027-01-12', '2027-01-12'],
    ['Jan 12, 2027', '2027-01-12', '2027-01-12'],
    ['12-Jan-2027', '2027-01-12', '2027-01-12'],
    ['12-Jan-27', '2027-01-12', '2027-01-12'],
    ['Tuesday, January 12th, 2027', '2027-01-12', '2027-01-12'],
    ['12. Jänner 2027', '2027-01-12', '2027-01-12'],
    ['1er février 2027', '2027-02-01', '2027-02-01'],
    ['12 de marzo de 2027', '2027-03-12', '2027-03-12'],
    ['12 maggio 2027', '2027-05-12', '2027-05-12'],
    ['12 augustus 2027', '2027-08-12', '2027-08-12'],
    ['12 de setembro de 2027', '2027-09-12', '2027-09-12'],
    ['12 października 2027 r.', '2027-10-12', '2027-10-12'],
    ['12 בספטמבר 2027', '2027-09-12', '2027-09-12'],
    ['2027-01-12T00:00:00.000Z', '2027-01-12', '2027-01-12'],
    ['2027-01-12 18:00', '2027-01-12', '2027-01-12'],
    ['31/1/2027', null, null],
    ['2/30/2027', null, null],
    ['2027-01-12 or later', null, null],
    ['January 2027', null, null],
    ['03/14', null, null],
    ['--03-14', null, null],
    ['1988', null, null],
    ['20271340', null, null],
    ['someday', null, null],
  ];
  for (const [text, monthFirst, unknown] of cases) {
    assert.equal(readDay(text, { order: 'MM/DD/YYYY' }), monthFirst, text);
    assert.equal(readDay(text, { order: null }), unknown, text);
  }
});

test('a day of birth with two digits is never in the future', () => {
  assert.deepEqual(['3/14/88', '3/14/26', '3/14/27', '14.03.15'].map(born), [
    '1988-03-14',
    '2026-03-14',
    '1927-03-14',
    '2015-03-14',
  ]);
});

test('a day and its time can be in one cell', () => {
  assert.equal(moment('January 12, 2027 3:00 pm'), '2027-01-12 15:00');
  assert.equal(moment('1/12/2027 at 5:30p'), '2027-01-12 17:30');
  assert.equal(moment('12.01.2027, 18:30 Uhr'), '2027-01-12 18:30');
  assert.equal(moment('2027-01-12T18:30:00'), '2027-01-12 18:30');
  assert.equal(moment('2027-01-12T18:30:00Z'), '2027-01-12 18:30 zoned');
  assert.equal(moment('2027-01-12T18:30:00+01:00'), '2027-01-12 18:30 zoned');
  assert.equal(moment('46399.75'), '2027-01-12 18:00');
  assert.equal(moment('1/12/2027'), '2027-01-12 -');
  assert.equal(moment('1/12/2027 6:00 PM PST'), null);
});

test('a year of two digits counts as evidence for the order of day and month', () => {
  assert.equal(withWholeYear('14/3/88'), '14/3/2088');
  assert.equal(withWholeYear('14/3/1988'), '14/3/1988');
});

test('a cell has one phone number, or several whole ones, with or without the mark of a text', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ["'+14165550134", ['+14165550134']],
    ["'(416) 555-0134", ['(416) 555-0134']],
    ['+1 416-555-0134 ::: 416-555-0135', ['+1 416-555-0134', '416-555-0135']],
    ['416-555-0134; 416-555-0135', ['416-555-0134', '416-555-0135']],
    ['416-555-0134 / 416-555-0134', ['416-555-0134']],
    // a part of a number, an extension, and a note
    ['030/23125001', ['030/23125001']],
    ['416-555-0134, 12', ['416-555-0134, 12']],
    ['416-555-0134; mornings', ['416-555-0134; mornings']],
    ['', ['']],
  ];
  for (const [text, numbers] of cases) assert.deepEqual(numbersIn(text), numbers, text);
});
