/** Which events of a day are on, which are next, and which are over. Pure. */

export type When = 'now' | 'next' | 'later' | 'over';

/** In which part of the day each event falls. `next` are those that start first from now on. */
export function partsOf<E extends { readonly starts_at: string; readonly ends_at: string }>(
  events: readonly E[],
  now: number,
): ReadonlyMap<When, readonly E[]> {
  const starts = (event: E): number => Date.parse(event.starts_at);
  const coming = events.filter((event) => starts(event) > now);
  const first = Math.min(...coming.map(starts));
  const partOf = (event: E): When => {
    if (Date.parse(event.ends_at) <= now) return 'over';
    if (starts(event) <= now) return 'now';
    return starts(event) === first ? 'next' : 'later';
  };
  return Map.groupBy(events, partOf);
}
