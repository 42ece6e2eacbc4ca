/** What a page with scripts shows comes a moment after what caused it. */
import assert from 'node:assert/strict';
import { inspect, isDeepStrictEqual } from 'node:util';

/** The test says what it waited for before the runner ends it. */
export const PATIENCE_MS = 40_000;

/** Reads until it is as expected; fails with what is there instead when that does not come. */
export async function shows<T>(
  read: () => Promise<T>,
  expected: RegExp | (T extends readonly (infer One)[] ? readonly One[] : T),
  why = 'the page shows something else',
): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const answer = await read();
    const holds = expected instanceof RegExp ? expected.test(String(answer)) : isDeepStrictEqual(answer, expected);
    if (holds) return;
    if (performance.now() > deadline) assert.fail(`${why}: ${inspect(answer)} instead of ${inspect(expected)}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
