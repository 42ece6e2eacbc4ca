import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begins, ends, isDeferred, sendAt } from './when.ts';

const at = (iso: string) => Date.parse(iso);
const local = (time: string) => ({ at: null, local: time });
const text = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

const ZONES = ['America/Toronto', 'Asia/Tokyo', 'Europe/London'];

test('each zone reaches a local time at its own moment, and the first and the last bound the broadcast', () => {
  const nine = local('2027-07-01T09:00:00');
  assert.deepEqual(
    ZONES.map((zone) => text(sendAt(nine, zone, 0))),
    ['2027-07-01T13:00:00.000Z', '2027-07-01T00:00:00.000Z', '2027-07-01T08:00:00.000Z'],
  );
  assert.deepEqual(
    [text(begins(nine, ZONES)), text(ends(nine, ZONES))],
    ['2027-07-01T00:00:00.000Z', '2027-07-01T13:00:00.000Z'],
  );
});

test('in a zone where the time has passed, it is sent immediately', () => {
  const now = at('2027-07-01T06:00:00Z');
  assert.equal(sendAt(local('2027-07-01T09:00:00'), 'Asia/Tokyo', now), now);
});

test('a local time that a clock change skips moves forward by the skipped time, and of one that occurs twice the first counts', () => {
  assert.equal(text(sendAt(local('2027-03-14T02:30:00'), 'America/Toronto', 0)), '2027-03-14T07:30:00.000Z');
  assert.equal(text(sendAt(local('2027-11-07T01:30:00'), 'America/Toronto', 0)), '2027-11-07T05:30:00.000Z');
});

test('one moment is the same everywhere, and without any it is now', () => {
  const moment = { at: 5000, local: null };
  assert.deepEqual(
    [begins(moment, ZONES), ends(moment, ZONES), sendAt(moment, 'Asia/Tokyo', 6000)],
    [5000, 5000, 6000],
  );
  assert.deepEqual(
    [begins({ at: null, local: null }, ZONES), isDeferred({ at: null, local: null }), isDeferred(moment)],
    [null, false, true],
  );
});
