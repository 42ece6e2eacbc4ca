/**
 * Jobs of a business that is being handed over. While it is closed they are in no queue, because a worker could only
 * put them back.
 */
import type pg from 'pg';
import { AS_BUSINESS, MoveRefused, type End } from './ends.ts';

/** A worker immediately puts back a job that it had begun; the others notice one that has died. */
const FREE_MS = 10_000;
const LOOK_MS = 5;

interface WaitingJob {
  readonly task: string;
  readonly payload: unknown;
  readonly key: string | null;
  readonly run_at: string;
  readonly urgency: string;
}

/** Jobs that have not failed for good. */
const WAITING = `payload->>'provider_id' = $1 AND attempts < max_attempts`;

/**
 * Takes the jobs out of the queue, and stores them with the move.
 * @throws MoveRefused if a worker keeps one for long
 */
export async function takeOut(from: End): Promise<void> {
  const until = performance.now() + FREE_MS;
  // A job that a worker has at this moment comes back under another id.
  while ((await takeOutFree(from)) > 0) {
    if (performance.now() > until)
      throw new MoveRefused(
        'A worker does not let go of a job of the business. The business goes on in its cell. Remedy: run the command again later.',
      );
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** Resolves to the number of remaining jobs. */
const takeOutFree = (from: End): Promise<number> =>
  from.transaction(async (client) => {
    const { business } = from;
    const { rows } = await client.query<WaitingJob & { effect: string }>(
      `WITH taken AS (DELETE FROM graphile_worker._private_jobs WHERE ${WAITING} AND locked_at IS NULL RETURNING *)
       SELECT t.identifier AS task, j.payload, j.key, j.run_at::text, t.identifier || ':' || j.id AS effect,
         CASE j.priority WHEN -1 THEN 'first' WHEN 1 THEN 'last' ELSE 'usual' END AS urgency
       FROM taken j JOIN graphile_worker._private_tasks t ON t.id = j.task_id ORDER BY j.id`,
      [String(business)],
    );
    await client.query(AS_BUSINESS(business));
    // A completed job may still be queued, if its worker died before the queue was updated.
    const done = await client.query<{ key: string }>(
      'SELECT job_key AS key FROM public.job_effect WHERE job_key = ANY ($1)',
      [rows.map(({ effect }) => effect)],
    );
    await client.query('RESET ROLE');
    const known = new Set(done.rows.map(({ key }) => key));
    const jobs: readonly WaitingJob[] = rows.filter(({ effect }) => !known.has(effect));
    await client.query('UPDATE public.cell_move SET jobs = jobs || $2::jsonb WHERE provider_id = $1', [
      business,
      JSON.stringify(jobs),
    ]);
    const left = await client.query(`SELECT count(*)::int AS n FROM graphile_worker._private_jobs WHERE ${WAITING}`, [
      String(business),
    ]);
    return left.rows[0].n;
  });

export async function takenOut({ client, business }: End): Promise<readonly WaitingJob[]> {
  const { rows } = await client.query('SELECT jobs FROM public.cell_move WHERE provider_id = $1', [business]);
  return rows[0]?.jobs ?? [];
}

/** Enqueues the jobs, in the transaction that makes the business live again. */
export async function enqueue(client: pg.ClientBase, jobs: readonly WaitingJob[]): Promise<void> {
  for (const { task, payload, key, run_at: runAt, urgency } of jobs)
    await client.query('SELECT public.enqueue_job($1, $2, $3, $4, $5)', [
      task,
      JSON.stringify(payload),
      key,
      runAt,
      urgency,
    ]);
}

/** Deletes jobs that are no longer retried. */
export async function forgetFailed({ client, business }: End): Promise<void> {
  await client.query(`DELETE FROM graphile_worker._private_jobs WHERE payload->>'provider_id' = $1`, [
    String(business),
  ]);
}
