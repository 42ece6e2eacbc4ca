import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../test/properties.ts';
import { addDays, daysBetween } from '../../../../kernel/base/values/date.ts';
import {
  APPLIES_TO,
  count,
  counts,
  lastStrike,
  INFRACTIONS,
  reconcile,
  sequencesOf,
  type Pending,
  type Rule,
  type Strike,
} from './sequences.ts';
import { workedTable } from '../../../../test/worked-table.ts';

const WRITTEN = 'docs/algorithms/penalties.md';
const list = (cell: string): string[] =>
  cell
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);

/** Creates strikes of one rule, an hour apart if they are on the same day. */
function strikesOn(days: readonly string[], rule = 1): Strike[] {
  return days.map((on, i) => ({
    id: i + 1,
    rule,
    attendance: i + 1,
    at: Date.parse(`${on}T10:00Z`) + i * 3_600_000,
    on,
  }));
}

test('each rule counts the infractions that its name says', () => {
  const rows = workedTable(WRITTEN, 'What rules count');
  assert.deepEqual(rows.map((row) => row.rule).toSorted(), APPLIES_TO.toSorted());
  for (const row of rows)
    for (const infraction of INFRACTIONS)
      assert.equal(
        counts(row.rule as (typeof APPLIES_TO)[number], infraction),
        row[infraction] === 'yes',
        `${row.rule} ${infraction}`,
      );
});

workedTable(WRITTEN, 'Worked sequences').forEach((row, i) => {
  test(`sequences ${i + 1}: of ${row.strikes} with ${row.max_infractions} free within ${row.days} days: ${row.penalties || 'no penalty'}`, () => {
    const days = list(row.strikes).flatMap((one) =>
      Array.from({ length: Number(/ x(\d+)/.exec(one)?.[1] ?? 1) }, () => one.slice(0, 10)),
    );
    const strikes = strikesOn(days);
    const { sequences, position } = count(
      { maxInfractions: Number(row.max_infractions), days: Number(row.days) },
      strikes,
    );
    assert.equal(sequences.map((sequence) => sequence.map(({ on }) => on).join(' ')).join('; '), row.penalties);
    assert.equal(strikes.map(({ id }) => position.get(id)).join(' '), row.positions);
  });
});

workedTable(WRITTEN, 'Worked charges').forEach((row, i) => {
  test(`charges ${i + 1}: of ${row.infractions} under ${row.rules}: ${row.charged}`, () => {
    const rules = list(row.rules).map((text, n): Rule => {
      const [, max, days, price] = /: (\d+) in (\d+) at (\d+)$/.exec(text)!;
      return { id: n + 1, maxInfractions: Number(max), days: Number(days), price: Number(price) };
    });
    const letter = (id: number): string => list(row.rules)[id - 1][0];
    const strikes = list(row.infractions).flatMap((text, n) => {
      const [on, under] = text.split(' ');
      return rules
        .filter(({ id }) => under.includes(letter(id)))
        .map(({ id }): Strike => ({ id: n * 10 + id, rule: id, attendance: n, at: n, on }));
    });
    const said = (skipped: boolean): string[] =>
      sequencesOf(rules, strikes)
        .sequences.filter((sequence) => sequence.skipped === skipped)
        .map((sequence) => `${lastStrike(sequence).on} ${letter(sequence.rule.id)}`)
        .toSorted();
    assert.deepEqual(said(false), list(row.charged));
    assert.deepEqual(said(true), list(row.skipped));
  });
});

const FIRST = '2026-01-01';
const rule = fc.record({
  maxInfractions: fc.integer({ min: 1, max: 4 }),
  days: fc.integer({ min: 5, max: 40 }),
  price: fc.integer({ min: 1, max: 5000 }),
});
const rules = fc
  .array(rule, { minLength: 1, maxLength: 3 })
  .map((all) => all.map((one, i): Rule => ({ ...one, id: i + 1 })));
/** Infractions: a day, and which of three rules it breaks. */
const infractions = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 90 }), fc.integer({ min: 1, max: 7 })), { maxLength: 25 })
  .map((all) =>
    all.flatMap(([day, mask], attendance) =>
      [1, 2, 3]
        .filter((id) => mask & (1 << (id - 1)))
        .map((id): Strike => ({
          id: attendance * 10 + id,
          rule: id,
          attendance,
          at: day * 24 + (attendance % 24),
          on: addDays(FIRST, day),
        })),
    ),
  );
const sum = (all: readonly { rule: Rule; skipped: boolean }[]): number =>
  all.reduce((total, one) => total + (one.skipped ? 0 : one.rule.price), 0);

test('a penalty has one more strike than is free, all within its days; no strike is in two; one infraction is charged once', () => {
  fc.assert(
    fc.property(rules, infractions, (all, strikes) => {
      const { sequences } = sequencesOf(all, strikes);
      const used = sequences.flatMap((sequence) => sequence.strikes.map(({ id }) => id));
      assert.equal(new Set(used).size, used.length);
      for (const { rule: of, strikes: own } of sequences) {
        assert.equal(own.length, of.maxInfractions + 1);
        assert.ok(own.every((strike) => strike.rule === of.id));
        assert.ok(daysBetween(own[0].on, own.at(-1)!.on) < of.days);
      }
      const charged = sequences
        .filter((sequence) => !sequence.skipped)
        .map((sequence) => lastStrike(sequence).attendance);
      assert.equal(new Set(charged).size, charged.length);
    }),
  );
});

test('no excess is left over: between two penalties of a rule, and after the last one, there are no more than the free strikes', () => {
  fc.assert(
    fc.property(rule, infractions, (of, strikes) => {
      const own = strikes.filter((strike) => strike.rule === 1);
      const { sequences } = count(of, own);
      const used = new Set(sequences.flat().map(({ id }) => id));
      const left = own.filter(({ id }) => !used.has(id));
      const ends = sequences.map((sequence) => sequence.at(-1)!.at);
      for (const between of Map.groupBy(left, ({ at }) => ends.filter((end) => end < at).length).values()) {
        for (const { on } of between)
          assert.ok(
            between.filter((other) => other.on <= on && daysBetween(other.on, on) < of.days).length <=
              of.maxInfractions,
          );
      }
    }),
  );
});

/** Returns the pending penalties after marking one absence after the other, reconciled after each. */
function markOneByOne(
  all: readonly Rule[],
  strikes: readonly Strike[],
): { pending: Map<number, Pending & { price: number }>; made: number; voided: number } {
  const pending = new Map<number, Pending & { price: number }>();
  const marked: Strike[] = [];
  let [made, voided] = [0, 0];
  const settle = () => {
    const { voids, makes } = reconcile([...pending.values()], sequencesOf(all, marked).sequences);
    for (const { id } of voids) pending.delete(id);
    voided += voids.length;
    for (const { rule: of, strikes: own, skipped } of makes)
      pending.set(++made, {
        id: made,
        rule: of.id,
        strikes: own.map(({ id }) => id),
        skipped,
        price: skipped ? 0 : of.price,
      });
  };
  for (const strike of strikes) {
    marked.push(strike);
    settle();
  }
  return { pending, made, voided };
}

test('in any order of marks, the pending sum is the same as when all absences are marked together', () => {
  fc.assert(
    fc.property(
      rules,
      infractions.chain((strikes) =>
        fc.tuple(fc.constant(strikes), fc.shuffledSubarray(strikes, { minLength: strikes.length })),
      ),
      (all, [strikes, shuffled]) => {
        const total = (of: readonly Strike[]): number =>
          [...markOneByOne(all, of).pending.values()].reduce((of2, { price }) => of2 + price, 0);
        assert.equal(total(shuffled), total(strikes));
        assert.equal(total(strikes), sum(sequencesOf(all, strikes).sequences));
      },
    ),
  );
});

test('a forgiven strike costs nothing: without it the result is as if it had never existed, and marking it again restores the result', () => {
  fc.assert(
    fc.property(
      rules,
      infractions.filter((strikes) => strikes.length > 0),
      fc.nat(),
      (all, strikes, n) => {
        const forgiven = strikes[n % strikes.length].attendance;
        const rest = strikes.filter((strike) => strike.attendance !== forgiven);
        const before = sequencesOf(all, strikes).sequences;
        const pending = before.map((sequence, i): Pending => ({
          id: i,
          rule: sequence.rule.id,
          strikes: sequence.strikes.map(({ id }) => id),
          skipped: sequence.skipped,
        }));
        const { voids, makes } = reconcile(pending, sequencesOf(all, rest).sequences);
        const left = before.filter((_, i) => !voids.some(({ id }) => id === i));
        assert.equal(sum([...left, ...makes]), sum(sequencesOf(all, rest).sequences));
        assert.deepEqual(
          reconcile(
            pending,
            sequencesOf(all, [...rest, ...strikes.filter((strike) => strike.attendance === forgiven)]).sequences,
          ),
          { voids: [], makes: [] },
        );
        if (all.length === 1)
          assert.ok(sum(sequencesOf(all, rest).sequences) <= sum(before), 'and never more than before');
      },
    ),
  );
});

test('the same strikes change nothing: a penalty stays as it was created', () => {
  fc.assert(
    fc.property(rules, infractions, (all, strikes) => {
      const { sequences } = sequencesOf(all, strikes);
      const pending = sequences.map((sequence, i): Pending => ({
        id: i,
        rule: sequence.rule.id,
        strikes: sequence.strikes.map(({ id }) => id),
        skipped: sequence.skipped,
      }));
      assert.deepEqual(reconcile(pending, sequences), { voids: [], makes: [] });
    }),
  );
});

test('a customer who was charged for an infraction is not charged for it again', () => {
  fc.assert(
    fc.property(rules, infractions, (all, strikes) => {
      const charged = new Set(
        sequencesOf(all, strikes)
          .sequences.filter(({ skipped }) => !skipped)
          .map((sequence) => lastStrike(sequence).attendance),
      );
      assert.equal(sum(sequencesOf(all, strikes, charged).sequences), 0);
    }),
  );
});
