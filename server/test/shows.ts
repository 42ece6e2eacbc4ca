/** What a page with scripts shows comes a moment after what caused it. */
import assert from 'node:assert/strict';

const PATIENCE_MS = 40_000;

/** Reads until it is as expected; fails with the difference between the two when that does not come. */
export async function shows<T>(
  read: () => Promise<T>,
  expected: RegExp | (T extends readonly (infer One)[] ? readonly One[] : T),
  why?: string,
): Promise<void> {
  // Node takes no message that is undefined.
  const said: [string] | [] = why === undefined ? [] : [why];
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const answer = await read();
    try {
      if (expected instanceof RegExp) assert.match(String(answer), expected, ...said);
      else assert.deepEqual(answer, expected, ...said);
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}
