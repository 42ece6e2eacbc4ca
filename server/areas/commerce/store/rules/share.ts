/** The price of some of several pieces: docs/algorithms/stock.md. Pure; amounts are minor units. */
import { allocate } from '../../../../kernel/base/values/money.ts';

/**
 * Splits the total of `quantity` pieces, and returns the part of the next `taken` pieces after `before`: all parts sum
 * to the total.
 */
export function shareOf(total: number, quantity: number, before: number, taken: number): number {
  const each = allocate(
    total,
    Array.from({ length: quantity }, () => 1),
  );
  return each.slice(before, before + taken).reduce((sum, one) => sum + one, 0);
}
