/** Recognizes local times that happen twice, on the night when clocks go back. */
const DAY_MS = 86_400_000;
/** By how much clocks go back: half an hour, an hour, or two. */
const SHIFTS = [30, 60, 120].map((minutes) => minutes * 60_000);

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(timeZone: string): Intl.DateTimeFormat {
  let known = clocks.get(timeZone);
  if (!known)
    clocks.set(
      timeZone,
      (known = new Intl.DateTimeFormat('en-US', { timeZone, day: 'numeric', hour: 'numeric', minute: '2-digit' })),
    );
  return known;
}

/** Days on which the clocks of a zone change: nearly all are not, and need no further look. */
const changes = new Map<string, boolean>();

function changesAround(at: number, zone: string): boolean {
  const day = Math.floor(at / DAY_MS);
  const key = `${zone} ${day}`;
  let known = changes.get(key);
  if (known === undefined) {
    const [before, after] = [day - 1, day + 2].map(
      (one) =>
        clockOf(zone)
          .format(one * DAY_MS)
          .split(', ')[1],
    );
    changes.set(key, (known = before !== after));
  }
  return known;
}

/** Returns true if the zone's clocks show the time of this instant a second time. */
export function isShownTwice(at: number, zone: string): boolean {
  if (!changesAround(at, zone)) return false;
  const shown = clockOf(zone).format(at);
  return SHIFTS.some((by) => [at - by, at + by].some((other) => clockOf(zone).format(other) === shown));
}
