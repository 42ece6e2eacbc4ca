/** What was paid for some of several: docs/algorithms/stock.md. Pure; amounts are minor units. */
import { allocate } from '../../../../kernel/base/values/money.ts';

/** Of what `quantity` cost together, the part of the next `taken` after `before`: all parts sum to the total. */
export function shareOf(total: number, quantity: number, before: number, taken: number): number {
  const each = allocate(
    total,
    Array.from({ length: quantity }, () => 1),
  );
  return each.slice(before, before + taken).reduce((sum, one) => sum + one, 0);
}
