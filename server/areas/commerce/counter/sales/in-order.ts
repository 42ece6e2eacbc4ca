/**
 * Processes items in the order of a key, and returns the results in the given order. Locks are taken in the order of
 * ids, so there are no deadlocks.
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
