import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pace, restAfter } from './pace.ts';

const CASES: Record<string, [busy: number, ran: number, rest: number]> = {
  'on an idle machine, an export rests for half of the time of reading': [50, 50, 50],
  'a thread that had to wait rests longer': [60, 50, 90],
  'however busy the machine is, the rest has an end': [5000, 50, 200],
  'clocks that differ a little shorten no rest': [49, 50, 50],
  'a thread that had nothing to do rests as on an idle machine': [0, 0, 50],
};

for (const [name, [busy, ran, rest]] of Object.entries(CASES))
  test(name, () => assert.equal(Math.round(restAfter(100, { busy, ran })), rest));

test('what is measured of this thread gives a rest between the shortest and the longest', () => {
  const pace = new Pace();
  for (let portion = 0; portion < 5; portion++) {
    const rest = pace.after(100);
    assert.ok(rest >= 50 && rest <= 200, String(rest));
  }
});
