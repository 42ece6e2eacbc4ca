/**
 * Jobs of test businesses. They are enqueued like all jobs, at the time of their business, which is later than the real
 * one: so the queue's runner leaves them alone, and the clock runs them when it gets there. The clock locks a job as
 * the runner would, under a name that the worker's reaper knows.
 */
import { PRESENCE_LOCK } from './presence.ts';
import type { Connection } from '../../base/db/connections/connection.ts';

/** Lock number, together with the id of the business: one process at a time works for it. */
const CLOCK_LOCK = 771_051;
const QUEUE = (provider: number): string => `business:${provider}`;

export interface ClockJob {
  readonly id: string;
  readonly task: string;
  readonly payload: unknown;
  readonly attempts: number;
}

const lockKey = (provider: number): number => provider % 2_147_483_647;
const iso = (epochMs: number): string => new Date(epochMs).toISOString();

export class ClockJobs {
  readonly #connection: Connection;
  readonly #name: string;

  /** Takes a connection of the owner of the database, whose session holds the locks. */
  private constructor(connection: Connection, name: string) {
    this.#connection = connection;
    this.#name = name;
  }

  static async on(connection: Connection, name: string): Promise<ClockJobs> {
    await connection.query('SELECT pg_advisory_lock($1, hashtext($2))', [PRESENCE_LOCK, name]);
    return new ClockJobs(connection, name);
  }

  /** Locks a business. Returns false if another process works for it. */
  async enter(provider: number): Promise<boolean> {
    const { rows } = await this.#connection.query('SELECT pg_try_advisory_lock($1, $2) AS mine', [
      CLOCK_LOCK,
      lockKey(provider),
    ]);
    return rows[0].mine;
  }

  async leave(provider: number): Promise<void> {
    await this.#connection.query('SELECT pg_advisory_unlock($1, $2)', [CLOCK_LOCK, lockKey(provider)]);
  }

  /** Returns the businesses with a job that is due by their time and that the runner leaves alone. */
  async due(clocks: readonly { provider: number; now: number }[]): Promise<Set<number>> {
    const { rows } = await this.#connection.query({
      name: 'clock_due',
      text: `SELECT w.provider::int8 AS provider FROM unnest($1::int8[], $2::text[], $3::timestamptz[]) AS w (provider, queue, until)
             WHERE EXISTS (SELECT FROM graphile_worker._private_jobs j JOIN graphile_worker._private_job_queues q ON q.id = j.job_queue_id
               WHERE q.queue_name = w.queue AND j.is_available AND j.attempts = 0 AND j.run_at > now() AND j.run_at <= w.until)`,
      values: [clocks.map((c) => c.provider), clocks.map((c) => QUEUE(c.provider)), clocks.map((c) => iso(c.now))],
    });
    return new Set((rows as { provider: string }[]).map((row) => Number(row.provider)));
  }

  /**
   * Takes the job that is due first, by the time of the business; undefined: none is. `failed`: including jobs that
   * failed before, which otherwise the runner retries later.
   */
  async take(provider: number, now: number, { failed }: { failed: boolean }): Promise<ClockJob | undefined> {
    const { rows } = await this.#connection.query({
      name: 'clock_take',
      text: `WITH first AS (
               SELECT j.id FROM graphile_worker._private_jobs j
               WHERE j.job_queue_id = (SELECT id FROM graphile_worker._private_job_queues WHERE queue_name = $1)
                 AND j.is_available AND j.run_at <= $2 AND (j.attempts = 0 OR $3)
               ORDER BY j.run_at, j.priority, j.id LIMIT 1 FOR UPDATE SKIP LOCKED)
             UPDATE graphile_worker._private_jobs j SET locked_by = $4, locked_at = now(), attempts = j.attempts + 1
             FROM first WHERE j.id = first.id
             RETURNING j.id::text AS id, j.payload, j.attempts, (SELECT identifier FROM graphile_worker._private_tasks t WHERE t.id = j.task_id) AS task`,
      values: [QUEUE(provider), iso(now), failed, this.#name],
    });
    return (rows as ClockJob[])[0];
  }

  /** Returns whether a runner is running some of its jobs, and when the next waiting job is due, epoch ms. */
  async state(provider: number): Promise<{ busy: boolean; next: number | null }> {
    const { rows } = await this.#connection.query({
      name: 'clock_state',
      text: `SELECT coalesce(bool_or(locked_at IS NOT NULL), false) AS busy, (extract(epoch FROM min(run_at) FILTER (WHERE is_available)) * 1000)::float8 AS next
             FROM graphile_worker._private_jobs WHERE job_queue_id = (SELECT id FROM graphile_worker._private_job_queues WHERE queue_name = $1)`,
      values: [QUEUE(provider)],
    });
    const { busy, next } = rows[0] as { busy: boolean; next: number | null };
    return { busy, next: next === null ? null : Math.ceil(next) };
  }

  async done({ id }: ClockJob): Promise<void> {
    await this.#connection.query({
      name: 'clock_done',
      text: 'DELETE FROM graphile_worker._private_jobs WHERE id = $1 AND locked_by = $2',
      values: [id, this.#name],
    });
  }

  /** Returns the job to the queue, whose runner retries it with growing pauses, like every job. */
  async failed({ id }: ClockJob, error: unknown): Promise<void> {
    await this.#connection.query({
      name: 'clock_failed',
      text: `UPDATE graphile_worker._private_jobs SET locked_by = NULL, locked_at = NULL, last_error = $3,
               run_at = now() + exp(least(attempts, 10)) * interval '1 second' WHERE id = $1 AND locked_by = $2`,
      values: [id, this.#name, String((error as Error)?.message ?? error).slice(0, 2000)],
    });
  }
}
