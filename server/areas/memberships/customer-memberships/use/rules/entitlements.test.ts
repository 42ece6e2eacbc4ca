import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../../test/properties.ts';
import { addDays } from '../../../../../kernel/base/values/date.ts';
import { againstUseOn, isOver, type Status } from '../../rules/status.ts';
import { chooseMembership, type Asked, type Candidate } from './choice.ts';
import { cycleFrom, lastDayOf, type Plan } from '../../rules/purchase.ts';
import { needsMembership } from './covers.ts';
import {
  periodFor,
  prorate,
  renewsOn,
  stateOf,
  usedIn,
  usesLeft,
  type Counted,
  type PeriodKind,
  type Pot,
  type Use,
} from './allotment.ts';
import { workedTable } from '../../../../../test/worked-table.ts';
import { periodAt, periodStart, type Cycle } from '../../../../../kernel/base/values/cycle.ts';

const ALLOTMENT = 'docs/algorithms/allotment.md';
const CHOICE = 'docs/algorithms/membership-choice.md';
const list = (cell: string): string[] =>
  cell
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);
const orNull = (cell: string): string | null => (cell === '' ? null : cell);
const yes = (cell: string): boolean => cell === 'yes';

const pot = (text: string): Pot => {
  const [, max, period, roll] = /^(\d+) (\w+)(?: roll (\d+))?/.exec(text)!;
  return { max: Number(max), period: period as PeriodKind, rollOver: Number(roll ?? 0), counts: { except: [] } };
};
const cycleOf = (limits: string, anchor: string): Cycle | null => {
  const day = / from (\d+)/.exec(limits)?.[1];
  return day === undefined ? null : { unit: 'months', length: 1, anchor, day: Number(day) };
};
const uses = (cell: string): Use[] =>
  list(cell).map((one) => ({ offeringType: 5, on: one.slice(0, 10), count: Number(/ x(\d+)/.exec(one)?.[1] ?? 1) }));
const pauses = (cell: string) =>
  list(cell).map((one) => ({ start: one.slice(0, 10), end: orNull(one.slice(14).trim()) }));
const counted = (over: Partial<Counted> = {}): Counted => ({
  start: '2026-01-01',
  end: null,
  cycle: null,
  uses: [],
  pauses: [],
  ...over,
});

workedTable(ALLOTMENT, 'Worked uses').forEach((row, i) => {
  test(`uses ${i + 1}: of ${row.limits || 'no limit'} after ${row['uses so far'] || 'nothing'} there are ${row.left} left on ${row['event on']}`, () => {
    const pots = list(row.limits).map(pot);
    const owned = counted({ start: row.began, cycle: cycleOf(row.limits, row.began), uses: uses(row['uses so far']) });
    assert.equal(String(usesLeft(pots, row['event on'], owned) ?? 'as one likes'), row.left);
    assert.equal(renewsOn(pots, row['event on'], owned) ?? '', row['there are more from']);
  });
});

workedTable(ALLOTMENT, 'Worked pots').forEach((row, i) => {
  test(`pots ${i + 1}: after ${row['uses so far'] || 'nothing'} there are ${row.left} left for ${row['for offering']}`, () => {
    const month = { period: 'month', rollOver: 0 } as const;
    const shared: Pot = { ...month, max: 10, counts: { except: [8] } };
    const pots = {
      5: [shared],
      7: [{ ...month, max: 2, counts: { only: [7] } }, shared],
      8: [{ ...month, max: 3, counts: { only: [8] } }],
    }[row['for offering']]!;
    const used = list(row['uses so far']).map((one): Use => ({
      on: '2026-06-02',
      offeringType: one[0] === '-' ? null : Number(one[0]),
      count: Number(one.slice(3)),
    }));
    assert.equal(usesLeft(pots, '2026-06-10', counted({ uses: used })), Number(row.left));
  });
});

workedTable(ALLOTMENT, 'Worked holds').forEach((row, i) => {
  test(`holds ${i + 1}: ${row.uses} a ${row.period} with ${row.holds || 'none'} are ${row['uses then']}`, () => {
    const owned = counted({ end: '2026-12-31', pauses: pauses(row.holds) });
    const one = pot(`${row.uses} ${row.period}`);
    assert.equal(stateOf(one, row['event on'], owned).max, Number(row['uses then']));
    const said = prorate(one.max, periodFor(one.period, row['event on'], null), owned);
    assert.deepEqual([String(said?.activeDays ?? ''), String(said?.totalDays ?? '')], [row['active days'], row.of]);
  });
});

workedTable(CHOICE, 'What needs a membership').forEach((row, i) => {
  test(`need ${i + 1}: covered ${row['a membership is for it']}, drop-ins ${row['drop-ins']}, sells ${row['the business sells memberships']}: ${row['needs one']}`, () => {
    assert.equal(
      needsMembership({
        covered: yes(row['a membership is for it']),
        allowsDropins: yes(row['drop-ins']),
        sells: yes(row['the business sells memberships']),
      }),
      yes(row['needs one']),
    );
  });
});

workedTable(CHOICE, 'Good for an event on 2026-06-10').forEach((row, i) => {
  test(`standing ${i + 1}: ${row.status} from ${row.from || 'its first use'} to ${row.to || 'no end'}, holds ${row.holds || 'none'}: ${row['against it'] || 'good'}`, () => {
    const standing = {
      status: row.status as Status,
      start: orNull(row.from),
      end: orNull(row.to),
      holds: pauses(row.holds),
    };
    assert.equal(againstUseOn(standing, '2026-06-10') ?? '', row['against it']);
  });
});

const ON = '2026-06-10';
function candidate(text: string): Candidate {
  const [, id, end, breadth, left, more] = /^(\d+): (\S+) \/ (\d+) \/ (\S+) ?(\w*)$/.exec(text)!;
  return {
    id: Number(id),
    name: `M${id}`,
    own: more !== 'shared',
    covers: more !== 'other',
    breadth: Number(breadth),
    status: 'active',
    start: more === 'later' ? '2026-06-11' : '2026-01-01',
    end: end === '-' ? null : end,
    cycle: null,
    uses: [],
    pauses: [],
    holds: more === 'held' ? [{ start: '2026-06-01', end: null }] : [],
    pots: left === '-' ? [] : [pot(`${left} total`)],
  };
}
const asked = (over: Partial<Asked> = {}): Asked => ({
  on: ON,
  covered: true,
  allowsDropins: true,
  sells: true,
  candidates: [],
  wanted: null,
  settled: false,
  ...over,
});

workedTable(CHOICE, 'Worked choices').forEach((row, i) => {
  test(`choice ${i + 1}: of ${row.memberships || 'none'}${row.named && `, named ${row.named}`}: ${row.chosen || row['refused with']}`, () => {
    const said = chooseMembership(
      asked({ candidates: list(row.memberships).map(candidate), wanted: row.named === '' ? null : Number(row.named) }),
    );
    assert.deepEqual([String(said.chosen ?? ''), said.refusal?.code ?? ''], [row.chosen, row['refused with']]);
  });
});

test('a free booking uses nothing unless the caller requests a membership, and a settled one uses nothing', () => {
  const candidates = [candidate('1: - / 1 / 5')];
  const free = { covered: false, candidates };
  assert.equal(chooseMembership(asked(free)).chosen, null);
  assert.equal(chooseMembership(asked({ ...free, wanted: 1 })).chosen, 1);
  assert.deepEqual(
    [chooseMembership(asked({ candidates, settled: true })).chosen, chooseMembership(asked({ settled: true })).refusal],
    [null, null],
  );
});

test('a refusal names a remedy, and for a used-up allotment the day of the next use', () => {
  const renewing = {
    ...candidate('1: - / 1 / 0'),
    pots: [pot('1 month')],
    uses: [{ offeringType: 5, on: ON, count: 1 }],
  };
  const said = chooseMembership(asked({ candidates: [renewing] }));
  assert.equal(said.facts.renews_on, '2026-07-01');
  assert.match(said.refusal!.message.staff, /from 2026-07-01 on/);
  assert.match(String(said.refusal!.message.customer), /from Wednesday, 1 July 2026\.$/);
  assert.match(
    chooseMembership(asked({ candidates: [candidate('1: 2026-06-09 / 1 / 5')] })).refusal!.message.staff,
    /2026-06-09.*Renew it/,
  );
});

test('a membership is over on the day after its last day', () => {
  assert.deepEqual(
    ['2026-06-10', '2026-06-11'].map((today) => isOver({ status: 'active', end: '2026-06-10' }, today)),
    [false, true],
  );
  assert.equal(isOver({ status: 'completed', end: '2026-06-10' }, '2027-01-01'), false);
});

const PURCHASE = 'docs/algorithms/membership-purchase.md';

workedTable(PURCHASE, 'Worked plans').forEach((row, i) => {
  test(`plans ${i + 1}: every ${row.every}, fixed ${row['fixed day'] || 'no'} day, begun on ${row.begins}: ${row['first whole period']}, ${row.second}, ${row['ends on'] || 'goes on'}`, () => {
    const [length, unit] = row.every.split(' ');
    const weekday = ['monday', 'tuesday', 'wednesday'].indexOf(row['fixed day']) + 1;
    const plan: Plan = {
      periodLength: Number(length),
      periodUnit: unit as Plan['periodUnit'],
      committedPeriods: row.commitment === 'none' ? null : Number(row.commitment),
      commitmentExpirationScheme: row.then as Plan['commitmentExpirationScheme'],
      fixedDayOfWeek: weekday || null,
      fixedDayOfMonth: weekday || row['fixed day'] === '' ? null : Number(row['fixed day']),
    };
    const cycle = cycleFrom(plan, row.begins);
    const n = periodAt(cycle, row.begins);
    const first = periodStart(cycle, n) === row.begins ? n : n + 1;
    assert.deepEqual(
      [periodStart(cycle, first), periodStart(cycle, first + 1), lastDayOf(plan, row.begins) ?? ''],
      [row['first whole period'], row.second, row['ends on']],
    );
  });
});

const kinds = fc.constantFrom<PeriodKind>('day', 'week', 'month', 'billing_period', 'total');
const day = fc.integer({ min: 0, max: 120 }).map((n) => addDays('2026-01-31', n));
const monthly: Cycle = { unit: 'months', length: 1, anchor: '2026-01-31' };
const anyPot = fc.record({
  period: kinds,
  max: fc.integer({ min: 0, max: 5 }),
  rollOver: fc.integer({ min: 0, max: 3 }),
  counts: fc.constant({ except: [] }),
});

test('in any order of bookings and cancellations, no period has more uses than were granted', () => {
  fc.assert(
    fc.property(
      fc.array(anyPot, { minLength: 1, maxLength: 3 }),
      fc.array(fc.tuple(day, fc.boolean()), { maxLength: 60 }),
      (pots, asks) => {
        let made: Use[] = [];
        for (const [on, cancels] of asks) {
          if (cancels) made = made.filter((u, i) => u.on !== on || i !== made.findIndex((x) => x.on === on));
          else if (usesLeft(pots, on, counted({ start: '2026-01-31', cycle: monthly, uses: made }))! > 0)
            made = [...made, { offeringType: 5, on, count: 1 }];
        }
        for (const one of pots) {
          let granted = 0;
          let used = 0;
          for (
            let dates = periodFor(one.period, '2026-01-31', monthly);
            dates.start <= '2026-06-15';
            dates = periodFor(one.period, dates.end, monthly)
          ) {
            const here = usedIn(one, dates, made);
            used += here;
            granted += one.max;
            assert.ok(here <= one.max + one.rollOver);
            assert.ok(used <= granted);
            if (one.period === 'total') break;
          }
        }
      },
    ),
  );
});

test('the day of the next use is the first later day with one', () => {
  fc.assert(
    fc.property(anyPot, fc.array(day, { maxLength: 20 }), day, (one, days, on) => {
      const owned = counted({
        start: '2026-01-31',
        cycle: monthly,
        uses: days.map((d) => ({ offeringType: 5, on: d, count: 1 })),
      });
      const renews = renewsOn([one], on, owned);
      if (usesLeft([one], on, owned)! > 0) return assert.equal(renews, null);
      if (renews === null) return assert.ok(one.period === 'total' || one.max === 0);
      assert.ok(usesLeft([one], renews, owned)! > 0);
      for (let d = addDays(on, 1); d < renews; d = addDays(d, 1)) assert.equal(usesLeft([one], d, owned), 0);
    }),
  );
});

test('holds take away at most the whole allotment, and no holds take away nothing', () => {
  const pause = fc.tuple(day, fc.integer({ min: 0, max: 40 })).map(([start, n]) => ({ start, end: addDays(start, n) }));
  fc.assert(
    fc.property(anyPot, day, pause, (one, on, p) => {
      const bare = stateOf({ ...one, rollOver: 0 }, on, counted({ end: '2026-12-31', cycle: monthly }));
      const paused = stateOf({ ...one, rollOver: 0 }, on, counted({ end: '2026-12-31', cycle: monthly, pauses: [p] }));
      assert.equal(bare.max, one.max);
      assert.ok(paused.max >= 0 && paused.max <= one.max);
    }),
  );
});

test('the order in which memberships are listed does not matter', () => {
  const any = fc.record({
    end: fc.constantFrom('-', '2026-06-09', '2026-06-10', '2026-12-31'),
    breadth: fc.integer({ min: 1, max: 3 }),
    left: fc.constantFrom('-', '0', '1', '5'),
    more: fc.constantFrom('', 'shared', 'other', 'later', 'held'),
  });
  fc.assert(
    fc.property(fc.array(any, { minLength: 1, maxLength: 5 }), (many) => {
      const candidates = many.map(({ end, breadth, left, more }, i) =>
        candidate(`${i + 1}: ${end} / ${breadth} / ${left}${more && ` ${more}`}`),
      );
      const [one, other] = [
        chooseMembership(asked({ candidates })),
        chooseMembership(asked({ candidates: candidates.toReversed() })),
      ];
      assert.deepEqual(one, other);
      assert.equal((one.chosen === null) === (one.refusal === null), false);
    }),
  );
});
