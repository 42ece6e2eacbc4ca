import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../test/properties.ts';
import { workedTable } from '../../../../test/worked-table.ts';
import { MAX_ATTEMPTS, restAfter, retryAfter, waitAfter, WAITS_MS } from './retries.ts';

const UNITS: Record<string, number> = { s: 1000, min: 60_000, h: 3_600_000 };
const duration = (text: string): number => {
  const [n, unit] = text.split(' ');
  return Number(n) * UNITS[unit];
};
const chance = fc.double({ min: 0, max: 1, noNaN: true });

test('the attempts are those of the table in the guide, which end within three days', () => {
  const rows = workedTable('docs/guide/webhooks.md', 'When it is tried again');
  assert.deepEqual(
    rows.map((row) => Number(row.attempt)),
    rows.map((_, i) => i + 1),
  );
  assert.equal(rows.length, MAX_ATTEMPTS);
  assert.deepEqual(
    rows.slice(1).map((row) => duration(row['after the one before'])),
    WAITS_MS,
  );
  const total = WAITS_MS.reduce((sum, wait) => sum + wait);
  assert.ok(total > 66 * UNITS.h && total * 1.1 < 78 * UNITS.h);
  rows.slice(1).reduce((sum, row, i) => {
    const at = sum + WAITS_MS[i];
    assert.equal(
      row['since the first, about'],
      at < UNITS.h ? `${Math.round(at / UNITS.min)} min` : `${Math.round(at / UNITS.h)} h`,
      row.attempt,
    );
    return at;
  }, 0);
});

test('each wait is that of the table, up to a tenth more or less, and there is none after the last failure', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      chance,
      (n, c) => Math.abs(waitAfter(n, c, null)! - WAITS_MS[n - 1]) <= WAITS_MS[n - 1] * 0.1 + 1,
    ),
  );
  for (const n of [10, 11, 99]) assert.equal(waitAfter(n, 0.5, 1000), null);
});

test('a receiver that asks for a longer wait gets it, up to a day, and never a shorter one than in the table', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), chance, fc.nat(10 * 86_400_000), (n, c, asked) => {
      const wait = waitAfter(n, c, asked)!;
      return (
        wait >= Math.min(asked, 86_400_000) &&
        wait >= waitAfter(n, c, null)! &&
        wait <= Math.max(86_400_000, WAITS_MS[n - 1] * 1.1 + 1)
      );
    }),
  );
});

test('a destination rests longer the more failures there are in a row, up to five minutes', () => {
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5, 8, 9, 10, 1000].map(restAfter),
    [0, 0, 0, 5000, 10_000, 20_000, 160_000, 300_000, 300_000, 300_000],
  );
});

test('Retry-After is read as seconds or as a date, and anything else is ignored', () => {
  const now = Date.parse('2026-11-21T10:00:00Z');
  assert.equal(retryAfter('120', now), 120_000);
  assert.equal(retryAfter(' 0 ', now), 0);
  assert.equal(retryAfter('Sat, 21 Nov 2026 10:01:00 GMT', now), 60_000);
  assert.equal(retryAfter('Sat, 21 Nov 2026 09:00:00 GMT', now), 0);
  for (const none of [undefined, '', 'soon', '-5', '1.5', '2026-11-21', '1e9', '99999999999'])
    assert.equal(retryAfter(none, now), null, String(none));
  fc.assert(
    fc.property(fc.string(), (text) => {
      const ms = retryAfter(text, now);
      return ms === null || (Number.isFinite(ms) && ms >= 0);
    }),
  );
});
