/** Waits for the content of a page with scripts, which appears a moment after its cause. */
import assert from 'node:assert/strict';
import { inspect, isDeepStrictEqual } from 'node:util';
import { slowness } from '../runner/speed.ts';

/** On a machine of usual speed. Short enough that the test reports what it waited for before the runner ends it. */
export const PATIENCE_MS = 40_000;

/** Returns true if something that began at this `performance.now()` takes too long, even on a slow machine. */
export function takesTooLong(began: number): boolean {
  const waited = performance.now() - began;
  return waited > PATIENCE_MS && waited > PATIENCE_MS * slowness();
}

/** Reads until the value is as expected; on timeout, fails with the last value. */
export async function shows<T>(
  read: () => Promise<T>,
  expected: RegExp | (T extends readonly (infer One)[] ? readonly One[] : T),
  why = 'the page shows something else',
): Promise<void> {
  const began = performance.now();
  for (;;) {
    const answer = await read();
    const holds = expected instanceof RegExp ? expected.test(String(answer)) : isDeepStrictEqual(answer, expected);
    if (holds) return;
    if (takesTooLong(began)) assert.fail(`${why}: ${inspect(answer)} instead of ${inspect(expected)}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
