/** Which moment a code of the authenticator belongs to. */

export const STEP_MS = 30_000;
/** A clock may be a little off, and typing takes a while. */
const WINDOW = 1;

/** Compares all of both, wherever they begin to differ. */
function same(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i % Math.max(b.length, 1));
  return difference === 0;
}

/**
 * The number of the step that the code belongs to: now, the one before, or the one after; null: none of them. `codeAt`
 * says what the authenticator shows at a moment (epoch ms). All are looked at, whichever is right.
 */
export function stepOf(codeAt: (epochMs: number) => string, code: string, now: number): number | null {
  const current = Math.floor(now / STEP_MS);
  let found: number | null = null;
  for (let step = current - WINDOW; step <= current + WINDOW; step++)
    if (same(codeAt(step * STEP_MS), code)) found = step;
  return found;
}
