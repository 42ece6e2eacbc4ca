import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../../test/properties.ts';
import { addDays } from '../../../../../kernel/base/values/date.ts';
import { endingOf, type Reason } from './cancelling.ts';
import { remainingValue, type Paid } from './upgrade.ts';
import { nextRenewal } from '../../renewals/rules/renewal.ts';
import { periodAt, periodOf, periodStart, shareOfDays, type Cycle } from '../../../../../kernel/base/values/cycle.ts';
import { workedTable } from '../../../../../test/worked-table.ts';

const RENEWAL = 'docs/algorithms/renewal.md';

const list = (cell: string): string[] => (cell === '' ? [] : cell.split(', '));
const orNull = (cell: string): string | null => (cell === '' ? null : cell);
const holds = (cell: string) => list(cell).map((one) => ({ start: one.slice(0, 10), end: orNull(one.slice(14)) }));

workedTable(RENEWAL, 'Worked renewals').forEach((row, i) => {
  test(`renewals ${i + 1}: every ${row.every} from ${row['first day']} to ${row['last day'] || 'no end'}, holds ${row.holds || 'none'}: ${row.told || 'none'} until ${row['looked at on']}`, () => {
    const [length, unit] = row.every.split(' ');
    const cycle: Cycle = { unit: unit as Cycle['unit'], length: Number(length), anchor: row['first day'] };
    const told: string[] = [];
    let renewsOn = periodStart(cycle, 1);
    for (
      let next = nextRenewal(
        { cycle, renewsOn, end: orNull(row['last day']), holds: holds(row.holds) },
        row['looked at on'],
      );
      next !== null;
    ) {
      if (next.billed) told.push(next.period.start);
      renewsOn = next.period.end;
      next = nextRenewal(
        { cycle, renewsOn, end: orNull(row['last day']), holds: holds(row.holds) },
        row['looked at on'],
      );
    }
    assert.deepEqual(told, list(row.told));
  });
});

workedTable('docs/algorithms/cancellation.md', 'Worked endings').forEach((row, i) => {
  test(`endings ${i + 1}: ${row.reason} for ${row.forced || 'no day'}, begun ${row.begins || 'with its first use'}, allowed ${row.allowed}: ${row['last day'] || row.refused}`, () => {
    const allowed = row.allowed === 'none' ? null : row.allowed;
    const said = endingOf({
      today: '2026-06-10',
      reason: row.reason as Reason,
      forced: orNull(row.forced),
      start: orNull(row.begins),
      end: orNull(row['ends by itself']),
      allowed,
    });
    assert.deepEqual(
      'refused' in said ? [said.field] : [said.lastDay, said.atOnce],
      row.refused ? [row.refused] : [row['last day'], row['at once'] === 'yes'],
    );
  });
});

workedTable('docs/algorithms/upgrades.md', 'Worked credits').forEach((row, i) => {
  test(`credits ${i + 1}: ${row.kind} for ${row.price}, ${row.uses ? `${row.used} of ${row.uses} used` : `${row.from || 'no day'} to ${row.to || 'no day'}`}, on ${row.on}: ${row.credit}`, () => {
    const whole = row.from === '' || row.to === '' ? null : { start: row.from, end: addDays(row.to, 1) };
    const paid: Paid = {
      worth: Number(row.worth),
      left: Number(row.left),
      start: orNull(row.begins),
      whole,
      uses: row.uses === '' ? null : { total: Number(row.uses), used: Number(row.used) },
    };
    assert.equal(remainingValue(paid, row.on).amount, Number(row.credit));
  });
});

const price = fc.integer({ min: 0, max: 1_000_000 });
const whole = { start: '2026-01-31', end: '2026-02-28' };
const monthly = { whole, start: '2026-01-01', uses: null };
const paid = (worth: number, left = worth) => ({ worth, left });

test('the value left on a day plus the value used until then is the price, and it never grows later', () => {
  const day = fc.integer({ min: 0, max: 28 }).map((n) => addDays(whole.start, n));
  fc.assert(
    fc.property(price, day, day, (amount, a, b) => {
      const left = (on: string) => remainingValue({ ...monthly, ...paid(amount) }, on).amount;
      assert.equal(left(a) + shareOfDays(amount, whole, whole.start, a), amount);
      const [early, late] = a < b ? [a, b] : [b, a];
      assert.equal(left(early) - left(late), shareOfDays(amount, whole, early, late));
    }),
  );
  fc.assert(
    fc.property(price, fc.integer({ min: 1, max: 50 }), fc.integer({ min: 0, max: 60 }), (amount, total, used) => {
      const left = (n: number) =>
        remainingValue({ ...monthly, ...paid(amount), uses: { total, used: n } }, '2026-02-01').amount;
      assert.ok(left(used) >= 0 && left(used) <= amount && left(used + 1) <= left(used));
      assert.deepEqual([left(0), left(total)], [amount, 0]);
    }),
  );
});

test('nobody gets back more than is left of the billed amount, on any day', () => {
  fc.assert(
    fc.property(price, price, fc.integer({ min: -40, max: 40 }), (worth, left, n) => {
      const { amount } = remainingValue(
        { ...monthly, ...paid(worth, left), start: '2026-02-05' },
        addDays(whole.start, n),
      );
      assert.ok(amount >= 0 && amount <= left && amount <= worth);
    }),
  );
});

test('a customer who upgrades repeatedly pays for the days of each membership, and for nothing twice', () => {
  const steps = fc.array(
    fc.record({ days: fc.integer({ min: 0, max: 60 }), amount: price, length: fc.integer({ min: 1, max: 3 }) }),
    { minLength: 1, maxLength: 8 },
  );
  fc.assert(
    fc.property(steps, (all) => {
      let today = '2026-01-31';
      for (const { days, amount, length } of all) {
        const cycle: Cycle = { unit: 'months', length, anchor: today };
        const start = today;
        today = addDays(today, days);
        const running = periodOf(cycle, periodAt(cycle, today));
        const { amount: credit } = remainingValue({ ...monthly, ...paid(amount), whole: running, start }, today);
        assert.equal(amount - credit, shareOfDays(amount, running, running.start, today));
      }
    }),
  );
});
