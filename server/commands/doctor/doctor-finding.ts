/** A check and its findings. */
import type { Config } from '../../config.ts';
import type pg from 'pg';

export interface Finding {
  readonly wrong: string;
  readonly remedy: string;
}

/** `stop`: nothing further can be checked. */
export interface Found {
  readonly findings: readonly Finding[];
  readonly stop?: boolean;
}

export type Check = (client: pg.Client, now: () => number, config: Config) => Promise<Found>;

/** Clocks that differ by more are wrong, in milliseconds. */
export const SKEW_MS = 2000;
