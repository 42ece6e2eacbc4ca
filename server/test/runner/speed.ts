/** How fast this machine is now: limits on time are for hangs, and a slow or busy machine needs longer without one. */

/** What the loop below takes on an idle machine, ms. */
const USUAL_MS = 90;

/** Beyond this, a machine is of no use for tests, and a hang should be noticed some day. */
const SLOWEST = 10;

/** How many times as long as usual the same work takes, at least 1. */
export function slowness(): number {
  const began = performance.now();
  let sum = 0;
  for (let i = 0; i < 20_000_000; i += 1) sum = (sum * 31 + i) % 1_000_003;
  const took = performance.now() - began;
  return sum < 0 ? 1 : Math.min(SLOWEST, Math.max(1, took / USUAL_MS));
}
