/** Finds out what would happen, and leaves nothing behind. */
import { Work } from './work.ts';

class Undone extends Error {}

/**
 * Does it with a work of its own, undoes it, and returns what came of it. What is refused is refused here. Locks are let
 * go again.
 */
export async function tried<T>(work: Work, act: (trial: Work) => Promise<T>): Promise<T> {
  const { tx, registry, tenant, viewer, now, requestId } = work;
  let result: { readonly value: T } | undefined;
  try {
    await tx.attempt(async () => {
      result = { value: await act(new Work({ tx, registry, tenant, viewer, now, requestId })) };
      throw new Undone();
    });
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
  }
  return result!.value;
}
