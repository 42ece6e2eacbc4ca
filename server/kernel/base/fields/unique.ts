/** Declarations by their names. @throws Error where two have the same one */
export function unique<T>(what: string, entries: readonly (readonly [string, T])[]): ReadonlyMap<string, T> {
  const map = new Map<string, T>();
  for (const [key, value] of entries) {
    if (map.has(key)) throw new Error(`two declarations of the ${what} "${key}"`);
    map.set(key, value);
  }
  return map;
}
