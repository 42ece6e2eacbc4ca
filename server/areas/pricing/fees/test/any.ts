/** Arbitrary amounts and fees for the property tests of prices. */
import { fc } from '../../../../test/properties.ts';
import type { Explained } from '../rules/explain.ts';

export const anyAmount = fc.integer({ min: 0, max: 10_000_000_000 });
export const small = fc.integer({ min: 0, max: 5000 });

const named = {
  name: fc.constant('Fee'),
  kind: fc.constantFrom('fee' as const, 'tax' as const),
  isTaxable: fc.boolean(),
};
const percent = fc.record({
  ...named,
  type: fc.constant('percent' as const),
  rate: fc.integer({ min: 0, max: 1_000_000 }),
  minAmount: fc.constant(null),
  maxAmount: fc.option(small),
});
const bounded = fc
  .record({ ...named, type: fc.constant('percent' as const), rate: fc.integer({ min: 0, max: 1_000_000 }) })
  .chain((fee) =>
    fc.tuple(small, small).map(([one, other]) => ({
      ...fee,
      minAmount: Math.min(one, other),
      maxAmount: Math.max(one, other),
    })),
  );
const flat = fc.record({ ...named, type: fc.constant('flat' as const), amount: small });

const numbered = <T extends object>(fees: readonly T[]) => fees.map((fee, id) => ({ ...fee, id }));

/** Without minimums, so that the price doesn't jump at one unit. */
export const anyFees = fc.array(fc.oneof(percent, flat), { maxLength: 4 }).map(numbered);

export const anyBoundedFees = fc.array(fc.oneof(percent, bounded, flat), { maxLength: 4 }).map(numbered);

export const anyLine = fc.record({
  listPrice: anyAmount,
  quantity: fc.integer({ min: 1, max: 10 }),
  discount: anyAmount,
  discountable: fc.boolean(),
  includesTax: fc.boolean(),
  fees: anyBoundedFees,
});

/** Returns whether every amount is the sum of its explanation. */
export const partsSum = (of: Explained): boolean =>
  of.parts.length === 0 ||
  (of.parts.reduce((all, one) => all + one.amount, 0) === of.amount && of.parts.every(partsSum));
