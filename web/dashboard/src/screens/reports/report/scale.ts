/**
 * Returns a function from values to positions in a chart. The scale always includes zero: bars that begin elsewhere are
 * misleading. Pure.
 */
export function scaleOf(
  values: readonly number[],
  from: number,
  to: number,
): { readonly at: (value: number) => number } {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const span = high - low || 1;
  return { at: (value) => from + ((value - low) / span) * (to - from) };
}
