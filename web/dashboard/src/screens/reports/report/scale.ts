/** From values to places in a picture. Zero is always in it: a bar that begins elsewhere says something else. Pure. */
export function scaleOf(
  values: readonly number[],
  from: number,
  to: number,
): { readonly at: (value: number) => number } {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const span = high - low || 1;
  return { at: (value) => from + ((value - low) / span) * (to - from) };
}
