import assert from 'node:assert/strict';
import { test } from 'node:test';
import { around, intersect, lengthOf, meets, spansOf, subtract, union, widened, type Spans } from './intervals.ts';
import { fc, runs } from '../../../test/properties.ts';
import { contains, encloses, type Period } from './period.ts';

const LAST = 60;
const anyPeriod = fc
  .tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 12 }))
  .map(([start, length]): Period => ({ start, end: start + length }));
const anyList = fc.array(anyPeriod, { maxLength: 8 });
const anySpans = anyList.map(spansOf);

const has = (periods: readonly Period[], moment: number) => periods.some((p) => contains(p, moment));
const moments = Array.from({ length: LAST }, (_, moment) => moment);

/** Asserts that the periods are sorted, separate, and not empty. */
function assertSet(spans: Spans): void {
  for (const [i, { start, end }] of spans.entries()) {
    assert.ok(start < end, 'an empty period');
    if (i > 0) assert.ok(spans[i - 1].end < start, 'periods that touch, overlap or are out of order');
  }
}

const agrees = (of: (a: Spans, b: Spans) => Spans, expected: (a: boolean, b: boolean) => boolean) =>
  fc.assert(
    fc.property(anySpans, anySpans, (a, b) => {
      const result = of(a, b);
      assertSet(result);
      for (const moment of moments)
        assert.equal(has(result, moment), expected(has(a, moment), has(b, moment)), `at ${moment}`);
    }),
    runs(1000),
  );

test('a list of periods in any order becomes the set of the moments that are in any of them', () => {
  fc.assert(
    fc.property(anyList, (list) => {
      const spans = spansOf(list);
      assertSet(spans);
      for (const moment of moments) assert.equal(has(spans, moment), has(list, moment));
    }),
    runs(1000),
  );
});

test('a moment is in the union if it is in either, in the intersection if it is in both', () => {
  agrees(union, (a, b) => a || b);
  agrees(intersect, (a, b) => a && b);
});

test('a moment is in the difference if it is in the first and not in the second', () => {
  agrees(subtract, (a, b) => a && !b);
});

test('the order of subtractions does not matter', () => {
  fc.assert(
    fc.property(anySpans, anySpans, anySpans, (from, one, other) => {
      const result = subtract(subtract(from, one), other);
      assert.deepEqual(result, subtract(subtract(from, other), one));
      assert.deepEqual(result, subtract(from, union(one, other)));
    }),
    runs(1000),
  );
});

test('subtracting a part removes exactly its length', () => {
  fc.assert(
    fc.property(anySpans, anySpans, (from, what) => {
      assert.equal(lengthOf(subtract(from, what)), lengthOf(from) - lengthOf(intersect(from, what)));
    }),
    runs(1000),
  );
});

test('a period lies in a set exactly if one period of the set contains all of it, and meets it if they share a moment', () => {
  fc.assert(
    fc.property(anySpans, anyPeriod, (spans, p) => {
      fc.pre(p.start < p.end);
      assert.deepEqual(
        around(spans, p),
        spans.find((s) => encloses(s, p)),
      );
      assert.equal(
        meets(spans, p),
        moments.some((m) => contains(p, m) && has(spans, m)),
      );
    }),
    runs(1000),
  );
});

test('a widened set contains exactly the moments that are less than that far from it', () => {
  fc.assert(
    fc.property(anySpans, fc.nat(5), fc.nat(5), (spans, before, after) => {
      const wide = widened(spans, before, after);
      assertSet(wide);
      for (const moment of moments) {
        const near = spans.some((s) => s.start - before <= moment && moment < s.end + after);
        assert.equal(has(wide, moment), near);
      }
    }),
    runs(1000),
  );
});

test('an operation on long sets takes linear time: each period is visited a few times', () => {
  let looked = 0;
  const many = (offset: number): Period[] =>
    Array.from({ length: 10_000 }, (_, i) => {
      const p = { start: i * 10 + offset, end: i * 10 + offset + 5 };
      return {
        get start() {
          looked++;
          return p.start;
        },
        get end() {
          looked++;
          return p.end;
        },
      } as Period;
    });
  for (const act of [union, intersect, subtract]) {
    looked = 0;
    act(many(0), many(3));
    assert.ok(looked < 20_000 * 12, `${act.name} looked ${looked} times`);
  }
});
