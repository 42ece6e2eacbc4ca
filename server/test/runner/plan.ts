/** The kind of each test file, its needs and duration, and the order of files. */
import type { Times } from './times.ts';

/** The runner's facts about a test file. */
export interface Planned {
  readonly file: string;
  /** processor time: as recorded, otherwise the usual time of its kind */
  readonly seconds: number;
  /** it starts a Chromium, only one of which runs at a time */
  readonly browser: boolean;
  /** it starts its own processes, such as a whole installation */
  readonly processes: boolean;
  /** it clones a database of the PostgreSQL that the runner starts */
  readonly database: boolean;
  /** some of its tests run only in `npm run test:all` or in turns */
  readonly rare: boolean;
  /** it records pages for the check at the end */
  readonly records: boolean;
  /** seconds of waiting, as for a lease that runs out, where that is a large part of its time; else 0 */
  readonly waits: number;
  /** the change reaches it */
  readonly first: boolean;
}

const PROCESSES =
  /^server\/test\/(?:installation|cells\/cluster|processes\/(?:demo-service|durable|pair|programs))\.ts$/;

/** The harness that determines the kind of a file, with the usual processor time of such files. */
const KINDS: readonly [harness: RegExp, seconds: number][] = [
  [/\/dashboard-browser\.ts$/, 10],
  [/\/dashboard-world\.ts$/, 4],
  [/^server\/test\/pages\/browser-program\.ts$/, 14],
  [PROCESSES, 20],
  [/^server\/test\/matrix\//, 20],
  [/^server\/test\/world\.ts$/, 3],
];
const PURE_SECONDS = 0.3;
/** A file that waits this long for each second of processor time leaves a core idle. */
const LEAVES_IDLE = 0.6;

export function plan(
  file: string,
  harness: ReadonlySet<string>,
  times: Times,
  reached: 'all' | ReadonlySet<string> = 'all',
): Planned {
  const usual = KINDS.find(([part]) => [...harness].some((path) => part.test(path)))?.[1] ?? PURE_SECONDS;
  const known = times[file];
  const browser = harness.has('server/test/pages/browser-program.ts');
  const processes = [...harness].some((path) => PROCESSES.test(path));
  return {
    file,
    seconds: known?.cpu ?? usual,
    browser,
    processes,
    database: harness.has('server/test/database.ts'),
    rare: harness.has('server/test/rare.ts'),
    records: harness.has('server/test/pages/looks.ts'),
    waits: !browser && known !== undefined && known.waits > known.cpu * LEAVES_IDLE ? known.waits : 0,
    // Tests over all declarations see every change.
    first: reached === 'all' || reached.has(file) || (file.startsWith('server/test/') && !browser && !processes),
  };
}

/**
 * Files that are due: those that record pages, then the longest, so that none works alone at the end. Those with a
 * browser take turns: as long as some are left, one is running while the other processes take the rest. Those that
 * wait much are for one more process, which leaves the cores to the others.
 */
export class Queue {
  readonly #waiting: Planned[];
  readonly #browsers: number;
  readonly #running = new Set<Planned>();

  /** `browsers`: the number that may run at the same time */
  constructor(files: readonly Planned[], browsers: number) {
    this.#waiting = files.toSorted(
      (a, b) =>
        Number(b.first) - Number(a.first) ||
        // The check of recorded pages starts when all of these have ended, in parallel with the rest.
        Number(b.records) - Number(a.records) ||
        b.seconds + b.waits - a.seconds - a.waits ||
        (a.file < b.file ? -1 : 1),
    );
    this.#browsers = browsers;
  }

  /** The next file that waits much; null: there are no more. */
  takeWaiting(): Planned | null {
    return this.#start(this.#waiting.findIndex((one) => one.waits > 0));
  }

  /** Returns true if a file with a browser may begin now. */
  get browserIsFree(): boolean {
    return [...this.#running].filter((one) => one.browser).length < this.#browsers;
  }

  /** The next file, one that waits much only after all others; null: none that may begin now. */
  take(): Planned | null {
    const free = this.browserIsFree;
    const first = this.#waiting.some((one) => one.first);
    const withBrowser = free ? this.#waiting.findIndex((one) => one.browser && one.first === first) : -1;
    if (withBrowser >= 0) return this.#start(withBrowser);
    const works = this.#waiting.findIndex((one) => one.waits === 0 && (free || !one.browser));
    return works >= 0 ? this.#start(works) : this.takeWaiting();
  }

  #start(index: number): Planned | null {
    const [next = null] = index < 0 ? [] : this.#waiting.splice(index, 1);
    if (next) this.#running.add(next);
    return next;
  }

  done(file: Planned): void {
    this.#running.delete(file);
  }

  /** Puts a file before all others. */
  addFirst(file: Planned): void {
    this.#waiting.unshift(file);
  }

  /** Returns true if a file is running. */
  get busy(): boolean {
    return this.#running.size > 0;
  }

  /** Returns true if pages may still be recorded. */
  get recording(): boolean {
    return [...this.#waiting, ...this.#running].some((one) => one.records);
  }

  get secondsLeft(): number {
    // Running files count as half done, because nothing better is known.
    return secondsOf(this.#waiting) + secondsOf([...this.#running]) / 2;
  }
}

const secondsOf = (files: readonly Planned[]): number => files.reduce((sum, one) => sum + one.seconds, 0);
