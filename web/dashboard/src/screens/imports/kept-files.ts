/** Files that were uploaded since the dashboard was opened, by their import: they can be read again in another way. */

/** Files of up to 16 MB each. */
const MAX_KEPT = 10;
const kept = new Map<number, File>();

export function keepFile(id: number, file: File): void {
  kept.set(id, file);
  for (const old of [...kept.keys()].slice(0, -MAX_KEPT)) kept.delete(old);
}

export const fileOf = (id: number): File | undefined => kept.get(id);
