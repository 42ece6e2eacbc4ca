/** The time step that an authenticator code belongs to. */

export const STEP_MS = 30_000;
/** Clocks may be slightly off, and typing takes a while. */
const WINDOW = 1;

/** Compares in constant time, wherever the texts differ. */
function same(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i % Math.max(b.length, 1));
  return difference === 0;
}

/**
 * Returns the number of the step that the code belongs to: the current one, the one before, or the one after; null if
 * it is none of them. `codeAt` returns the authenticator's code at a moment (epoch milliseconds). All three are always
 * compared.
 */
export function findStep(codeAt: (epochMs: number) => string, code: string, now: number): number | null {
  const current = Math.floor(now / STEP_MS);
  let found: number | null = null;
  for (let step = current - WINDOW; step <= current + WINDOW; step++)
    if (same(codeAt(step * STEP_MS), code)) found = step;
  return found;
}
