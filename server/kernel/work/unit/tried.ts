/** Finds out what would happen, and leaves nothing behind. */
import type { Work } from './work.ts';

class Undone extends Error {}

/**
 * Does it with a work of its own, undoes it, and returns what came of it. What is refused is refused here. Locks are let
 * go again.
 */
export async function tried<T>(work: Work, act: (trial: Work) => Promise<T>): Promise<T> {
  let result: { readonly value: T } | undefined;
  try {
    await work.tx.attempt(async () => {
      result = { value: await act(work.beside()) };
      throw new Undone();
    });
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
  }
  return result!.value;
}
