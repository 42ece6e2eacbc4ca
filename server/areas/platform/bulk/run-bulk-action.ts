/**
 * Bulk actions: the request is recorded immediately, a job processes it in batches, and each object has its own result.
 * A batch and its results commit together, so a crash repeats nothing and loses nothing.
 */
import { bulkActionFeed } from './feed.ts';
import { instant, json, raw, sql } from '../../../kernel/base/db/sql.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import type { Job } from '../../../kernel/work/unit/job.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Batch sizes for actions that process objects one after another, and for those that process many in one call. */
const PORTION = { one: 25, many: 500 } as const;

type Act =
  | {
      /** processes one object; a thrown `Problem` becomes its error, and its writes are rolled back */
      readonly one: (work: Work, id: number, parameters: any) => Promise<void>;
    }
  | {
      /** processes these objects, given by id, in few statements; returns the objections to those that it skips */
      readonly many: (work: Work, ids: readonly number[], parameters: any) => Promise<ReadonlyMap<number, string>>;
    };

export type BulkKind = {
  readonly type: string;
  /** batch size for a kind that needs many locks for each object */
  readonly portion?: number;
} & Act;

/** Starts a bulk action on these objects, which are at these venues. Returns its id. */
export async function startBulkAction(
  work: Work,
  kind: BulkKind,
  ids: readonly number[],
  parameters: object = {},
  venues: readonly number[] = [],
): Promise<number> {
  const { tx, providerId } = work;
  const jobRow = await tx.one<{ id: number }>(
    sql`INSERT INTO job (provider_id, total_items, created_at)
      VALUES (${providerId}, ${ids.length}, ${instant(work.now)}) RETURNING id`,
  );
  const action = await tx.one<{ id: number }>(
    sql`INSERT INTO bulk_action (provider_id, type, job_id, parameters, venue_ids, created_at)
        VALUES (${providerId}, ${kind.type}, ${jobRow!.id}, ${json(parameters)}, ${venues}, ${instant(work.now)})
        RETURNING id`,
  );
  work.touch('bulk_action', action!.id, null);
  work.record(bulkActionFeed.created, action!.id, { bulk_action: action!.id, job: jobRow!.id });
  await tx.run(
    sql`INSERT INTO bulk_action_result (provider_id, bulk_action_id, primary_object)
        SELECT ${providerId}, ${action!.id}, o FROM unnest(${ids}::bigint[]) WITH ORDINALITY u (o, nth) ORDER BY nth`,
  );
  work.enqueue({ task: taskOf(kind), payload: { bulk_action: action!.id }, key: `bulk:${action!.id}` });
  return action!.id;
}

const taskOf = (kind: BulkKind): string => `bulk_${kind.type}`;

/** Returns the job that runs a kind of bulk action, one batch at a time. */
export const bulkJob = (kind: BulkKind): Job => ({
  task: taskOf(kind),
  run: async (work, { bulk_action: id }: { bulk_action: number }) => {
    const { tx, providerId } = work;
    const action = await tx.one<{ parameters: unknown; job_id: number }>(
      sql`SELECT parameters, job_id FROM bulk_action WHERE provider_id = ${providerId} AND id = ${id}`,
    );
    if (!action) return;
    const most = kind.portion ?? ('many' in kind ? PORTION.many : PORTION.one);
    const found = await tx.rows<{ id: number; primary_object: number }>(
      sql`SELECT id, primary_object FROM bulk_action_result
        WHERE provider_id = ${providerId} AND bulk_action_id = ${id} AND status = 'pending'
          ORDER BY id LIMIT ${raw(String(most + 1))} FOR UPDATE`,
    );
    if (found.length === 0) return;
    // In the order of ids, whatever order was requested: a batch keeps the locks of all its objects, and two actions
    // may share some.
    const portion = found.slice(0, most).toSorted((a, b) => a.primary_object - b.primary_object);
    const errors = await refusals(
      work,
      kind,
      portion.map((result) => result.primary_object),
      action.parameters,
    );
    const messages = portion.map((result) => errors.get(result.primary_object) ?? null);
    await tx.run(
      sql`UPDATE bulk_action_result r SET status = CASE WHEN x.message IS NULL THEN 'success' ELSE 'error' END,
        error_message = x.message
          FROM unnest(${portion.map((result) => result.id)}::bigint[], ${messages}::text[]) x (id, message)
          WHERE r.provider_id = ${providerId} AND r.id = x.id`,
    );
    await tx.run(
      sql`UPDATE job SET complete_items = complete_items + ${portion.length}
        WHERE provider_id = ${providerId} AND id = ${action.job_id}`,
    );
    if (found.length > most) work.enqueue({ task: taskOf(kind), payload: { bulk_action: id }, key: `bulk:${id}` });
    else work.record(bulkActionFeed.finished, id, { bulk_action: id, job: action.job_id });
  },
});

/** Returns the objection to each object that was skipped. */
async function refusals(
  work: Work,
  kind: BulkKind,
  ids: readonly number[],
  parameters: unknown,
): Promise<ReadonlyMap<number, string>> {
  if ('many' in kind) return kind.many(work, ids, parameters);
  const errors = new Map<number, string>();
  for (const id of ids) {
    try {
      await work.tx.attempt(() => kind.one(work, id, parameters));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      errors.set(id, error.message);
    }
  }
  return errors;
}
