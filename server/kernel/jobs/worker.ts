/**
 * Runs the jobs. The queue is graphile-worker's; what it does not promise is added here: a job's effect and the mark that
 * it is done commit together, and the locks of a worker that was killed are released as soon as its connection is gone.
 */
import { EventEmitter } from 'node:events';
import { run, runMigrations, Logger, type Runner, type TaskList } from 'graphile-worker';
import pg from 'pg';
import { endWork } from '../own-work.ts';
import { KEPT_HOURS } from '../api/idempotency.ts';
import { Dispatcher } from '../feed/dispatch.ts';
import { Loops } from './loops.ts';
import { NUMBERED_AT_ONCE, numberFeedItems } from '../feed/number.ts';
import { raw, sql } from '../db/sql.ts';
import { ownViewer } from '../access/viewer.ts';
import { peopleStay } from '../db/people-lock.ts';
import { sweepOutbox } from '../mail/outbox.ts';
import { Work } from '../work.ts';
import type { Database, Transaction } from '../db/database.ts';
import type { Installation } from '../installation.ts';
import type { Metrics } from '../metrics.ts';
import type { Registry } from '../api/registry.ts';
import type { RunningEngine } from './engine.ts';
import type { Tenants } from '../access/tenants.ts';

export interface WorkerOptions {
  /** of the owner of the database: the queue's tables are its own */
  url: string;
  db: Database;
  registry: Registry;
  tenants: Tenants;
  installation: Installation;
  metrics: Metrics;
  log: { info(o: object, m: string): void; warn(o: object, m: string): void; error(o: object, m: string): void };
  now: () => number;
  concurrency?: number;
  /** entries of the audit are kept for so many days; null: for ever */
  auditDays: number | null;
}

/** Jobs at once. A business has one of them at most, see `enqueue_job`. */
const CONCURRENCY = 3;

const FEED_PAUSE_MS = 200;
const REAP_PAUSE_MS = 5000;

const POOL_END_MS = 2000;
const SWEEP_PAUSE_MS = 600_000;
const SWEPT_AT_ONCE = 10_000;

const quiet = new Logger(() => () => {});

/** Forgets what has served its time: answers kept for repeated requests, and marks of jobs that can no longer run twice. */
const sweep = (db: Database) =>
  db.acrossTenants('what has expired is deleted for every business', async (tx) => {
    await tx.run(sql`DELETE FROM idempotency_key WHERE created_at < now() - make_interval(hours => ${KEPT_HOURS})`);
    // A process that has not asked for an hour forgets everything it remembers.
    await tx.run(sql`DELETE FROM access_change WHERE at < now() - interval '1 hour'`);
    await tx.run(sql`DELETE FROM job_effect WHERE done_at < now() - interval '60 days'`);
    await sweepOutbox(tx);
  });

/** Makes the queue's own tables; part of preparing a database. */
export const installQueue = (url: string): Promise<void> => runMigrations({ connectionString: url, logger: quiet });

export class Worker {
  readonly #o: WorkerOptions;
  /** what the queue calls the workers of this process */
  readonly #names = new Set<string>();
  #runner?: Runner;
  #pool?: pg.Pool;
  #presence?: pg.Client;
  #readers?: Dispatcher;
  readonly #loops: Loops;
  readonly #engines: RunningEngine[] = [];

  constructor(options: WorkerOptions) {
    this.#o = options;
    this.#loops = new Loops(options.log);
  }

  async start(): Promise<void> {
    const { url, log, concurrency = CONCURRENCY } = this.#o;
    await this.#connect();
    const events = new EventEmitter();
    events.on('worker:create', ({ worker }: { worker: { workerId: string } }) => {
      this.#names.add(worker.workerId);
      this.#announce([worker.workerId]).catch(() => {});
    });
    // A pool of our own, so that a connection which the database ends is always somebody's to hear of.
    this.#pool = new pg.Pool({ connectionString: url, max: concurrency + 2 });
    const tell = (err: Error) => void (this.#loops.stopped || log.warn({ err }, 'a connection of the job queue failed'));
    this.#pool.on('error', tell);
    this.#pool.on('connect', (client) => client.on('error', tell));
    this.#runner = await run({
      pgPool: this.#pool,
      taskList: this.#tasks(),
      concurrency,
      noHandleSignals: true,
      pollInterval: 1000,
      logger: new Logger(() => (level, message) => {
        if (level === 'error') log.error({}, message);
      }),
      events: events as never,
    });
    this.#runner.promise.catch((err) => log.error({ err }, 'the job queue stopped'));
    const readers = (this.#readers = new Dispatcher(this.#o));
    this.#loops.repeat('feed', FEED_PAUSE_MS, async () => {
      const numbered = await numberFeedItems(this.#o.db);
      await readers.look();
      return numbered === NUMBERED_AT_ONCE;
    });
    this.#loops.repeat('sweeper', SWEEP_PAUSE_MS, async () => {
      await sweep(this.#o.db);
      await this.#sweepAreas();
      await this.#sweepAudit();
    });
    this.#loops.repeat('reaper', REAP_PAUSE_MS, () => this.#reap());
    for (const area of this.#o.registry.areas) {
      for (const engine of area.engines ?? []) this.#engines.push(await engine.start(this.#o));
    }
  }

  /** Each in a transaction of its own: one that fails keeps no other from ending what is over. */
  async #sweepAreas(): Promise<void> {
    const { db, registry, installation, now, log } = this.#o;
    for (const { name, sweep: sweepArea } of registry.areas) {
      if (!sweepArea || this.#loops.stopped) continue;
      await db.acrossTenants('what has expired is deleted for every business', (tx) => sweepArea(tx, now(), installation)).catch((err) => log.warn({ err, area: name }, 'sweeping: will try again'));
    }
  }

  /** In portions, so that nobody waits for a long one. */
  async #sweepAudit(): Promise<void> {
    const { db, auditDays } = this.#o;
    if (auditDays === null) return;
    for (let deleted = SWEPT_AT_ONCE; deleted === SWEPT_AT_ONCE && !this.#loops.stopped; ) {
      deleted = await db.acrossTenants('entries of the audit that are older than the operator keeps them are deleted for every business', (tx) =>
        tx.run(sql`DELETE FROM audit_entry WHERE (provider_id, id) IN (
          SELECT provider_id, id FROM audit_entry WHERE at < now() - make_interval(days => ${auditDays}) LIMIT ${raw(String(SWEPT_AT_ONCE))})`),
      );
    }
  }

  /** Finishes the jobs that run, then ends. */
  async stop(): Promise<void> {
    if (this.#loops.stopped) return;
    await Promise.all([this.#loops.stop(), ...this.#engines.map((engine) => engine.stop())]);
    await this.#readers?.stop();
    await this.#runner?.stop().catch(() => {});
    // A client that the queue never gave back would let this wait for ever.
    await Promise.race([this.#pool?.end(), new Promise((resolve) => setTimeout(resolve, POOL_END_MS).unref())]);
    await this.#presence?.end().catch(() => {});
  }

  #tasks(): TaskList {
    const { db, registry, tenants, installation, metrics, now } = this.#o;
    const tasks: TaskList = {};
    for (const job of registry.jobs.values()) {
      tasks[job.task] = async (payload, { job: { id } }) => {
        const { provider_id: providerId, ...rest } = payload as { provider_id: number };
        const tenant = await tenants.of(providerId);
        if (!tenant) return;
        try {
          const act = async (tx: Transaction) => {
            await peopleStay(tx, [providerId]);
            const first = await tx.run(
              sql`INSERT INTO job_effect (provider_id, job_key) VALUES (${providerId}, ${`${job.task}:${id}`}) ON CONFLICT DO NOTHING`,
            );
            if (first === 0) return;
            const system = ownViewer(providerId, `job:${job.task}`);
            const work = new Work({ tx, tenant, viewer: system, now: now(), requestId: `job-${id}`, installation });
            await job.run(work, rest);
            await endWork(work, registry, `job ${job.task}`);
          };
          await (job.acrossTenants === undefined ? db.transaction(providerId, act) : db.acrossTenants(job.acrossTenants, act));
          metrics.job(job.task, 'done');
        } catch (error) {
          metrics.job(job.task, 'failed');
          throw error;
        }
      };
    }
    return tasks;
  }

  /** A session lock for each worker says that it lives; the locks go with their connection, however the process ends. */
  async #announce(names: Iterable<string>): Promise<void> {
    for (const name of names) await this.#presence!.query('SELECT pg_advisory_lock(771002, hashtext($1))', [name]);
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({ connectionString: this.#o.url, keepAlive: true });
    client.on('error', () => this.#reconnect());
    await client.connect();
    this.#presence = client;
    await this.#announce(this.#names);
  }

  async #reconnect(): Promise<void> {
    while (!this.#loops.stopped) {
      this.#o.log.warn({}, 'the connection that shows this worker alive was lost; connecting again');
      await this.#loops.pause(500);
      try {
        return await this.#connect();
      } catch {
        // the database may still be starting
      }
    }
  }

  /** Releases the jobs of workers that no longer live: a lock that we get belongs to nobody. */
  async #reap(): Promise<void> {
    const client = new pg.Client({ connectionString: this.#o.url });
    await client.connect();
    try {
      await client.query('BEGIN');
      // A worker takes its lock a moment after its first job, hence the two seconds.
      const { rows } = await client.query<{ worker: string }>(
        `SELECT worker FROM (SELECT DISTINCT locked_by AS worker FROM graphile_worker._private_jobs
                             WHERE locked_by IS NOT NULL AND locked_at < now() - interval '2 seconds') l
         WHERE pg_try_advisory_xact_lock(771002, hashtext(worker))`,
      );
      const dead = rows.map((r) => r.worker);
      if (dead.length > 0) {
        await client.query('SELECT graphile_worker.force_unlock_workers($1::text[])', [dead]);
        this.#o.log.warn({ dead }, 'released the jobs of workers that are gone');
      }
      // A queue is held as long as one of its jobs is. Of two workers that held the same job, the second does not give it back.
      await client.query(
        `UPDATE graphile_worker._private_job_queues q SET locked_at = NULL, locked_by = NULL
         WHERE locked_at < now() - interval '2 seconds'
           AND NOT EXISTS (SELECT FROM graphile_worker._private_jobs j WHERE j.job_queue_id = q.id AND j.locked_at IS NOT NULL)`,
      );
      await client.query('COMMIT');
    } finally {
      await client.end();
    }
  }
}
