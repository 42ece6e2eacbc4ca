/**
 * Returns declarations by name.
 * @throws Error if two have the same name
 */
export function unique<T>(what: string, entries: readonly (readonly [string, T])[]): ReadonlyMap<string, T> {
  const map = new Map<string, T>();
  for (const [key, value] of entries) {
    if (map.has(key)) throw new Error(`two declarations of the ${what} "${key}"`);
    map.set(key, value);
  }
  return map;
}
