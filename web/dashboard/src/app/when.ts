/** Splits the events of a day into current, next and past ones. Pure. */

export type When = 'now' | 'next' | 'later' | 'over';

/** Returns the part of the day of each event. `next` are those with the earliest start from now on. */
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
