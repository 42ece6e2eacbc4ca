import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc, runs } from '../../../../../test/properties.ts';
import { addDays } from '../../../../../kernel/base/values/date.ts';
import {
  beyond,
  edited,
  endedBy,
  isWithin,
  lengthOf,
  meet,
  objectionsTo,
  stateOn,
  type Days,
  type Edit,
  type Term,
} from './hold.ts';
import { decide, type Decided, type OtherHold, type PaymentFacts, type Usage } from './payment.ts';
import { limitReached } from './limits.ts';
import { periodAt, periodOf, shareOfDays, type Cycle } from '../../../../../kernel/base/values/cycle.ts';
import { prorate } from '../../use/rules/allotment.ts';
import { workedTable } from '../../../../../test/worked-table.ts';

const HOLDS = 'docs/algorithms/holds.md';
const PRORATION = 'docs/algorithms/proration.md';
const TODAY = '2026-06-10';
const list = (cell: string): string[] =>
  cell
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);
const orNull = (cell: string): string | null => (cell === '' ? null : cell);
const number = (cell: string): number | null => (cell === '' ? null : Number(cell));
const days = (text: string): Days => ({ start: text.slice(0, 10), end: orNull(text.slice(13).trim()) });
const written = ({ start, end }: Days): string => `${start} to${end === null ? '' : ` ${end}`}`;

const between = (row: Record<string, string>): Days => ({ start: row['hold from'], end: orNull(row.to) });

workedTable(HOLDS, 'What is against a hold').forEach((row, i) => {
  test(`against ${i + 1}: ${row['hold from']} to ${row.to || 'no end'} of one that is ${row.status} to ${row['membership to'] || 'no end'}: ${row['against it'] || 'nothing'}`, () => {
    const term: Term = { status: row.status as Term['status'], start: '2026-01-10', end: orNull(row['membership to']) };
    const found = objectionsTo({
      days: between(row),
      extends: row['moves the last day'] === 'yes',
      today: TODAY,
      term,
      others: [days('2026-07-01 to 2026-07-10')],
    });
    assert.deepEqual(
      found.map((o) => o.field),
      list(row['against it']),
    );
  });
});

const editOf = (text: string): Edit =>
  Object.assign(
    {},
    ...list(text).map((one): Edit => {
      const [name, value] = one.split(' ');
      return name === 'start_date'
        ? { start: value }
        : name === 'end_date'
          ? { end: value }
          : name === 'days_to_add'
            ? { daysToAdd: Number(value) }
            : { openEnded: true };
    }),
  );

workedTable(HOLDS, 'Worked edits').forEach((row, i) => {
  const hold = { start: row['hold from'], end: orNull(row.to) };
  test(`edits ${i + 1}: ${written(hold)} with ${row.edit}`, () => {
    const after = edited(hold, editOf(row.edit), TODAY);
    if (row.from === 'refused') return assert.equal('against' in after && after.against.field, row.until);
    assert.ok('days' in after, JSON.stringify(after));
    assert.deepEqual(after.days, { start: row.from, end: orNull(row.until) });
    assert.deepEqual(beyond(after.days, hold).map(written), list(row['new days']));
  });
});

workedTable(HOLDS, 'Worked ends').forEach((row, i) => {
  test(`ends ${i + 1}: ${row['hold from']} to ${row.to || 'no end'}, active again on ${row['active again on']}: ${row.becomes}`, () => {
    const after = endedBy(between(row), row['active again on'], TODAY);
    assert.equal('against' in after ? 'refused' : after.days === null ? 'nothing' : written(after.days), row.becomes);
  });
});

workedTable(HOLDS, 'Worked limits').forEach((row, i) => {
  test(`limits ${i + 1}: ${row.hold} after ${row.before || 'none'}: ${row['against it'] || 'nothing'}`, () => {
    const found = limitReached(days(row.hold), list(row.before).map(days), {
      holds: number(row['holds a year']),
      days: number(row['days a year']),
    });
    assert.deepEqual([found?.limit ?? '', found?.from ?? ''], [row['against it'], row['possible from']]);
  });
});

const MONTHS: Cycle = { unit: 'months', length: 1, anchor: '2026-01-10' };

type Paying = Partial<Omit<PaymentFacts, 'begins' | 'back'>> & {
  /** price of a whole period that is not billed yet, and of the one in which the hold begins */
  readonly price?: number;
  readonly startPrice?: number;
  /** earlier decisions about other holds */
  readonly before?: readonly Decided[];
};

/** Decides as if each period is billed when it begins, and charges and credits are kept. */
function decideAs(hold: Days, { price = 3000, startPrice = price, before = [], ...over }: Paying = {}): Decided {
  const { cycle, others, start } = { cycle: MONTHS, others: [] as readonly OtherHold[], start: '2026-01-10', ...over };
  const sum = (of: (d: Decided) => { start_date: string } | null, amount: (d: Decided) => number, day: string) =>
    before.reduce((all, one) => (of(one)?.start_date === day ? all + amount(one) : all), 0);
  const at = (day: string, amount: number) => {
    if (cycle === null) return { begins: start, amount };
    const period = periodOf(cycle, periodAt(cycle, day));
    const begins = later(period.start, start);
    return { begins, amount: shareOfDays(amount, period, begins, period.end) };
  };
  const { begins, amount: worth } = at(hold.start, startPrice);
  const rested = others.some((other) => isWithin(begins, other));
  const billed = isWithin(begins, hold)
    ? 0
    : rested
      ? sum(
          (d) => d.reactivation,
          (d) => d.resolution.charge,
          begins,
        )
      : worth;
  const left =
    billed -
    sum(
      (d) => d.start,
      (d) => d.resolution.credit,
      begins,
    );
  const whole = hold.end === null ? 0 : at(addDays(hold.end, 1), price).amount;
  return decide({
    cycle,
    wording: { amount: () => '', none: () => '' },
    start,
    end: null,
    hold,
    disableProrates: false,
    prorateUsage: true,
    usage: null,
    others,
    ...over,
    begins: { price: worth, worth: billed === 0 ? 0 : worth, left },
    back: { price: whole, billed: false, part: (of) => of(whole) },
  });
}

const usage = (max: number, used = 0): Usage => ({
  max,
  used: () => used,
  prorated: (period, pauses) => prorate(max, period, { start: '2026-01-10', end: null, pauses })?.max ?? max,
});

/** Decides the holds one after the other, in the order in which they are created. */
function inTurn(holds: readonly (Days & { disabled?: boolean })[], over: Paying = {}): Decided[] {
  const [others, before]: [OtherHold[], Decided[]] = [[], []];
  for (const hold of holds) {
    before.push(
      decideAs(hold, { ...over, others: [...others], before: [...before], disableProrates: hold.disabled ?? false }),
    );
    others.push({ ...hold, prorates: !hold.disabled });
  }
  return before;
}

test('a decision says which amounts it has, credit first, or why it has none', () => {
  const wording: PaymentFacts['wording'] = {
    amount: (type, amount, { start_date, end_date }) => `${type} ${amount} ${start_date}..${end_date}`,
    none: (why) => `none: ${why}`,
  };
  const said = (hold: Days, over: Paying = {}): unknown[] => {
    const { type, amount, due_date, explanation } = decideAs(hold, { price: 3100, wording, ...over }).resolution;
    return [type, amount, due_date, explanation];
  };
  const month = { start: '2026-01-20', end: '2026-01-29' };
  assert.deepEqual(said(month), ['credit', 1000, '2026-01-20', 'credit 1000 2026-01-10..2026-02-09']);
  const twoMonths = { start: '2026-01-31', end: '2026-02-19' };
  assert.deepEqual(said(twoMonths, { price: 2800 }), [
    'charge',
    897,
    '2026-02-20',
    'credit 903 2026-01-10..2026-02-09 charge 1800 2026-02-10..2026-03-09',
  ]);
  assert.deepEqual(said(month, { disableProrates: true }), ['none', 0, null, 'none: off']);
  assert.deepEqual(said(month, { startPrice: 0 }), ['none', 0, null, 'none: even']);
  assert.deepEqual(said(month, { cycle: null }), ['none', 0, null, 'none: periods']);
});

workedTable(PRORATION, 'Worked days').forEach((row, i) => {
  test(`days ${i + 1}: ${row['hold from']} to ${row.to || 'no end'} of ${row.price} gives ${row.credit} back and charges ${row.charge}`, () => {
    const { strategy, resolution, reactivation } = decideAs(between(row), { price: Number(row.price) });
    assert.deepEqual(
      [strategy, resolution.credit, resolution.charge, reactivation?.due_date ?? ''],
      ['days', Number(row.credit), Number(row.charge), row.due],
    );
  });
});

workedTable(PRORATION, 'Worked terms').forEach((row, i) => {
  test(`terms ${i + 1}: a membership from ${row['membership from']} to ${row['membership to'] || 'no end'} on hold from ${row['hold from']} to ${row.to}`, () => {
    const cycle: Cycle = { ...MONTHS, anchor: row['membership from'], day: 10 };
    const decided = decideAs(between(row), {
      cycle,
      start: row['membership from'],
      end: orNull(row['membership to']),
      disableProrates: row.disabled === 'yes',
    });
    assert.deepEqual(
      [
        decided.strategy,
        decided.resolution.credit,
        decided.resolution.charge,
        decided.start!.price,
        decided.reactivation?.start_date ?? 'never',
      ],
      [
        row.strategy,
        Number(row.credit),
        Number(row.charge),
        Number(row['price of the first period']),
        row['active again in'],
      ],
    );
  });
});

workedTable(PRORATION, 'Worked usage').forEach((row, i) => {
  test(`usage ${i + 1}: ${row.used} of 10 used, ${row['hold from']} to ${row.to || 'no end'}: ${row.credit} back, ${row.charge} charged`, () => {
    const { strategy, start, reactivation, resolution } = decideAs(between(row), {
      usage: usage(10, Number(row.used)),
    });
    assert.deepEqual(
      [
        strategy,
        start!.prorated_max_uses,
        resolution.credit,
        resolution.charge,
        reactivation?.prorated_max_uses ?? null,
      ],
      ['usage', Number(row.left), Number(row.credit), Number(row.charge), number(row['left then'])],
    );
  });
});

workedTable(PRORATION, 'Worked holds after each other').forEach((row, i) => {
  test(`in turn ${i + 1}: ${row.holds}`, () => {
    const holds = list(row.holds).map((one) => ({
      ...days(one.replace(' disabled', '')),
      disabled: one.endsWith('disabled'),
    }));
    const decided = inTurn(holds, row.uses ? { usage: usage(Number(row.uses)) } : {});
    assert.deepEqual(
      [decided.map((d) => d.resolution.credit), decided.map((d) => d.resolution.charge)],
      [list(row.credits).map(Number), list(row.charges).map(Number)],
    );
  });
});

test('nothing is prorated if nothing is paid by periods', () => {
  const { strategy, start, reactivation, resolution } = decideAs(days('2026-06-20 to 2026-06-30'), { cycle: null });
  assert.deepEqual(
    [strategy, start, reactivation, resolution.type, resolution.amount],
    ['none', null, null, 'none', 0],
  );
});

test('a number of uses that the hold does not reduce does not affect the payments', () => {
  assert.equal(decideAs(days('2026-06-20 to 2026-06-30'), { usage: usage(10), prorateUsage: false }).strategy, 'days');
});

test('the price paid for the period in which the hold began counts, not the current price', () => {
  const { resolution } = decideAs(days('2026-06-25 to 2026-08-19'), { startPrice: 3000, price: 6000 });
  assert.deepEqual([resolution.credit, resolution.charge], [1500, 4065]);
});

// Properties
// --------------------------------------------------------------------------------------------------------------

const cycles = fc.oneof(
  fc
    .record({
      unit: fc.constant('months' as const),
      length: fc.integer({ min: 1, max: 3 }),
      day: fc.integer({ min: 1, max: 31 }),
    })
    .map(({ day, ...rest }): Cycle => ({ ...rest, anchor: '2026-01-10', day })),
  fc
    .record({ unit: fc.constant('weeks' as const), length: fc.integer({ min: 1, max: 6 }) })
    .map((c): Cycle => ({ ...c, anchor: '2026-01-10' })),
);
const prices = fc.integer({ min: 0, max: 100_000 });
const START = '2026-01-10';
const net = (all: readonly Decided[]): number =>
  all.reduce((sum, d) => sum + d.resolution.charge - d.resolution.credit, 0);

/** Consecutive parts of a range of days. */
const parts = fc
  .record({
    from: fc.integer({ min: 0, max: 200 }),
    lengths: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 2, maxLength: 6 }),
  })
  .map(({ from, lengths }) => {
    const firsts = lengths.reduce<number[]>((all, n) => [...all, all.at(-1)! + n], [from]);
    return firsts
      .slice(0, -1)
      .map((first, i): Days => ({ start: addDays(START, first), end: addDays(START, firsts[i + 1] - 1) }));
  });

test('consecutive holds together cost exactly as much as one hold of all their days, however it is split', () => {
  fc.assert(
    fc.property(cycles, prices, parts, fc.option(fc.integer({ min: 1, max: 30 })), (cycle, price, holds, uses) => {
      const over = { cycle, price, usage: uses === null ? null : usage(uses) };
      const whole = { start: holds[0].start, end: holds.at(-1)!.end };
      assert.equal(net(inTurn(holds, over)), net(inTurn([whole], over)));
    }),
    runs(2000),
  );
});

test('the amount paid for a period is never below zero or above its price, for any holds and in any order of their creation', () => {
  const gaps = fc.array(
    fc.record({
      gap: fc.integer({ min: 0, max: 25 }),
      length: fc.integer({ min: 1, max: 25 }),
      disabled: fc.boolean(),
      order: fc.nat(),
    }),
    { minLength: 1, maxLength: 6 },
  );
  fc.assert(
    fc.property(cycles, prices, gaps, fc.option(fc.integer({ min: 1, max: 30 })), (cycle, price, all, uses) => {
      let day = 0;
      const holds = all.map(({ gap, length, disabled, order }) => {
        const start = addDays(START, day + gap);
        day += gap + length;
        return { start, end: addDays(START, day - 1), disabled, order };
      });
      const asked = holds.toSorted((a, b) => a.order - b.order);
      const decided = inTurn(asked, { cycle, price, usage: uses === null ? null : usage(uses) });
      for (const { start, reactivation } of decided)
        for (const amount of [start!.credit, reactivation?.charge ?? 0]) assert.ok(amount >= 0 && amount <= price);
      const credits = Map.groupBy(decided, (d) => d.start!.start_date);
      for (const of of credits.values()) assert.ok(of.reduce((sum, d) => sum + d.resolution.credit, 0) <= price);
    }),
    runs(2000),
  );
});

test('by days, the credit for each period is the value of its days', () => {
  fc.assert(
    fc.property(
      cycles,
      prices,
      fc.integer({ min: 0, max: 400 }),
      fc.integer({ min: 1, max: 90 }),
      (cycle, price, from, length) => {
        const hold = { start: addDays(START, from), end: addDays(START, from + length - 1) };
        const { resolution, reactivation, start } = decideAs(hold, { cycle, price });
        const period = periodOf(cycle, periodAt(cycle, hold.start));
        const until = hold.end >= period.end ? period.end : addDays(hold.end, 1);
        const paid = later(period.start, START) < hold.start;
        const dates = { start: later(period.start, START), end: period.end };
        const worth = shareOfDays(price, period, dates.start, dates.end);
        assert.equal(resolution.credit, paid ? shareOfDays(worth, dates, hold.start, until) : 0);
        if (reactivation && resolution.charge > 0) {
          const last = periodOf(cycle, periodAt(cycle, addDays(hold.end, 1)));
          const rest = { start: later(last.start, START), end: last.end };
          const whole = shareOfDays(price, last, rest.start, rest.end);
          assert.equal(resolution.charge, whole - shareOfDays(whole, rest, rest.start, addDays(hold.end, 1)));
        }
        assert.equal(start!.held_days + start!.active_days, start!.total_days);
      },
    ),
    runs(1000),
  );
});

const later = (a: string, b: string): string => (a > b ? a : b);

const someDays = fc
  .record({ from: fc.integer({ min: 0, max: 60 }), length: fc.option(fc.integer({ min: 1, max: 30 })) })
  .map(({ from, length }): Days => ({
    start: addDays(START, from),
    end: length === null ? null : addDays(START, from + length - 1),
  }));

test('new days are those of one range that the other does not have', () => {
  fc.assert(
    fc.property(someDays, someDays, (now, before) => {
      const found = beyond(now, before);
      for (let n = -2; n < 120; n++) {
        const day = addDays(START, n);
        assert.equal(
          found.some((part) => isWithin(day, part)),
          isWithin(day, now) && !isWithin(day, before),
        );
      }
    }),
  );
});

test('two ranges overlap if they have a day in common, and a hold is in exactly one state on each day', () => {
  fc.assert(
    fc.property(someDays, someDays, fc.integer({ min: -5, max: 120 }), (a, b, n) => {
      const common = Array.from({ length: 125 }, (_, i) => addDays(START, i)).some(
        (day) => isWithin(day, a) && isWithin(day, b),
      );
      assert.equal(meet(a, b), common);
      assert.equal(stateOn(a, addDays(START, n)) === 'active', isWithin(addDays(START, n), a));
      if (a.end !== null) assert.equal(addDays(a.start, lengthOf(a)! - 1), a.end);
    }),
  );
});

test('the day that a refusal names is one on which the hold is possible', () => {
  const others = fc
    .uniqueArray(fc.integer({ min: -20, max: 20 }), { maxLength: 5 })
    .map((months) => months.map((n): Days => ({ start: addDays(TODAY, n * 30), end: addDays(TODAY, n * 30 + 9) })));
  fc.assert(
    fc.property(
      others,
      fc.integer({ min: 1, max: 20 }),
      fc.option(fc.integer({ min: 0, max: 4 })),
      fc.option(fc.integer({ min: 0, max: 60 })),
      (before, length, holds, most) => {
        const hold = { start: addDays(TODAY, 12), end: addDays(TODAY, 11 + length) };
        const found = limitReached(hold, before, { holds, days: most });
        if (found?.from)
          assert.equal(
            limitReached({ start: found.from, end: addDays(found.from, length - 1) }, before, { holds, days: most }),
            null,
          );
      },
    ),
  );
});
