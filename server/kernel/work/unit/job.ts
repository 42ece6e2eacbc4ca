/** What an area has done later. */
import type { Work } from './work.ts';

/** A task that runs later, in a transaction of its own, with exactly one effect. */
export interface Job {
  readonly task: string;
  readonly run: (work: Work, payload: any) => Promise<void>;
  /** the reason for which the job's transaction sees every business, where it must */
  readonly acrossTenants?: string;
}
