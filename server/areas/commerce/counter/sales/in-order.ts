/**
 * Does something for each, in the order of a key, and returns the results in the order given: what is locked in the order
 * of its ids is never waited for in a circle.
 */
export async function inOrderOf<T, R>(
  all: readonly T[],
  key: (one: T) => number,
  act: (one: T) => Promise<R>,
): Promise<R[]> {
  const results = new Map<T, R>();
  for (const one of all.toSorted((a, b) => key(a) - key(b))) results.set(one, await act(one));
  return all.map((one) => results.get(one)!);
}
