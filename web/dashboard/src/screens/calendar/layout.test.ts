import assert from 'node:assert/strict';
import { layOut, type Span } from './layout.ts';
import { test } from 'node:test';

const spans = (...pairs: readonly [number, number][]): Span[] => pairs.map(([from, to]) => ({ from, to }));
const overlap = (a: Span, b: Span): boolean => a.from < b.to && b.from < a.to;

/** Yields the same pseudo-random numbers in every run. */
function* numbers(): Generator<number> {
  for (let n = 12_345; ;) yield (n = (n * 1_103_515_245 + 12_345) % 2 ** 31);
}

test('events that follow each other take the full width, even if one ends as the next begins', () => {
  assert.deepEqual(layOut(spans([60, 120], [120, 180], [0, 60])), [
    { lane: 0, wide: 1, lanes: 1 },
    { lane: 0, wide: 1, lanes: 1 },
    { lane: 0, wide: 1, lanes: 1 },
  ]);
  assert.deepEqual(layOut([]), []);
});

test('overlapping events are placed next to each other, the longer one first', () => {
  assert.deepEqual(layOut(spans([60, 90], [60, 120])), [
    { lane: 1, wide: 1, lanes: 2 },
    { lane: 0, wide: 1, lanes: 2 },
  ]);
});

test('an event spans the free lanes next to it', () => {
  // Three at 60, and at 150 one that overlaps only the first.
  const [first, , , last] = layOut(spans([60, 200], [60, 100], [60, 100], [150, 190]));
  assert.deepEqual(first, { lane: 0, wide: 1, lanes: 3 });
  assert.deepEqual(last, { lane: 1, wide: 2, lanes: 3 });
});

test('events that overlap never share a lane, and there are no more lanes than overlap at one moment', () => {
  const next = numbers();
  const random = (below: number): number => Math.floor((next.next().value! / 2 ** 31) * below);
  for (let round = 0; round < 60; round++) {
    const given = Array.from({ length: 1 + random(40) }, () => {
      const from = random(96) * 15;
      return { from, to: from + 15 * (1 + random(12)) };
    });
    const places = layOut(given);
    for (const [i, a] of given.entries()) {
      const { lane, wide, lanes } = places[i];
      assert.ok(wide >= 1 && lane + wide <= lanes);
      for (const [j, b] of given.entries())
        if (i < j && overlap(a, b))
          assert.ok(lane + wide <= places[j].lane || places[j].lane + places[j].wide <= lane, `${i} and ${j}`);
    }
    const most = Math.max(...given.map((a) => given.filter((b) => b.from <= a.from && a.from < b.to).length));
    assert.ok(Math.max(...places.map(({ lanes }) => lanes)) <= most);
  }
});
