/** Waiting for what takes seconds, without taking the processor from those that it waits for. */
import { until as untilSoon } from '../../server/test/storm.ts';

const PAUSE_MS = 200;

/** @throws Error with what did not happen in this time */
export const until = <T>(
  what: string,
  condition: () => Promise<T>,
  ms: number,
  pauseMs = PAUSE_MS,
): Promise<NonNullable<T>> => untilSoon(what, condition, ms, pauseMs);
