/** Jobs: work that an area defers. */
import type { Work } from './work.ts';

/** A task that runs later, in a transaction of its own, with exactly one effect. */
export interface Job {
  readonly task: string;
  readonly run: (work: Work, payload: any) => Promise<void>;
  /** reason why the job's transaction sees every business; absent: it sees one */
  readonly acrossTenants?: string;
}
