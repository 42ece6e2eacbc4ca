const NOTED_EVERY_MS = 60_000;
const MAX_CACHED = 10_000;

/**
 * Records the use of a token outside of the request's own transaction: once a minute is enough to see if the token is
 * in use.
 */
export function lastUse(now: () => number, note: (id: number, at: number) => Promise<unknown>): (id: number) => void {
  const noted = new Map<number, number>();
  return (id) => {
    const at = now();
    if ((noted.get(id) ?? -Infinity) > at - NOTED_EVERY_MS) return;
    if (noted.size >= MAX_CACHED) noted.clear();
    noted.set(id, at);
    note(id, at).catch(() => noted.delete(id));
  };
}
