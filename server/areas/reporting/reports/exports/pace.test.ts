import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pace, restAfter } from './pace.ts';

type Case = [idle: number, used: number, busy: number, ran: number, slow: number, rest: number];

const CASES: Record<string, Case> = {
  'on an idle machine, an export rests for a third of what reading costs': [150, 50, 50, 50, 1, 33],
  'it does where half of the processors are idle': [100, 100, 50, 50, 1, 33],
  'where less is idle than somebody may need, it rests longer': [30, 170, 50, 50, 1, 617],
  'however busy the machine is, the rest has an end': [0, 200, 50, 50, 1, 1200],
  'a thread that waits for its own garbage, or for other virtual machines, rests as on an idle one': [
    150, 50, 50, 30, 1, 33,
  ],
  'a thread that gets too little of an idle machine rests longer': [150, 50, 100, 20, 1, 1200],
  'where portions take a little longer than the quickest, it rests as on an idle machine': [150, 50, 50, 50, 1.9, 33],
  'where they take much longer, the database has too much to do, and it rests longer': [150, 50, 50, 50, 3, 617],
  'clocks that differ a little shorten no rest': [150, 50, 49, 50, 1, 33],
  'where nothing is known of the processors, the thread is looked at alone': [0, 0, 50, 50, 1, 33],
  'a thread that had nothing to do rests as on an idle machine': [150, 50, 0, 0, 1, 33],
};

for (const [name, [idle, used, busy, ran, slow, rest]] of Object.entries(CASES))
  test(name, () => assert.equal(Math.round(restAfter(100, { idle, used, busy, ran, slow })), rest));

test('measurements of this machine give a pause between the shortest and the longest', () => {
  const pace = new Pace();
  for (let portion = 0; portion < 5; portion++) {
    const rest = pace.after(100);
    assert.ok(rest >= 33 && rest <= 1200, String(rest));
  }
});

test('a pause is a multiple of the time of the quickest batch', () => {
  const pace = new Pace();
  pace.after(10);
  const rest = pace.after(1000);
  assert.ok(rest >= 3.3 && rest <= 122, String(rest));
});
