import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../test/properties.ts';
import { addDays } from '../../../../kernel/base/values/date.ts';
import { allowedCancellation, committedUntil, renewsContract, type Agreed, type Bound } from './contract.ts';
import { periodAt, periodStart, type Cycle } from '../../../../kernel/base/values/cycle.ts';
import { workedTable } from '../../../../test/worked-table.ts';

const CANCELLING = 'docs/algorithms/cancellation.md';

const list = (cell: string): string[] => (cell === '' ? [] : cell.split(', '));
const orNull = (cell: string): string | null => (cell === '' ? null : cell);
const holds = (cell: string) => list(cell).map((one) => ({ start: one.slice(0, 10), end: orNull(one.slice(14)) }));

const cycle = (every: string, anchor: string, day: string): Cycle => {
  const [length, unit] = every.split(' ');
  return { unit: unit as Cycle['unit'], length: Number(length), anchor, ...(day !== '' && { day: Number(day) }) };
};

workedTable(CANCELLING, 'Worked cancellations').forEach((row, i) => {
  test(`cancellations ${i + 1}: begun ${row.begins}, ${row.committed} committed, then ${row.then}, notice ${row.notice}, cancelled on ${row.today}: ${row['last day']}`, () => {
    const agreed: Agreed = {
      committedPeriods: row.committed === 'none' ? null : Number(row.committed),
      commitmentExpirationScheme: row.then as Agreed['commitmentExpirationScheme'],
      cancellationNoticeDays: Number(row.notice),
    };
    const bound: Bound = {
      start: row.begins,
      end: orNull(row['ends by itself']),
      cycle: cycle(row.every, row.begins, row.day),
      extending: holds(row['extending holds']),
    };
    assert.equal(allowedCancellation(agreed, bound, row.today), row['last day']);
  });
});

workedTable(CANCELLING, 'Worked contracts').forEach((row, i) => {
  test(`contracts ${i + 1}: ${row.committed} times ${row.every} from ${row.begins} begin anew on ${row['begins anew']}`, () => {
    const bound: Bound = {
      start: row.begins,
      end: null,
      cycle: cycle(row.every, row.begins, row.day),
      extending: holds(row['extending holds']),
    };
    const found: string[] = [];
    for (let n = periodAt(bound.cycle, row.begins) + 1; periodStart(bound.cycle, n) <= row['looked at on']; n++) {
      const on = periodStart(bound.cycle, n);
      if (
        renewsContract(
          { committedPeriods: Number(row.committed), commitmentExpirationScheme: 'renew_contract' },
          bound,
          on,
        )
      )
        found.push(on);
    }
    assert.deepEqual(found, list(row['begins anew']));
  });
});

test('the last day ends a billing period, respects the notice, is never before today, and is never earlier for a later cancellation', () => {
  const some = fc.record({
    committedPeriods: fc.option(fc.integer({ min: 1, max: 6 })),
    commitmentExpirationScheme: fc.constantFrom('renew_contract', 'continue_by_period', 'stop_contract'),
    cancellationNoticeDays: fc.option(fc.integer({ min: 0, max: 90 })),
  }) as fc.Arbitrary<Agreed>;
  const day = fc.integer({ min: 0, max: 700 });
  const hold = fc
    .tuple(day, fc.integer({ min: 0, max: 40 }))
    .map(([from, n]) => ({ start: addDays('2026-01-31', from), end: addDays('2026-01-31', from + n) }));
  fc.assert(
    fc.property(
      some,
      fc.array(hold, { maxLength: 3 }),
      day,
      day,
      fc.constantFrom<Cycle['unit']>('months', 'weeks'),
      (agreed, extending, a, b, unit) => {
        const bound: Bound = {
          start: '2026-01-31',
          end: null,
          cycle: { unit, length: 1, anchor: '2026-01-31' },
          extending,
        };
        const [early, late] = [Math.min(a, b), Math.max(a, b)].map((n) => addDays('2026-01-31', n));
        const last = allowedCancellation(agreed, bound, early);
        const after = addDays(last, 1);
        assert.equal(periodStart(bound.cycle, periodAt(bound.cycle, after)), after);
        assert.ok(last >= early && last >= addDays(early, agreed.cancellationNoticeDays ?? 0));
        assert.ok(allowedCancellation(agreed, bound, late) >= last);
        if (agreed.committedPeriods !== null) assert.ok(after >= periodStart(bound.cycle, agreed.committedPeriods));
      },
    ),
  );
});

test('a commitment binds until its last day, and a contract that renews binds again', () => {
  const bound: Bound = { start: '2026-01-15', end: null, cycle: cycle('1 months', '2026-01-15', ''), extending: [] };
  const until = (then: Agreed['commitmentExpirationScheme'], today: string, periods: number | null = 3) =>
    committedUntil({ committedPeriods: periods, commitmentExpirationScheme: then }, bound, today);
  assert.deepEqual(
    [
      until('continue_by_period', '2026-04-14'),
      until('continue_by_period', '2026-04-15'),
      until('renew_contract', '2026-04-14'),
      until('renew_contract', '2026-04-15'),
      until('continue_by_period', '2026-02-01', null),
    ],
    ['2026-04-14', null, '2026-04-14', '2026-07-14', null],
  );
});
