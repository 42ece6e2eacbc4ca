/** Enqueues a job for each business that needs one, in one statement, however many there are. */
import { json, sql, type Sql } from '../../base/db/sql.ts';
import { wallAt } from '../../base/values/zone.ts';
import type { Transaction } from '../../base/db/database.ts';

interface QueuedJob {
  readonly task: string;
  /** including the business, as `provider_id` */
  readonly payload: object;
  /** null: a new key each time */
  readonly key: string | null;
  /** epoch ms */
  readonly runAt: number;
  readonly urgency?: 'first' | 'usual' | 'last';
}

/** Returns SQL that enqueues the jobs in order; there must be at least one. */
export function enqueueing(jobs: readonly QueuedJob[]): Sql {
  const when = ({ runAt }: QueuedJob) => new Date(runAt).toISOString();
  const urgency = (job: QueuedJob) => job.urgency ?? 'usual';
  const [job] = jobs;
  if (jobs.length === 1)
    return sql`SELECT enqueue_job(${job.task}, ${json(job.payload)}, ${job.key}, ${when(job)}, ${urgency(job)})`;
  return sql`SELECT enqueue_job(task, payload, key, run_at, urgency)
    FROM unnest(${jobs.map(({ task }) => task)}::text[], ${jobs.map(({ payload }) => json(payload))}::json[],
      ${jobs.map(({ key }) => key)}::text[],
      ${jobs.map(when)}::timestamptz[], ${jobs.map(urgency)}::text[]) WITH ORDINALITY
      AS job (task, payload, key, run_at, urgency, nth) ORDER BY nth`;
}

/** A business with its local date. */
export interface OnDay {
  readonly id: number;
  /** local date */
  readonly today: string;
  /** local time, `HH:MM:SS` */
  readonly time: string;
}

/** Returns each business with its local date. There are many more businesses than time zones. */
export function onTheirDays<B extends { readonly id: number; readonly zone: string }>(
  businesses: readonly B[],
  now: number,
): (B & OnDay)[] {
  const walls = new Map<string, { date: string; time: string }>();
  return businesses.map((business) => {
    const { zone } = business;
    const { date, time } = walls.get(zone) ?? wallAt(now, zone);
    walls.set(zone, { date, time });
    return { ...business, today: date, time };
  });
}

interface Sweep<B> {
  readonly task: string;
  readonly now: number;
  /** `last`: nobody waits for it */
  readonly urgency?: 'last';
  /** key of a business's job: a job that already waits isn't enqueued again */
  readonly key: (business: B) => string;
  readonly payload?: (business: B) => object;
}

/** Enqueues a job for each of these businesses. */
export async function queueForEach<B extends { readonly id: number }>(
  tx: Transaction,
  { task, now, urgency, key, payload }: Sweep<B>,
  businesses: readonly B[],
): Promise<void> {
  if (businesses.length === 0) return;
  const jobs = businesses.map((business): QueuedJob => ({
    task,
    payload: { provider_id: business.id, ...payload?.(business) },
    key: `${business.id}:${key(business)}`,
    runAt: now,
    urgency,
  }));
  await tx.run(enqueueing(jobs));
}

/** Enqueues a job for each, at most once on each local day of a business, however often it is called. */
export async function queueOnceADay<B extends OnDay>(
  tx: Transaction,
  sweep: Sweep<B>,
  businesses: readonly B[],
): Promise<void> {
  if (businesses.length === 0) return;
  const days = businesses.map(({ today }) => today);
  const marked = await tx.rows<{ id: number }>(sql`
    INSERT INTO job_effect (provider_id, job_key)
    SELECT b.id, ${`${sweep.task}:`} || b.today
    FROM unnest(${businesses.map(({ id }) => id)}::bigint[], ${days}::text[]) AS b (id, today)
    ORDER BY b.id ON CONFLICT DO NOTHING RETURNING provider_id AS id`);
  const first = new Set(marked.map(({ id }) => id));
  const wanted = businesses.filter(({ id }) => first.has(id));
  await queueForEach(tx, sweep, wanted);
}
