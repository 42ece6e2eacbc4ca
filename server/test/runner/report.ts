/** What the runner prints: progress, each failure when it happens and again at the end, and the count. */
import type { Said, TestEvent } from './messages.ts';

export interface Failure {
  readonly file: string;
  /** names from the outermost to that of the test; empty: the file itself */
  readonly path: readonly string[];
  readonly why: string;
}

export interface ReportOptions {
  readonly files: number;
  /** each test is printed, not only those that fail */
  readonly verbose: boolean;
  readonly write: (text: string) => void;
  /** the progress is a line that changes in place */
  readonly live: boolean;
  /** what stands before the command that repeats a failure, such as `TEST_TURN=3 ` */
  readonly settings: (file: string) => string;
  /** seconds until the end; null: nobody knows yet */
  readonly left: () => number | null;
  /** ms, of any beginning */
  readonly now: () => number;
}

/** Where lines can't change in place, one of progress comes no more often. */
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

  /** Whether anything has run, or was passed over on purpose. */
  get ranAny(): boolean {
    return this.#passed + this.#failed + this.#skipped > 0;
  }

  addFile(): void {
    this.#files += 1;
  }

  /** Prints something beside the progress. */
  print(text: string): void {
    const { write, live } = this.#options;
    if (live && this.#shown !== '') write('\r\x1b[K');
    this.#shown = '';
    write(text);
    if (live && text.endsWith('\n')) this.#showProgress();
  }

  /** Hears what happens in a file, whose tests run one after the other. */
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

  /** A failure of the file as a whole, of which no test tells. */
  failFile(file: string, why: string): void {
    this.#failed += 1;
    this.#keep({ file, path: [], why });
  }

  /** The failures again, each with the command that repeats it, and the count in a line of its own. */
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
    // A suite fails with its tests, which are counted; a test that never ran because of something else counts too.
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

/** 95 s → 1:35 */
export function timeOf(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** How long the rest takes: `left` is its share of all, from recorded times; `passed`: seconds since the beginning. */
export const secondsLeft = (left: number, passed: number): number | null =>
  // The first few say little.
  left > 0.98 ? null : (passed / (1 - left)) * left;

/** What fails of the run as a whole. */
export const OF_RUN = 'npm test';
const LOOKS = 'server/test/looks-at-end.ts';

/** The command that runs this test alone: by the test right below the file, because what is within one runs with it. */
function repeats({ file, path: [name] }: Failure): string {
  // A look names the files that recorded its page.
  if (file === LOOKS) return 'npm test -- (the file that recorded the page, see above)';
  if (file === OF_RUN) return 'npm test';
  if (name === undefined) return `npm test -- ${file}`;
  const pattern = `^${name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}$`.replaceAll("'", String.raw`'\''`);
  return `npm test -- --test-name-pattern='${pattern}' ${file}`;
}
