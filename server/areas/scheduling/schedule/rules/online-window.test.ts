import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onlineWindow } from './online-window.ts';

test('an online event can be joined from fifteen minutes before it begins until it ends', () => {
  const minute = 60_000;
  const event = { startsAt: 100 * minute, endsAt: 160 * minute };
  for (const [at, expected] of [
    [0, 'early'],
    [84.99, 'early'],
    [85, 'open'],
    [159.99, 'open'],
    [160, 'over'],
  ] as const)
    assert.equal(onlineWindow(event, at * minute), expected, String(at));
});
