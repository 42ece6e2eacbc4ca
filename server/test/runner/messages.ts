/** How the runner and the processes that run test files speak. */

/** The file to run, from the root; null: there are no more. */
export interface ToShard {
  readonly run: string | null;
}

export type FromShard = Ready | Done | Said | TestEvent;

interface Ready {
  readonly type: 'ready';
}

interface Done {
  readonly type: 'done';
  /** of this process since it began */
  readonly cpuMs: number;
}

/** What is of no test. */
export interface Said {
  readonly type: 'said';
  readonly text: string;
}

export interface TestEvent {
  readonly type: 'begun' | 'passed' | 'skipped' | 'failed';
  readonly name: string;
  /** 0: the file */
  readonly nesting: number;
  readonly suite: boolean;
  readonly ms: number;
  /** of a failure; null: it fails because something within it or around it has */
  readonly why: string | null;
}
