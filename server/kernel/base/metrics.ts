/** Metrics of the service, in Prometheus format. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from './db/database.ts';

export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = new Histogram({
    name: 'rollcall_http_request_seconds',
    help: 'Time to answer, by route and status',
    labelNames: ['route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [this.#registry],
  });
  readonly #jobs = new Counter({
    name: 'rollcall_jobs_total',
    help: 'Jobs run, by task and outcome',
    labelNames: ['task', 'outcome'],
    registers: [this.#registry],
  });

  readonly #webhooks = new Counter({
    name: 'rollcall_webhook_attempts_total',
    help: 'Attempts to deliver a webhook, by outcome',
    labelNames: ['outcome'],
    registers: [this.#registry],
  });
  readonly #readers = new Counter({
    name: 'rollcall_feed_reads_total',
    help: 'Portions of feed items given to readers, by reader and outcome; set_aside counts items that were given up',
    labelNames: ['reader', 'outcome'],
    registers: [this.#registry],
  });

  readonly #reportDifferences = new Counter({
    name: 'rollcall_report_differences_total',
    help: 'Differences that nightly checks found between reports and what they are made of; always 0 if all is well',
    registers: [this.#registry],
  });

  /** only if there are cells */
  #carried?: Counter;

  constructor(db: Database) {
    collectDefaultMetrics({ register: this.#registry });
    const connections = new Gauge({
      name: 'rollcall_database_connections',
      help: 'Connections to the database, by state',
      labelNames: ['state'],
      registers: [this.#registry],
      collect() {
        const { total, idle, waiting } = db.load;
        connections.set({ state: 'busy' }, total - idle);
        connections.set({ state: 'idle' }, idle);
        connections.set({ state: 'waiting' }, waiting);
      },
    });
    if (db.replicas) this.#watchReplicas(db.replicas);
  }

  /** Counts a request that is for another cell. */
  carried(cell: number, outcome: 'answered' | 'away'): void {
    this.#carried ??= new Counter({
      name: 'rollcall_carried_requests_total',
      help: 'Requests that were for another cell, by cell; away counts those that it did not answer',
      labelNames: ['cell', 'outcome'],
      registers: [this.#registry],
    });
    this.#carried.inc({ cell, outcome });
  }

  /** Watches replicas. Only if there are any. */
  #watchReplicas(replicas: NonNullable<Database['replicas']>): void {
    const lag: Gauge = new Gauge({
      name: 'rollcall_replica_lag_seconds',
      help: 'Lag of each replica behind the primary; NaN while it is unknown',
      labelNames: ['replica'],
      registers: [this.#registry],
      collect: (): void => {
        for (const { name, lagMs } of replicas.states) lag.set({ replica: name }, lagMs === null ? NaN : lagMs / 1000);
      },
    });
    const reads: Counter = new Counter({
      name: 'rollcall_replica_reads_total',
      help: 'Reads that a replica may answer: answered by one, or by the primary because replicas were away, behind, or failed',
      labelNames: ['outcome'],
      registers: [this.#registry],
      collect: (): void => {
        reads.reset();
        for (const [outcome, n] of Object.entries(replicas.counts)) reads.inc({ outcome }, n);
      },
    });
  }

  request(route: string, status: number, ms: number): void {
    this.#requests.observe({ route, status }, ms / 1000);
  }

  job(task: string, outcome: 'done' | 'failed'): void {
    this.#jobs.inc({ task, outcome });
  }

  webhook(outcome: 'delivered' | 'failed' | 'parked'): void {
    this.#webhooks.inc({ outcome });
  }

  reportDifferences(n: number): void {
    this.#reportDifferences.inc(n);
  }

  feedRead(reader: string, outcome: 'done' | 'failed' | 'set_aside'): void {
    this.#readers.inc({ reader, outcome });
  }

  /** Watches streams; `open` is called when the metrics are read. */
  watchStreams(open: () => number): void {
    const streams: Gauge = new Gauge({
      name: 'rollcall_streams_open',
      help: 'Streams of server-sent events that are open',
      registers: [this.#registry],
      collect: (): void => streams.set(open()),
    });
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
