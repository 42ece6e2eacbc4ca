/** Remaining uses and numbers of places as they appear in files. Pure. */
const USES = /^(\d{1,6})(?:[.,]0+)?(?:\s*(?:\/|of|von|sur|de)\s*\d+)?$/i;

/** Parses `4`, `4.0` or `4 of 10`; returns undefined if it isn't such a number. */
export function readUses(text: string): number | undefined {
  const found = USES.exec(text.trim());
  return found ? Number(found[1]) : undefined;
}

/** Parses `12` or `12.0`, the number of people that a class has places for; returns undefined if it isn't one. */
export function readPlaces(text: string): number | undefined {
  const found = /^(\d{1,6})(?:[.,]0+)?$/.exec(text.trim());
  return found ? Number(found[1]) : undefined;
}
