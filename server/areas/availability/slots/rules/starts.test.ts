import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, formatWall, instantOfWall, startOfDay } from '../../../../kernel/base/values/zone.ts';
import { fairest } from './pick.ts';
import { fc, runs } from '../../../../test/properties.ts';
import { subtractAll, isKept, keptFrom, startsWithin, travelling, usedBy, type Offer, type Use } from './starts.ts';
import { intersect, lengthOf, spansOf, subtract, union } from '../../../../kernel/base/values/intervals.ts';
import { workedTable } from '../../../../test/worked-table.ts';
import type { Period } from '../../../../kernel/base/values/period.ts';

const MINUTE = 60_000;
const PAGE = 'docs/algorithms/slots.md';
const DATE = '2026-06-10';

const at = (time: string, after = '') =>
  instantOfWall(`${after !== '' && time <= after ? addDays(DATE, 1) : DATE}T${time}`, 'UTC');
const periodsOf = (text: string): Period[] =>
  text === '–'
    ? []
    : text.split(', ').map((range) => {
        const [start, end] = range.split('–');
        return { start: at(start), end: at(end, start) };
      });
const use = (p: Period, venue: number | null = null): Use => ({ ...p, startsAt: p.start, endsAt: p.end, venue });

for (const row of workedTable(PAGE, 'Worked starts')) {
  test(`hours ${row.hours}, busy ${row.busy}: ${row.duration} minutes every ${row.increments} start at ${row.starts}`, () => {
    const offer: Offer = {
      duration: Number(row.duration) * MINUTE,
      before: Number(row.before) * MINUTE,
      after: Number(row.after) * MINUTE,
      step: row.increments === '–' ? null : Number(row.increments) * MINUTE,
    };
    const hours = periodsOf(row.hours);
    const kept = keptFrom(usedBy(periodsOf(row.busy).map((p) => use(p))), offer);
    const starts = startsWithin(hours, subtractAll(spansOf(hours), kept), offer);
    assert.equal(starts.map((s) => formatWall(s, 'UTC').slice(11, 16)).join(', ') || '–', row.starts);
  });
}

for (const row of workedTable(PAGE, 'Worked choices')) {
  test(`${row.picked} is chosen from ${row.free}`, () => {
    const free = row.free.split(', ').map((one) => {
      const [instructor, appointments] = one.split(': ').map(Number);
      return { instructor, appointments };
    });
    assert.equal(fairest(free).instructor, Number(row.picked));
  });
}

const ZONES = [
  'America/Toronto',
  'Europe/London',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Asia/Beirut',
  'Africa/Casablanca',
  'UTC',
];
/** Clock changes of several zones, a leap day, the end of a year, and any day. */
const DAYS = ['2026-03-08', '2026-11-01', '2026-03-29', '2026-10-25', '2026-04-05', '2028-02-29', '2026-12-31', DATE];

const anyOffer = fc.record({
  duration: fc.integer({ min: 1, max: 24 }).map((n) => n * 5 * MINUTE),
  before: fc.integer({ min: 0, max: 6 }).map((n) => n * 5 * MINUTE),
  after: fc.integer({ min: 0, max: 6 }).map((n) => n * 5 * MINUTE),
  step: fc.constantFrom(null, 15, 30, 45, 60).map((n) => (n === null ? null : n * MINUTE)),
});
const anyRange = (longest: number) =>
  fc
    .tuple(fc.integer({ min: 0, max: 287 }), fc.integer({ min: 1, max: longest }))
    .map(([start, length]) => ({ start: start * 5 * MINUTE, end: (start + length) * 5 * MINUTE }));
/** A day of hours and uses in some zone. */
const anyDay = fc
  .record({
    day: fc.constantFrom(...DAYS),
    zone: fc.constantFrom(...ZONES),
    hours: fc.array(anyRange(160), { minLength: 1, maxLength: 3 }),
    uses: fc.array(anyRange(30), { maxLength: 6 }),
    offer: anyOffer,
  })
  .map(({ day, zone, hours, uses, offer }) => {
    const midnight = startOfDay(day, zone);
    const moved = (p: Period) => ({ start: midnight + p.start, end: midnight + p.end });
    return { hours: hours.map(moved), uses: uses.map((p) => use(moved(p))), offer };
  });

test('a slot lies within the hours, and with its buffers it overlaps no use', () => {
  fc.assert(
    fc.property(anyDay, ({ hours, uses, offer }) => {
      const open = spansOf(hours);
      const used = usedBy(uses);
      for (const start of startsWithin(hours, subtractAll(open, keptFrom(used, offer)), offer)) {
        const end = start + offer.duration;
        assert.equal(lengthOf(intersect(open, [{ start, end }])), offer.duration, 'outside of the hours');
        assert.deepEqual(intersect(used, [{ start: start - offer.before, end: end + offer.after }]), [], 'in use');
      }
    }),
    runs(500),
  );
});

test('every time counted from the beginning of the hours is offered unless something conflicts with it', () => {
  fc.assert(
    fc.property(anyDay, ({ hours, uses, offer }) => {
      fc.pre(offer.step !== null);
      const [open, used] = [spansOf(hours), usedBy(uses)];
      const starts = new Set(startsWithin(hours, subtractAll(open, keptFrom(used, offer)), offer));
      for (const range of hours)
        for (let start = range.start; start < range.end; start += offer.step!) {
          const whole = { start, end: start + offer.duration };
          const fits =
            lengthOf(intersect(open, [whole])) === offer.duration && !isKept(keptFrom(used, offer), start, offer);
          assert.equal(starts.has(start), fits);
        }
    }),
    runs(500),
  );
});

test('booking one slot removes exactly the slots that conflict with it, if starts are counted from the hours', () => {
  fc.assert(
    fc.property(anyDay, fc.nat(), ({ hours, uses, offer }, which) => {
      fc.pre(offer.step !== null);
      const find = (all: readonly Use[]) =>
        startsWithin(hours, subtractAll(spansOf(hours), keptFrom(usedBy(all), offer)), offer);
      const before = find(uses);
      fc.pre(before.length > 0);
      const taken = before[which % before.length];
      const own = { start: taken - offer.before, end: taken + offer.duration + offer.after };
      const after = find([...uses, { ...use({ start: taken, end: taken + offer.duration }), ...own }]);
      const gap = offer.duration + offer.before + offer.after;
      assert.deepEqual(
        after,
        before.filter((start) => Math.abs(start - taken) >= gap),
      );
    }),
    runs(500),
  );
});

test('without increments, consecutive slots are separated by exactly their buffers, and one more would not fit', () => {
  fc.assert(
    fc.property(anyDay, ({ hours, uses, offer }) => {
      const free = subtractAll(spansOf(hours), keptFrom(usedBy(uses), offer));
      const starts = startsWithin(hours, free, { ...offer, step: null });
      const pace = offer.duration + offer.before + offer.after;
      for (const span of free) {
        const within = starts.filter((s) => s >= span.start && s < span.end);
        for (const [i, start] of within.entries()) assert.equal(start, span.start + i * pace);
        assert.ok(span.start + within.length * pace + offer.duration > span.end);
      }
    }),
    runs(500),
  );
});

test('hours, closures and uses can be subtracted in any order', () => {
  fc.assert(
    fc.property(anyDay, anyDay, ({ hours, uses, offer }, other) => {
      const [a, b] = [keptFrom(usedBy(uses), offer), spansOf(other.hours)];
      assert.deepEqual(subtractAll(spansOf(hours), a, b), subtractAll(spansOf(hours), b, a));
      assert.deepEqual(subtractAll(spansOf(hours), a, b), subtract(spansOf(hours), union(a, b)));
    }),
    runs(300),
  );
});

const way = (from: number, to: number) => (from === to ? 0 : 100);

test('travel time is kept free before and after uses at other venues, and not for those at the same venue', () => {
  const uses = [
    use({ start: 1000, end: 2000 }, 1),
    use({ start: 5000, end: 6000 }, 2),
    use({ start: 8000, end: 9000 }),
  ];
  assert.deepEqual(travelling(uses, 1, way), [{ start: 4900, end: 6100 }]);
  assert.deepEqual(travelling(uses, 3, way), [
    { start: 900, end: 2100 },
    { start: 4900, end: 6100 },
  ]);
});
