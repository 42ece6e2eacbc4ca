/** Previews an action without leaving anything behind. */
import type { Work } from './work.ts';

class Undone extends Error {}

/**
 * Runs the action with a work of its own, rolls it back, and returns its result. Refusals are thrown here. Locks are
 * released.
 */
export async function rollBackAfter<T>(work: Work, act: (trial: Work) => Promise<T>): Promise<T> {
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
