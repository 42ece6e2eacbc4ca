/** Messages between the runner and the processes that run test files. */

/** The file to run, relative to the root; null if there are no more. */
export interface ToShard {
  readonly run: string | null;
}

export type FromShard = Ready | Done | Said | TestEvent;

interface Ready {
  readonly type: 'ready';
}

interface Done {
  readonly type: 'done';
  /** processor time of this process since its start */
  readonly cpuMs: number;
}

/** Output that belongs to no test. */
export interface Said {
  readonly type: 'said';
  readonly text: string;
}

export interface TestEvent {
  readonly type: 'begun' | 'passed' | 'skipped' | 'failed';
  readonly name: string;
  /** 0 for the file */
  readonly nesting: number;
  readonly suite: boolean;
  readonly ms: number;
  /** reason of a failure; null if it fails only because of a test inside or around it */
  readonly why: string | null;
}
