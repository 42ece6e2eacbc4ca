/** How often something can still be used, as files write it. Pure. */
const USES = /^(\d{1,6})(?:[.,]0+)?(?:\s*(?:\/|of|von|sur|de)\s*\d+)?$/i;

/** `4`, `4.0`, `4 of 10`; undefined: it is no such number. */
export function readUses(text: string): number | undefined {
  const found = USES.exec(text.trim());
  return found ? Number(found[1]) : undefined;
}
