import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Lag } from './lag.ts';

test("a replica's lag is the time since the primary was first at a position that the replica has not reached", () => {
  const lag = new Lag();
  lag.note(1, 100, 1000);
  lag.note(1, 100, 2000);
  lag.note(1, 200, 3000);
  assert.equal(lag.of(200, 9000), 0);
  assert.equal(lag.of(150, 9000), 6000);
  assert.equal(lag.of(99, 9000), 8000);
});

test('a primary that writes nothing leaves no replica behind', () => {
  const lag = new Lag();
  for (let now = 0; now < 100_000; now += 250) lag.note(1, 100, now);
  assert.equal(lag.of(100, 100_000), 0);
});

test('samples that all replicas have passed are dropped, and the rest still count', () => {
  const lag = new Lag();
  lag.note(1, 100, 1000);
  lag.note(1, 200, 2000);
  lag.forget(100);
  assert.equal(lag.of(100, 5000), 3000);
  lag.forget(200);
  lag.note(1, 300, 6000);
  assert.equal(lag.of(200, 7000), 1000);
});

test('a replica that is down for hours lags by hours, and few samples are kept for it', () => {
  const lag = new Lag();
  const hours = 5 * 3_600_000;
  for (let now = 0; now <= hours; now += 250) lag.note(1, now + 1, now);
  assert.equal(lag.of(0, hours), hours);
});

test('positions of an earlier timeline are ignored', () => {
  const lag = new Lag();
  lag.note(1, 500, 1000);
  lag.note(2, 400, 2000);
  assert.equal(lag.of(400, 9000), 0);
  assert.equal(lag.of(300, 9000), 7000);
});
