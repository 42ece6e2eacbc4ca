import { isConnectionLoss } from './loss.ts';

export interface Waiting {
  /** told why, once at first and then now and again */
  readonly told: (why: string) => void;
  /** resolves when nobody wants it any more */
  readonly ended: Promise<void>;
  readonly pauseMs?: number;
}

const PAUSE_MS = 500;
const LOGGED_EVERY_MS = 30_000;

/**
 * Tries again for as long as the database cannot be reached. Undefined when the wait was ended; every other failure is
 * thrown.
 */
export async function whenReachable<T>(
  act: () => Promise<T>,
  { told, ended, pauseMs = PAUSE_MS }: Waiting,
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
        told(reasonOf(error as Error));
        loggedAt = performance.now();
      }
    }
    await pauseOr(ended, pauseMs);
  }
  return undefined;
}

/** A socket that we may not enter does not open by waiting. */
const isAway = (error: unknown): boolean => isConnectionLoss(error) && (error as { code?: string }).code !== 'EACCES';

/** A host with several addresses fails with one error for each. */
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
