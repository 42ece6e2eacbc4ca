/**
 * Bulk actions: what was asked is written down at once, a job does it in portions, and each object keeps its own result.
 * A portion and its results commit together, so a crash repeats nothing and loses nothing.
 */
import { bulkActionCreated, bulkActionFinished } from './feed.ts';
import { instant, json, raw, sql } from '../../kernel/db/sql.ts';
import { Problem } from '../../kernel/api/problem.ts';
import type { Job } from '../../kernel/api/registry.ts';
import type { Work } from '../../kernel/work.ts';

const PORTION = 25;

/** What a bulk action does to one object; a thrown `Problem` becomes that object's error. */
export interface BulkKind {
  readonly type: string;
  readonly one: (work: Work, id: number, parameters: any) => Promise<void>;
}

/** Starts a bulk action over these objects, which are at these venues; returns its id. */
export async function startBulkAction(work: Work, kind: BulkKind, ids: readonly number[], parameters: object = {}, venues: readonly number[] = []): Promise<number> {
  const { tx, providerId } = work;
  const jobRow = await tx.one<{ id: number }>(sql`INSERT INTO job (provider_id, total_items, created_at) VALUES (${providerId}, ${ids.length}, ${instant(work.now)}) RETURNING id`);
  const action = await tx.one<{ id: number }>(
    sql`INSERT INTO bulk_action (provider_id, type, job_id, parameters, venue_ids, created_at)
        VALUES (${providerId}, ${kind.type}, ${jobRow!.id}, ${json(parameters)}, ${venues}, ${instant(work.now)}) RETURNING id`,
  );
  work.touch('bulk_action', action!.id, null);
  work.record(bulkActionCreated, action!.id, { bulk_action: action!.id, job: jobRow!.id });
  await tx.run(
    sql`INSERT INTO bulk_action_result (provider_id, bulk_action_id, primary_object)
        SELECT ${providerId}, ${action!.id}, o FROM unnest(${ids}::bigint[]) WITH ORDINALITY u (o, nth) ORDER BY nth`,
  );
  work.enqueue({ task: taskOf(kind), payload: { bulk_action: action!.id }, key: `bulk:${action!.id}` });
  return action!.id;
}

const taskOf = (kind: BulkKind): string => `bulk_${kind.type}`;

/** The job that does a kind of bulk action, a portion at a time. */
export const bulkJob = (kind: BulkKind): Job => ({
  task: taskOf(kind),
  run: async (work, { bulk_action: id }: { bulk_action: number }) => {
    const { tx, providerId } = work;
    const action = await tx.one<{ parameters: unknown; job_id: number }>(sql`SELECT parameters, job_id FROM bulk_action WHERE provider_id = ${providerId} AND id = ${id}`);
    if (!action) return;
    const pending = await tx.rows<{ id: number; primary_object: number }>(
      sql`SELECT id, primary_object FROM bulk_action_result WHERE provider_id = ${providerId} AND bulk_action_id = ${id} AND status = 'pending'
          ORDER BY id LIMIT ${raw(String(PORTION + 1))} FOR UPDATE`,
    );
    // By id, whatever order was asked for: a portion keeps the locks of all its objects, and two actions may share some.
    for (const { id: resultId, primary_object } of pending.slice(0, PORTION).toSorted((a, b) => a.primary_object - b.primary_object)) {
      const error = await outcome(work, kind, primary_object, action.parameters);
      await tx.run(
        sql`UPDATE bulk_action_result SET status = ${error === null ? 'success' : 'error'}, error_message = ${error} WHERE provider_id = ${providerId} AND id = ${resultId}`,
      );
    }
    await tx.run(
      sql`UPDATE job SET complete_items = complete_items + ${Math.min(pending.length, PORTION)} WHERE provider_id = ${providerId} AND id = ${action.job_id}`,
    );
    if (pending.length > 0 && pending.length <= PORTION) work.record(bulkActionFinished, id, { bulk_action: id, job: action.job_id });
    if (pending.length > PORTION) work.enqueue({ task: taskOf(kind), payload: { bulk_action: id }, key: `bulk:${id}` });
  },
});

async function outcome(work: Work, kind: BulkKind, id: number, parameters: unknown): Promise<string | null> {
  try {
    await work.tx.attempt(() => kind.one(work, id, parameters));
    return null;
  } catch (error) {
    if (error instanceof Problem) return error.message;
    throw error;
  }
}
