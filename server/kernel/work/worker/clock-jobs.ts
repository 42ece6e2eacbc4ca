/**
 * The jobs of test businesses. They are queued like all jobs, at the time of their business, which is later than the
 * real one: so the queue's runner lets them lie, and the clock works them off when it has come so far. A job that the
 * clock has is locked as the runner would lock it, by a name that the reaper of the worker knows.
 */
import { PRESENCE_LOCK } from './presence.ts';
import type { Connection } from '../../base/db/connection.ts';

/** With the id of the business: one process at a time works for it. */
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

  /** The connection is of the owner of the database, and its session holds the locks. */
  private constructor(connection: Connection, name: string) {
    this.#connection = connection;
    this.#name = name;
  }

  static async on(connection: Connection, name: string): Promise<ClockJobs> {
    await connection.query('SELECT pg_advisory_lock($1, hashtext($2))', [PRESENCE_LOCK, name]);
    return new ClockJobs(connection, name);
  }

  /** False: another process works for the business. */
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

  /** Which of these businesses have a job that is due by their time and that the runner lets lie. */
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
   * Takes the job that is due first, by the time of the business; undefined: none is. `failed`: also one that has
   * failed before, which otherwise the runner tries again in its time.
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

  /** Some of its jobs are under way at a runner, and when the next one that lies there is due, epoch ms. */
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

  /** Gives it back to the queue, whose runner tries it again after a pause that grows, as with every job. */
  async failed({ id }: ClockJob, error: unknown): Promise<void> {
    await this.#connection.query({
      name: 'clock_failed',
      text: `UPDATE graphile_worker._private_jobs SET locked_by = NULL, locked_at = NULL, last_error = $3,
               run_at = now() + exp(least(attempts, 10)) * interval '1 second' WHERE id = $1 AND locked_by = $2`,
      values: [id, this.#name, String((error as Error)?.message ?? error).slice(0, 2000)],
    });
  }
}
