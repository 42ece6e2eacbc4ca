/**
 * Deadlocks that PostgreSQL broke during a run, read from its log. The service retries the transaction, so that no test
 * fails, but in between people wait for a second.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** The settings under which PostgreSQL logs a deadlock with both statements, after the name of the database. */
export const LOGGING = { log_min_messages: 'error', log_min_error_statement: 'panic', log_line_prefix: '[%d] ' };

/** PostgreSQL writes an entry at once; its parts begin with the same prefix, and the lines of a part with a tab. */
const DEADLOCK = /^\[(.*?)\] ERROR: {2}deadlock detected\n((?:\[\1\] (?:DETAIL|HINT|CONTEXT): {2}.*\n|\t.*\n)*)/gm;
/** The prefix, and a hint that names no remedy. */
const NOISE = /^(?:\[.*?\] (?:HINT: {2}.*\n)?|\t)/gm;

export interface Deadlock {
  readonly database: string;
  /** who waited for whom, their statements, and the row */
  readonly why: string;
}

/** Returns the deadlocks in the text of a log. */
export function deadlocksIn(log: string): Deadlock[] {
  return [...log.matchAll(DEADLOCK)].map(([, database, why]) => ({ database, why: why.replaceAll(NOISE, '').trim() }));
}

/** The log of a running PostgreSQL. */
export class DeadlockLog {
  readonly #file: string;
  #read = 0;
  #unreported: Deadlock[] = [];

  constructor(file: string) {
    this.#file = file;
  }

  /** Returns the deadlocks in the databases of a test process that it has not returned before. */
  newOf(owner: number): Deadlock[] {
    this.#unreported.push(...deadlocksIn(this.#newText()));
    const isOwn = ({ database }: Deadlock): boolean => database.startsWith(`test_${owner}_`);
    const own = this.#unreported.filter(isOwn);
    this.#unreported = this.#unreported.filter((one) => !isOwn(one));
    return own;
  }

  #newText(): string {
    const file = openSync(this.#file, 'r');
    try {
      const text = Buffer.alloc(fstatSync(file).size - this.#read);
      this.#read += readSync(file, text, 0, text.length, this.#read);
      return text.toString();
    } finally {
      closeSync(file);
    }
  }
}
