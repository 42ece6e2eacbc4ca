import { isConnectionLoss } from './loss.ts';

interface Waiting {
  /** called with the reason, first immediately and then from time to time */
  readonly onFailure: (why: string) => void;
  /** resolves when the wait should stop */
  readonly ended: Promise<void>;
  readonly pauseMs?: number;
}

const PAUSE_MS = 500;
const LOGGED_EVERY_MS = 30_000;

/**
 * Retries for as long as the database cannot be reached. Returns undefined if the wait was ended; throws every other
 * error.
 */
export async function whenReachable<T>(
  act: () => Promise<T>,
  { onFailure, ended, pauseMs = PAUSE_MS }: Waiting,
): Promise<T | undefined> {
  const wait = { over: false };
  void ended.then(() => (wait.over = true));
  let loggedAt = -Infinity;
  while (!wait.over) {
    try {
      return await act();
    } catch (error) {
      if (!isAway(error)) throw error;
      if (performance.now() - loggedAt > LOGGED_EVERY_MS) {
        onFailure(reasonOf(error as Error));
        loggedAt = performance.now();
      }
    }
    await pauseOr(ended, pauseMs);
  }
  return undefined;
}

/** Returns true if waiting may help: a socket without permission does not become accessible. */
const isAway = (error: unknown): boolean => isConnectionLoss(error) && (error as { code?: string }).code !== 'EACCES';

/** Returns the reason. A host with several addresses fails with one error for each. */
const reasonOf = (error: Error): string =>
  error instanceof AggregateError && error.errors.length > 0
    ? error.errors.map((e: Error) => e.message).join('; ')
    : error.message;

async function pauseOr(ended: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([passed, ended]);
  clearTimeout(timer);
}
