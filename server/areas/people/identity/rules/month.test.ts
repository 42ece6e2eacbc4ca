import assert from 'node:assert/strict';
import { test } from 'node:test';
import { monthAround } from './month.ts';

const ZONES = ['America/Toronto', 'Asia/Tokyo', 'Europe/London'];
const at = (iso: string) => Date.parse(iso);

test('a month is a whole month in the zone of the business, without a gap to the next', () => {
  for (const zone of [...ZONES, 'Pacific/Kiritimati', 'America/Sao_Paulo']) {
    for (let now = at('2026-10-20T00:00:00Z'); now < at('2028-04-01T00:00:00Z'); now += 11 * 86_400_000 + 3_599_000) {
      const { from, to, period } = monthAround(now, zone);
      assert.ok(from <= now && now < to, `${zone} ${new Date(now).toISOString()}`);
      assert.notEqual(monthAround(to, zone).period, period);
      assert.deepEqual(monthAround(to - 1, zone), { from, to, period });
      assert.equal(monthAround(to, zone).from, to);
    }
  }
});
