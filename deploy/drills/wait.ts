/** Polling for things that take seconds, at intervals that leave the processor to the processes being waited for. */
import { until as untilSoon } from '../../server/test/storm.ts';

const PAUSE_MS = 200;

/** Waits for a condition. @throws Error with what did not happen in time */
export const until = <T>(
  what: string,
  condition: () => Promise<T>,
  ms: number,
  pauseMs = PAUSE_MS,
): Promise<NonNullable<T>> => untilSoon(what, condition, ms, pauseMs);
