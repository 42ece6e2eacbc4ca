import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../test/properties.ts';
import { bestFor, type Candidate } from './best.ts';

const candidate = (over: Partial<Candidate>): Candidate => ({
  id: 1,
  name: 'Ten visits',
  price: 15_000,
  joining: 0,
  visits: 10,
  lasts: null,
  covered: 14,
  limited: false,
  ...over,
});
const PACK = candidate({});
const CLUB = candidate({ id: 2, name: 'Club', price: 4900, visits: null, lasts: { length: 1, unit: 'months' } });

test('the cheapest membership comes first: packs by the visit, plans by the month', () => {
  const { compared } = bestFor(14, [PACK, CLUB]);
  assert.deepEqual(compared, [
    { id: 2, name: 'Club', cost: 14_700, joining: 0, each: null },
    { id: 1, name: 'Ten visits', cost: 21_000, joining: 0, each: 1500 },
  ]);
  const rarely = bestFor(3, [candidate({ covered: 3 }), { ...CLUB, covered: 3 }]);
  assert.deepEqual(
    rarely.compared.map(({ name, cost }) => [name, cost]),
    [
      ['Ten visits', 4500],
      ['Club', 14_700],
    ],
  );
});

test('every length of a period becomes three months', () => {
  for (const [length, unit, cost] of [
    [12, 'months', 1225],
    [1, 'weeks', 63_700],
    [4, 'weeks', 15_925],
    [91, 'days', 4900],
  ] as const)
    assert.equal(bestFor(14, [{ ...CLUB, lasts: { length, unit } }]).compared[0].cost, cost, `${length} ${unit}`);
});

test('a pack that expires before its visits are used is paid by its time', () => {
  const [one] = bestFor(2, [candidate({ covered: 2, lasts: { length: 1, unit: 'months' } })]).compared;
  assert.deepEqual([one.cost, one.each], [45_000, null]);
});

test('joining fees count, and what does not cover every visit or depends on more is not compared', () => {
  const found = bestFor(14, [
    { ...CLUB, joining: 2000 },
    candidate({ id: 3, name: 'Mornings', covered: 13 }),
    candidate({ id: 4, name: 'Twice a week', limited: true }),
    candidate({ id: 5, name: 'Forever', visits: null }),
  ]);
  assert.deepEqual(found.compared, [{ id: 2, name: 'Club', cost: 16_700, joining: 2000, each: null }]);
  assert.deepEqual(found.others, ['Twice a week', 'Forever']);
  assert.deepEqual(bestFor(0, [candidate({ covered: 0 })]), { visits: 0, compared: [], others: [] });
});

test('coming more often never makes a membership cheaper', () => {
  const length = fc.record({
    length: fc.integer({ min: 1, max: 24 }),
    unit: fc.constantFrom('days', 'weeks', 'months'),
  });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 90 }),
      fc.integer({ min: 0, max: 1_000_000 }),
      fc.option(fc.integer({ min: 1, max: 100 })),
      length,
      (count, price, visits, lasts) => {
        const cost = (n: number) =>
          bestFor(n, [candidate({ price, visits, lasts: lasts as Candidate['lasts'], covered: n })]).compared[0].cost;
        assert.ok(cost(count + 1) >= cost(count));
      },
    ),
  );
});
