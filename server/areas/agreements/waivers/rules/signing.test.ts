import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signerOf, unsigned } from './signing.ts';

test('a guardian signs for people below the age, on the day before their birthday too', () => {
  for (const [guardianUnder, born, today, expected] of [
    [18, '2008-06-02', '2026-06-01', 'guardian'],
    [18, '2008-06-02', '2026-06-02', 'customer'],
    [16, '2008-06-02', '2026-06-01', 'customer'],
    [null, '2020-01-01', '2026-06-01', 'customer'],
    [18, null, '2026-06-01', 'customer'],
  ] as const)
    assert.equal(signerOf({ guardianUnder, born }, today), expected, `${guardianUnder}, born ${born}, on ${today}`);
});

const signedUntil = (until: number | null) => ({ signed: { until } });

test('a signature counts until its time has ended', () => {
  for (const [waiver, expected] of [
    [{ signed: null }, 1],
    [signedUntil(null), 0],
    [signedUntil(100), 1],
    [signedUntil(101), 0],
  ] as const)
    assert.equal(unsigned([waiver], 100).length, expected, JSON.stringify(waiver));
});
