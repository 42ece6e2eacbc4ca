/**
 * Keeps the queue's runner running. The runner ends whenever it cannot record the result of a job, for example if the
 * connection is lost at that moment; it is then started again, and the reaper finds its job, here or in another
 * process.
 */
import { EventEmitter } from 'node:events';
import { run, Logger, type Runner, type TaskList } from 'graphile-worker';
import { openPool, type Pool } from '../../base/db/connections/connect.ts';
import { Loops } from './loops.ts';
import { Presence } from './presence.ts';
import type { Patience } from '../../base/db/connections/patience.ts';

interface QueueOptions {
  /** connection string of the owner of the database, who owns the queue's tables */
  url: string;
  tasks: TaskList;
  concurrency: number;
  patience: Patience;
  log: { warn(o: object, m: string): void; error(o: object, m: string): void };
}

const RETRY_MS = 500;
const POLL_MS = 1000;
const NEXT_JOB_MS = 5;
/** Time limit for running jobs; and without any, for the runner itself. */
const STOP_MS = 15_000;
const IDLE_STOP_MS = 3000;
const POOL_END_MS = 2000;

/** One of the runner's workers. */
interface Looker {
  /** polls for a job now, unless it has one; throws after it was released */
  nudge(): boolean;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref());

/**
 * Without these, the runner reports the result of a job without handling a failure of that report: an unhandled
 * rejection, which ends the process.
 */
const preset = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } };

export class Queue {
  readonly #o: QueueOptions;
  readonly #loops: Loops;
  #runner?: Runner;
  #presence?: Presence;
  #pool?: Pool;
  readonly #busy = new Set<string>();
  #lookedAt = performance.now();
  #changedAt = -Infinity;
  readonly #released = new WeakSet<Looker>();
  /** Those that found no job and wait for their next poll. */
  readonly #waiting = new Set<Looker>();

  constructor(options: QueueOptions) {
    this.#o = options;
    this.#loops = new Loops(options.log);
  }

  /** True if jobs are running, or would be if there were any: an idle runner polls every second. */
  get running(): boolean {
    return this.#busy.size >= this.#o.concurrency || performance.now() - this.#lookedAt < this.#o.patience.acquireMs;
  }

  start(): void {
    this.#lookedAt = performance.now();
    this.#loops.repeat('job queue', RETRY_MS, () => this.#run());
  }

  /** Finishes the running jobs; those that cannot be finished go to another process when this one has ended. */
  async stop(): Promise<void> {
    const stopped = this.#loops.stop();
    this.#runner?.stop().catch(() => {});
    const late = async () => {
      await pause(IDLE_STOP_MS);
      if (this.#busy.size > 0) await pause(STOP_MS - IDLE_STOP_MS);
    };
    await Promise.race([stopped, late()]);
    this.#pool?.abandon();
    this.#presence?.abandon();
  }

  /** Runs from a start of the runner to its end. */
  async #run(): Promise<void> {
    const { url, tasks, concurrency, patience, log } = this.#o;
    const presence = (this.#presence = await Presence.begin({
      url,
      patience,
      log,
      // Not the pause of the loops, which returns immediately once they stop.
      pause: () => pause(RETRY_MS),
    }));
    // A pool of our own, so that the loss of a connection is always reported to somebody.
    const pool = (this.#pool = openPool({
      url,
      size: concurrency + 2,
      patience,
      onError: (err) => void (this.#loops.stopped || log.warn({ err }, 'a connection of the job queue failed')),
    }));
    try {
      this.#runner = await run({
        pgPool: pool,
        taskList: tasks,
        concurrency,
        noHandleSignals: true,
        pollInterval: POLL_MS,
        logger: new Logger(() => (level, message) => void (level === 'error' && log.error({}, message))),
        events: this.#events(presence) as never,
        preset,
      });
      if (this.#loops.stopped) await this.#runner.stop();
      await this.#runner.promise;
      if (!this.#loops.stopped) log.warn({}, 'the job queue stopped; starting it again');
    } finally {
      this.#runner = undefined;
      this.#busy.clear();
      this.#waiting.clear();
      await presence.end();
      // Otherwise, a client that the queue never released would make this wait forever.
      const cut = setTimeout(() => pool.abandon(), POOL_END_MS);
      await pool.end().finally(() => clearTimeout(cut));
    }
  }

  #events(presence: Presence): EventEmitter {
    const events = new EventEmitter();
    const looked = () => (this.#lookedAt = performance.now());
    events.on('pool:create', ({ workerPool }: { workerPool: { id: string } }) => {
      // Jobs are locked under this name.
      presence.show(workerPool.id).catch(() => {});
    });
    events.on('worker:getJob:empty', ({ worker }: { worker: Looker }) => {
      looked();
      this.#lookAgain(worker);
    });
    events.on('worker:release', ({ worker }: { worker: Looker }) => this.#released.add(worker));
    events.on('job:start', ({ job }: { job: { id: string } }) => {
      looked();
      this.#changedAt = performance.now();
      this.#busy.add(job.id);
      for (const worker of this.#waiting) this.#lookAgain(worker);
    });
    events.on('job:complete', ({ job }: { job: { id: string } }) => {
      looked();
      this.#changedAt = performance.now();
      this.#busy.delete(job.id);
    });
    return events;
  }

  /**
   * Polls again soon after another job has begun or ended. A worker that fetches a job locks the jobs of all businesses
   * for that moment, so the others find none; and a job blocks the next one of its business until the database has
   * recorded its end. The intervals grow up to the worker's usual pause.
   */
  #lookAgain(worker: Looker): void {
    const since = performance.now() - this.#changedAt;
    if (since >= POLL_MS) return void this.#waiting.add(worker);
    this.#waiting.delete(worker);
    setTimeout(() => void (this.#released.has(worker) || worker.nudge()), Math.max(NEXT_JOB_MS, since)).unref();
  }
}
