/**
 * Runs the jobs. The queue is graphile-worker's. Two guarantees are added here: a job's effect and its done mark commit
 * together, and the locks of a worker that was killed are released as soon as its connection is gone.
 */
import { connectTo } from '../../base/db/connections/connect.ts';
import { Clocks } from './clocks.ts';
import { RETENTION_HOURS } from '../unit/idempotency.ts';
import { Dispatcher } from './dispatch.ts';
import { isConnectionLoss } from '../../base/db/connections/loss.ts';
import { keepMonths } from '../retention/keep.ts';
import { Loops } from './loops.ts';
import { NUMBERED_AT_ONCE, numberFeedItems } from '../feed/number.ts';
import { PATIENCE, type Patience } from '../../base/db/connections/patience.ts';
import { PRESENCE_LOCK } from './presence.ts';
import { Queue } from './queue.ts';
import { sql } from '../../base/db/sql.ts';
import { runOrPutBack } from './put-back.ts';
import { sweepOutbox } from '../../base/mail/outbox.ts';
import type { TaskList } from 'graphile-worker';
import type { Database } from '../../base/db/database.ts';
import type { Installation } from '../unit/installation.ts';
import type { Metrics } from '../../base/metrics.ts';
import type { WorkerDeclarations } from '../unit/background.ts';
import type { Engine, RunningEngine } from '../unit/engine.ts';
import type { Retention } from '../retention/kept-table.ts';
import type { Tenants } from '../unit/tenants.ts';

interface WorkerOptions {
  /** connection string of the owner of the database, who owns the queue's tables */
  url: string;
  db: Database;
  registry: WorkerDeclarations;
  tenants: Tenants;
  installation: Installation;
  metrics: Metrics;
  log: { info(o: object, m: string): void; warn(o: object, m: string): void; error(o: object, m: string): void };
  now: () => number;
  concurrency?: number;
  patience?: Patience;
  /** further engines than those of the areas */
  engines?: readonly Engine[];
  /** interval of checks for jobs of dead workers, in milliseconds */
  reapMs?: number;
  /** retention periods of records */
  retention: Retention;
}

/** Maximum number of concurrent jobs. A business has at most one of them, see `enqueue_job`. */
const CONCURRENCY = 3;

const FEED_PAUSE_MS = 200;
const REAP_PAUSE_MS = 5000;

const ENGINE_PAUSE_MS = 1000;
const STOP_MS = 20_000;
const SWEEP_PAUSE_MS = 600_000;

/** Deletes expired rows: stored responses for repeated requests, and marks of jobs that can no longer run twice. */
const sweep = (db: Database) =>
  db.acrossTenants('what has expired is deleted for every business', async (tx) => {
    await tx.run(
      sql`DELETE FROM idempotency_key WHERE created_at < now() - make_interval(hours => ${RETENTION_HOURS})`,
    );
    // A process that has not asked for an hour drops its whole cache.
    await tx.run(sql`DELETE FROM access_change WHERE at < now() - interval '1 hour'`);
    await tx.run(sql`DELETE FROM job_effect WHERE done_at < now() - interval '60 days'`);
    await sweepOutbox(tx);
  });

export class Worker {
  readonly #o: WorkerOptions;
  readonly #queue: Queue;
  #readers?: Dispatcher;
  readonly #loops: Loops;
  #clocks?: Clocks;
  readonly #engines: RunningEngine[] = [];

  constructor(options: WorkerOptions) {
    this.#o = options;
    this.#loops = new Loops(options.log);
    const { url, log, concurrency = CONCURRENCY, patience = PATIENCE } = options;
    this.#queue = new Queue({ url, tasks: this.#tasks(), concurrency, patience, log });
  }

  /** Starts. Parts that cannot start because the database is down start when it is back. */
  async start(): Promise<void> {
    this.#queue.start();
    const readers = (this.#readers = new Dispatcher(this.#o));
    this.#loops.repeat('feed', FEED_PAUSE_MS, async () => {
      const numbered = await numberFeedItems(this.#o.db);
      await readers.look();
      return numbered === NUMBERED_AT_ONCE;
    });
    this.#loops.repeat('sweeper', SWEEP_PAUSE_MS, async () => {
      await sweep(this.#o.db);
      await this.#sweepAreas();
    });
    this.#loops.repeat('retention', SWEEP_PAUSE_MS, () => this.#keepMonths());
    this.#loops.repeat('reaper', this.#o.reapMs ?? REAP_PAUSE_MS, () => this.#reap());
    this.#clocks = new Clocks(this.#o);
    this.#clocks.start();
    const engines = [...this.#o.registry.areas, this.#o].flatMap(({ engines = [] }) => engines);
    await Promise.all(
      engines.map(async (engine) => {
        if (!(await this.#begin(engine))) this.#loops.run(() => this.#beginLater(engine));
      }),
    );
  }

  async #begin(engine: Engine): Promise<boolean> {
    try {
      this.#engines.push(await engine.start(this.#o));
      return true;
    } catch (err) {
      if (!isConnectionLoss(err)) throw err;
      this.#o.log.warn({ err, engine: engine.name }, 'the database cannot be reached; trying again');
      return false;
    }
  }

  async #beginLater(engine: Engine): Promise<void> {
    do await this.#loops.pause(ENGINE_PAUSE_MS);
    while (!this.#loops.stopped && !(await this.#begin(engine)));
  }

  /** True if jobs are running, or would be if there were any. */
  get running(): boolean {
    return this.#queue.running;
  }

  /** Sweeps each area in a transaction of its own, so that one that fails does not stop the others. */
  async #sweepAreas(): Promise<void> {
    const { db, registry, installation, now, log } = this.#o;
    for (const { name, sweep: sweepArea } of registry.areas) {
      if (!sweepArea || this.#loops.stopped) continue;
      await db
        .acrossTenants('what has expired is deleted for every business', (tx) => sweepArea(tx, now(), installation))
        .catch((err) => log.warn({ err, area: name }, 'sweeping: will try again'));
    }
  }

  #keepMonths(): Promise<void> {
    const { url, installation, retention, log } = this.#o;
    return keepMonths({ url, files: installation.files, retention, log, stopped: () => this.#loops.stopped });
  }

  /** Finishes the running jobs, then ends: within 20 seconds even if the database does not respond. */
  async stop(): Promise<void> {
    if (this.#loops.stopped) return;
    const stop = async () => {
      await Promise.all([this.#loops.stop(), this.#queue.stop()]);
      await Promise.all([this.#clocks?.stop(), this.#readers?.stop(), ...this.#engines.map((engine) => engine.stop())]);
    };
    await Promise.race([stop(), new Promise((resolve) => setTimeout(resolve, STOP_MS).unref())]);
  }

  #tasks(): TaskList {
    const jobs = [...this.#o.registry.jobs.values()];
    return Object.fromEntries(
      jobs.map((job) => [job.task, (_payload, { job: queued }) => runOrPutBack(this.#o, job, queued)]),
    );
  }

  /** Releases the jobs of dead workers: a lock that can be acquired belongs to nobody. */
  async #reap(): Promise<void> {
    const client = await connectTo(this.#o.url, this.#o.patience ?? PATIENCE);
    try {
      await client.query('BEGIN');
      // A runner takes its lock a moment after its first job, hence the two seconds.
      const { rows } = await client.query(
        `SELECT worker FROM (SELECT DISTINCT locked_by AS worker FROM graphile_worker._private_jobs
                             WHERE locked_by IS NOT NULL AND locked_at < now() - interval '2 seconds') l
         WHERE pg_try_advisory_xact_lock(${PRESENCE_LOCK}, hashtext(worker))`,
      );
      const dead = (rows as { worker: string }[]).map((r) => r.worker);
      if (dead.length > 0) {
        await client.query('SELECT graphile_worker.force_unlock_workers($1::text[])', [dead]);
        this.#o.log.warn({ dead }, 'released the jobs of workers that are gone');
      }
      // A queue is locked as long as one of its jobs is. If two workers held the same job, the second does not release
      // it.
      await client.query(
        `UPDATE graphile_worker._private_job_queues q SET locked_at = NULL, locked_by = NULL
         WHERE locked_at < now() - interval '2 seconds'
           AND NOT EXISTS (SELECT FROM graphile_worker._private_jobs j
             WHERE j.job_queue_id = q.id AND j.locked_at IS NOT NULL)`,
      );
      await client.query('COMMIT');
    } finally {
      client.end().catch(() => {});
    }
  }
}
