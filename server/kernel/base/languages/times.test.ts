import assert from 'node:assert/strict';
import { test } from 'node:test';
import { momentIn, shortMomentIn, timeIn, timesIn } from './times.ts';
import { momentText, spanText } from '../values/spoken-time.ts';

const plain = (text: string): string => text.replaceAll(/[\u202F\u00A0\u2009]/g, ' ');

test('a time that happens twice is printed with its zone', () => {
  const [first, second] = ['2027-11-07T05:30Z', '2027-11-07T06:30Z'].map((at) => Date.parse(at));
  const toronto = (print: (at: number) => string) => [first, second].map((at) => plain(print(at)));
  assert.deepEqual(
    toronto((at) => timeIn('en-US', at, 'America/Toronto')),
    ['1:30 AM EDT', '1:30 AM EST'],
  );
  assert.deepEqual(
    toronto((at) => momentText(at, 'America/Toronto')),
    ['Sunday, 7 November 2027, 01:30 (UTC-04:00)', 'Sunday, 7 November 2027, 01:30 (UTC-05:00)'],
  );
  for (const locale of ['en-US', 'de-DE', 'fr-FR', 'pl-PL']) {
    const [a, b] = toronto((at) => momentIn(locale, at, 'America/Toronto'));
    assert.notEqual(a, b, locale);
    const [from, to] = toronto((at) => timesIn(locale, at, at + 3_600_000, 'America/Toronto'));
    assert.notEqual(from, to, locale);
  }
  assert.equal(plain(timesIn('de-DE', first, second, 'America/Toronto')), '01:30 GMT-4 – 01:30 GMT-5');
  assert.equal(spanText(first, second, 'America/Toronto'), '01:30 (UTC-04:00) to 01:30 (UTC-05:00)');
});

test('any other time is printed without its zone', () => {
  const noon = Date.parse('2027-11-07T17:00Z');
  assert.equal(plain(timeIn('en-US', noon, 'America/Toronto')), '12:00 PM');
  assert.equal(plain(timesIn('de-DE', noon, noon + 3_600_000, 'America/Toronto')), '12:00–13:00 Uhr');
  assert.equal(momentText(noon, 'America/Toronto'), 'Sunday, 7 November 2027, 12:00');
});

test('a short moment has the day, the month and the time, and no space that would make a text message longer', () => {
  const at = Date.parse('2026-11-28T17:10Z');
  const toronto = (locale: string) => shortMomentIn(locale, at, 'America/Toronto');
  assert.equal(toronto('en-US'), 'Sat, Nov 28, 12:10 PM');
  assert.equal(toronto('en-GB'), 'Sat 28 Nov, 12:10');
  for (const locale of ['en-CA', 'de-DE', 'fr-FR', 'pl-PL']) assert.doesNotMatch(toronto(locale), /[\u00a0\u202f]/);
});
