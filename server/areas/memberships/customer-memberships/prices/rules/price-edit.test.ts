import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../../test/properties.ts';
import { addDays } from '../../../../../kernel/base/values/date.ts';
import { editPrice, HIGHEST_PRICE, type PriceChange, type Priced } from './price-edit.ts';
import { periodAt, periodStart, type Cycle } from '../../../../../kernel/base/values/cycle.ts';
import { parseDecimal } from '../../../../../kernel/base/values/money.ts';
import { workedTable } from '../../../../../test/worked-table.ts';

const minor = (text: string): number => parseDecimal(text, 'CAD')!;
const when = { today: '2026-02-15', currency: 'CAD' };
const monthly = (anchor: string): Cycle => ({ unit: 'months', length: 1, anchor });

function changeOf(text: string): PriceChange {
  if (text.endsWith('%')) return { percent: minor(text.slice(0, -1).replace('+', '')) };
  return text.startsWith('-') ? { amount: minor(text) } : { price: minor(text) };
}

workedTable('docs/algorithms/price-edits.md', 'Worked edits').forEach((row, i) => {
  test(`edit ${i + 1}: ${row.price} from ${row.from}${row.to && ` to ${row.to}`}, ${row.status}, ${row.change}`, () => {
    const pack = row.from === 'pack';
    const owned: Priced = {
      status: row.status as Priced['status'],
      price: minor(row.price),
      start: pack ? null : row.from,
      end: row.to || null,
      cycle: pack ? null : monthly(row.from),
    };
    const edit = editPrice(owned, changeOf(row.change), when);
    if (row.refused) return assert.ok(typeof edit === 'string' && edit.includes(row.refused), String(edit));
    assert.deepEqual(edit, {
      before: owned.price,
      after: minor(row['price then']),
      from: row['from then on'] === 'at once' ? null : row['from then on'],
    });
  });
});

test('no edit results in a price below 0 or above the limit, and none changes a period that has begun', () => {
  const day = fc.integer({ min: 0, max: 2000 }).map((n) => addDays('2024-01-01', n));
  const change = fc.oneof(
    fc.record({ price: fc.nat(HIGHEST_PRICE) }),
    fc.record({ amount: fc.integer({ min: -HIGHEST_PRICE, max: HIGHEST_PRICE }) }),
    fc.record({ percent: fc.integer({ min: -10_000, max: 100_000 }) }),
  );
  fc.assert(
    fc.property(fc.nat(HIGHEST_PRICE), day, fc.option(day), day, change, (price, start, end, today, asked) => {
      const cycle = monthly(start);
      const edit = editPrice({ status: 'active', price, cycle, start, end }, asked, { today, currency: 'CAD' });
      if (typeof edit === 'string') return;
      assert.ok(edit.after >= 0 && edit.after <= HIGHEST_PRICE);
      assert.ok(edit.from! > today || edit.from === start);
      assert.equal(edit.from, periodStart(cycle, periodAt(cycle, edit.from!)), 'a period begins then');
      assert.ok(end === null || edit.from! <= end);
    }),
  );
});
