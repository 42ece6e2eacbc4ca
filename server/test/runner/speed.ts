/**
 * The current speed of this machine: time limits are for hangs, and a slow or busy machine needs longer without
 * hanging.
 */

/** Duration of the loop below on an idle machine, in milliseconds. */
const USUAL_MS = 90;

/** A machine that is slower than this is useless for tests, and a hang must be noticed eventually. */
const SLOWEST = 10;

/** Returns how many times longer than usual the same work takes, at least 1. */
export function slowness(): number {
  const began = performance.now();
  let sum = 0;
  for (let i = 0; i < 20_000_000; i += 1) sum = (sum * 31 + i) % 1_000_003;
  const took = performance.now() - began;
  return sum < 0 ? 1 : Math.min(SLOWEST, Math.max(1, took / USUAL_MS));
}
