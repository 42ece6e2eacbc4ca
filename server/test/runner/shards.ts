/** A process that runs test files, from the runner's side. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { CpuMeter, msOfDatabases, msOfTree } from './cpu.ts';
import type { FromShard, Said, TestEvent, ToShard } from './messages.ts';
import { slowness } from './speed.ts';

/** A test without any sign of life for this long hangs, on a machine of usual speed. */
const HANGING_TEST_MS = 240_000;
/** A file that takes longer hangs, even if its tests keep ending one after the other. */
const HANGING_FILE_MS = 900_000;

/**
 * Requests of tests leave much behind at once: with more room (in MiB) for what is new, less of it is copied. The
 * service that a process loads stays, so the heap starts at a size that fits it. Every core has a process, so threads
 * that collect garbage for it only take time from the others.
 */
const COLLECTING = [
  '--min-semi-space-size=128',
  '--max-semi-space-size=128',
  '--initial-old-space-size=600',
  '--single-threaded-gc',
];

export interface ShardOptions {
  /** options for Node, such as --test-name-pattern=… */
  readonly options: readonly string[];
  readonly env: Record<string, string | undefined>;
  readonly print: (text: string) => void;
  /** measures the processor time of its files */
  readonly measures: boolean;
}

/** The result of running a file. */
export interface Ran {
  readonly wallMs: number;
  readonly cpuMs: number;
  /** processor time of the PostgreSQL of the run in the databases of the file */
  readonly databaseMs: number;
  /** why the process has ended; null if it can run another file */
  readonly broken: string | null;
}

export class Shard {
  readonly #child: ChildProcess;
  readonly #gone: Promise<string>;
  readonly #ready: Promise<void>;
  #listen: (message: FromShard) => void = () => {};
  readonly #measures: boolean;
  #cpuMs = 0;
  #failed = false;
  /** the files so far */
  readonly ran: string[] = [];

  constructor({ options, env, print, measures }: ShardOptions) {
    this.#measures = measures && CpuMeter.works;
    this.#child = spawn(
      process.execPath,
      [
        ...options,
        ...COLLECTING,
        `--import=${join(import.meta.dirname, '..', 'light-runner.ts')}`,
        `--test-reporter=${join(import.meta.dirname, 'shard-reporter.ts')}`,
        '--test-reporter-destination=stdout',
        join(import.meta.dirname, 'shard.ts'),
      ],
      { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], env },
    );
    for (const stream of [this.#child.stdout!, this.#child.stderr!])
      stream.setEncoding('utf8').on('data', (text: string) => print(text));
    this.#gone = once(this.#child, 'exit').then(([code, signal]) =>
      signal ? `its process was ended by ${signal}` : `its process ended with code ${code}`,
    );
    this.#ready = new Promise((resolve) => (this.#listen = () => resolve()));
    this.#child.on('message', (message: FromShard) => this.#listen(message));
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** Runs a file to completion, or until it hangs. `slow`: the factor by which everything takes longer here. */
  async run(file: string, slow: number, tell: (event: TestEvent | Said) => void): Promise<Ran> {
    this.ran.push(file);
    await Promise.race([this.#ready, this.#gone]);
    const began = performance.now();
    const { pid } = this;
    const meter = this.#measures ? new CpuMeter(() => msOfTree(pid)) : null;
    const databases = this.#measures ? new CpuMeter(() => msOfDatabases(pid)) : null;
    const look = (): void => {
      meter?.look();
      databases?.look();
    };
    let received = began;
    let late: string | null = null;
    const watch = setInterval(() => {
      look();
      const [silent, total] = [performance.now() - received, performance.now() - began];
      if (silent < HANGING_TEST_MS * slow && total < HANGING_FILE_MS * slow) return;
      // The machine may have become slower since the start.
      const now = Math.max(slow, slowness());
      if (silent >= HANGING_TEST_MS * now) late = `a test hangs: nothing has happened for ${inSeconds(silent)}`;
      else if (total >= HANGING_FILE_MS * now) late = `the file hangs: it has been running for ${inSeconds(total)}`;
      if (late) this.kill();
    }, 1000);
    let cpuMs = 0;
    const done = new Promise<null>((resolve) => {
      this.#listen = (message) => {
        received = performance.now();
        if (message.type === 'done') {
          cpuMs = message.cpuMs - this.#cpuMs;
          this.#cpuMs = message.cpuMs;
          resolve(null);
        } else if (message.type !== 'ready') {
          this.#failed ||= message.type === 'failed';
          tell(message);
        }
      };
    });
    this.#send({ run: file });
    const broken = await Promise.race([done, this.#gone.then((why) => late ?? why)]);
    clearInterval(watch);
    if (broken === null) look();
    return {
      wallMs: performance.now() - began,
      cpuMs: meter?.used ?? cpuMs,
      databaseMs: databases?.used ?? 0,
      broken,
    };
  }

  /** Lets the process end on its own. Returns a problem with how it ended; null if no test is missing a report. */
  async end(): Promise<string | null> {
    this.#send({ run: null });
    const why = await this.#gone;
    return this.#child.exitCode === 0 || (this.#failed && this.#child.exitCode === 1) ? null : why;
  }

  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    this.#child.kill(signal);
  }

  #send(message: ToShard): void {
    if (this.#child.connected) this.#child.send(message);
  }
}

const inSeconds = (ms: number): string => `${Math.round(ms / 1000)} s`;
