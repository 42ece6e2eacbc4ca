/** The output of the runner: progress, each failure when it happens and again at the end, and the counts. */
import type { Said, TestEvent } from './messages.ts';

export interface Failure {
  readonly file: string;
  /** names from the outermost suite to the test; empty for the file itself */
  readonly path: readonly string[];
  readonly why: string;
}

export interface ReportOptions {
  readonly files: number;
  /** each test is printed, not only those that fail */
  readonly verbose: boolean;
  readonly write: (text: string) => void;
  /** the progress is one line that is updated in place */
  readonly live: boolean;
  /** settings before the command that repeats a failure, such as `TEST_TURN=3 ` */
  readonly settings: (file: string) => string;
  /** remaining seconds; null if unknown */
  readonly left: () => number | null;
  /** milliseconds since any fixed point */
  readonly now: () => number;
}

/** Without in-place updates, progress is printed no more often than this. */
const EVERY_MS = 10_000;

export class Report {
  readonly failures: Failure[] = [];
  readonly #options: ReportOptions;
  #passed = 0;
  #failed = 0;
  #skipped = 0;
  #files: number;
  #filesDone = 0;
  #shown = '';
  #shownAt: number;

  constructor(options: ReportOptions) {
    this.#options = options;
    this.#files = options.files;
    this.#shownAt = options.now();
  }

  get failed(): number {
    return this.#failed;
  }

  /** Returns true if any test has run, or was skipped on purpose. */
  get ranAny(): boolean {
    return this.#passed + this.#failed + this.#skipped > 0;
  }

  addFile(): void {
    this.#files += 1;
  }

  /** Prints text without breaking the progress line. */
  print(text: string): void {
    const { write, live } = this.#options;
    if (live && this.#shown !== '') write('\r\x1b[K');
    this.#shown = '';
    write(text);
    if (live && text.endsWith('\n')) this.#showProgress();
  }

  /** Returns a listener for the events of a file, whose tests run one after the other. */
  ofFile(file: string): (event: TestEvent | Said) => void {
    if (this.#options.verbose) this.print(`${file}\n`);
    const around: string[] = [];
    return (event) => {
      if (event.type === 'said') return this.print(`${file}: ${event.text}\n`);
      const { type, name, nesting } = event;
      if (type === 'begun') around.splice(nesting, Infinity, name);
      else if (type === 'failed')
        this.#fail(event, {
          file,
          path: [...around.slice(1, nesting), name].slice(nesting === 0 ? 1 : 0),
          why: event.why ?? '',
        });
      else if (!event.suite) this.#pass(event);
    };
  }

  fileDone(): void {
    this.#filesDone += 1;
    if (!this.#options.verbose) this.#showProgress();
  }

  /** Records a failure of the file as a whole that no test reports. */
  failFile(file: string, why: string): void {
    this.#failed += 1;
    this.#keep({ file, path: [], why });
  }

  /** Prints the failures again, each with the command that repeats it, and the counts on their own line. */
  end(): void {
    this.print('');
    const { write, settings } = this.#options;
    if (this.failures.length > 1 || !this.#options.verbose)
      for (const failure of this.failures)
        write(`${textOf(failure)}\n  ${settings(failure.file)}${repeats(failure)}\n`);
    else for (const failure of this.failures) write(`\n  ${settings(failure.file)}${repeats(failure)}\n`);
    if (this.#skipped > 0) write(`\n${this.#skipped} skipped\n`);
    write(`\n${this.#passed} passed, ${this.#failed} failed\n`);
  }

  #pass({ type, name, nesting, ms }: TestEvent): void {
    if (type === 'skipped') this.#skipped += 1;
    else this.#passed += 1;
    if (this.#options.verbose)
      this.print(`${'  '.repeat(nesting)}${type === 'skipped' ? '-' : '✔'} ${name} (${Math.round(ms)} ms)\n`);
  }

  #fail({ why, suite, nesting }: TestEvent, failure: Failure): void {
    // A suite fails with its tests, which are counted; a test that never ran because of another failure counts too.
    if (suite && why === null) return;
    this.#failed += 1;
    if (why === null) return;
    this.#keep(nesting === 0 ? { ...failure, path: [] } : failure);
  }

  #keep(failure: Failure): void {
    this.failures.push(failure);
    this.print(textOf(failure));
  }

  #showProgress(): void {
    const { live, write, now, left } = this.#options;
    if (!live && now() - this.#shownAt < EVERY_MS && this.#filesDone < this.#files) return;
    const seconds = left();
    const rest = seconds === null || this.#filesDone === this.#files ? '' : `, about ${timeOf(seconds)} left`;
    const text = `${this.#filesDone} of ${this.#files} files, ${this.#passed} passed, ${this.#failed} failed${rest}`;
    if (text === this.#shown) return;
    this.#shown = text;
    this.#shownAt = now();
    write(live ? `\r\x1b[K${text}` : `${text}\n`);
  }
}

const textOf = ({ file, path, why }: Failure): string =>
  `\n✖ ${[file, ...path].join(' › ')}\n${why.replaceAll(/^(?=.)/gm, '  ')}\n`;

/** Formats seconds: 95 s → 1:35 */
export function timeOf(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/**
 * Returns the remaining seconds: `left` is the remaining share of the work, from recorded times; `passed`: seconds
 * since the start.
 */
export const secondsLeft = (left: number, passed: number): number | null =>
  // Too early for an estimate.
  left > 0.98 ? null : (passed / (1 - left)) * left;

/** The name under which failures of the whole run are reported. */
export const OF_RUN = 'npm test';
const LOOKS = 'server/test/pages/looks-at-end.ts';

/** Returns the command that runs only this test: by the outermost test, because nested tests run with it. */
function repeats({ file, path: [name] }: Failure): string {
  // The check of a page names the files that recorded the page.
  if (file === LOOKS) return 'npm test -- (the file that recorded the page, see above)';
  if (file === OF_RUN) return 'npm test';
  if (name === undefined) return `npm test -- ${file}`;
  const pattern = `^${name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}$`.replaceAll("'", String.raw`'\''`);
  return `npm test -- --test-name-pattern='${pattern}' ${file}`;
}
