import assert from 'node:assert/strict';
import { isShownTwice } from './shown-twice.ts';
import { test } from 'node:test';

const at = (time: string): number => Date.parse(time);

test('a time that the clocks show twice is recognized, and no other', () => {
  for (const [zone, twice, once] of [
    ['America/Toronto', ['2027-11-07T05:30Z', '2027-11-07T06:30Z'], ['2027-11-07T04:59Z', '2027-11-07T07:00Z']],
    ['Europe/Berlin', ['2027-10-31T00:00Z', '2027-10-31T01:59Z'], ['2027-10-30T23:59Z', '2027-10-31T02:00Z']],
    ['Australia/Lord_Howe', ['2027-04-03T14:45Z', '2027-04-03T15:15Z'], ['2027-04-03T14:15Z', '2027-04-03T15:30Z']],
    // In spring, an hour is left out.
    ['Europe/Berlin', [], ['2027-03-28T00:30Z', '2027-03-28T01:30Z']],
    ['Asia/Tokyo', [], ['2027-11-07T05:30Z']],
  ] as const) {
    for (const time of twice) assert.ok(isShownTwice(at(time), zone), `${zone} ${time}`);
    for (const time of once) assert.ok(!isShownTwice(at(time), zone), `${zone} ${time}`);
  }
});
