/** Remaining uses as they appear in files. Pure. */
const USES = /^(\d{1,6})(?:[.,]0+)?(?:\s*(?:\/|of|von|sur|de)\s*\d+)?$/i;

/** Parses `4`, `4.0` or `4 of 10`; returns undefined if it isn't such a number. */
export function readUses(text: string): number | undefined {
  const found = USES.exec(text.trim());
  return found ? Number(found[1]) : undefined;
}
