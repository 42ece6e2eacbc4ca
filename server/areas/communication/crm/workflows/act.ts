/**
 * Runs one step of a run when it is due: evaluates the conditions against the present state, acts or skips the action,
 * and records why. The effect, its record and the completion of the job commit together.
 */
import { ACTION_KINDS } from './action-kinds.ts';
import { actLater, ACT_TASK, DOES_NOT_HOLD } from './start-runs.ts';
import { changeOf, dayAt, readFacts } from './facts.ts';
import { decideAll, type Condition, type Verdict } from '../rules/conditions.ts';
import { instant, json, sql } from '../../../../kernel/base/db/sql.ts';
import { Problem } from '../../../../kernel/base/problem.ts';
import type { Job } from '../../../../kernel/work/unit/job.ts';
import type { Outcome } from './action-kind.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

interface Step {
  readonly id: number;
  readonly run: number;
  readonly customer: number;
  readonly due: number;
  readonly trigger: string;
  readonly payload: Record<string, unknown>;
  readonly workflow: number;
  readonly on: boolean;
  readonly action: number;
  readonly name: string | null;
  readonly action_type: string;
  readonly conditions: readonly Condition[];
  readonly settings: Record<string, unknown>;
  readonly gone: boolean;
}

interface Ended {
  readonly status: 'acted' | 'skipped' | 'stopped';
  readonly reason?: string;
  readonly verdicts?: readonly Verdict[];
  readonly effect?: Record<string, unknown>;
}

/** The clock of the queue may be slightly ahead of ours. */
const EARLY_MS = 1000;

export const actJob: Job = { task: ACT_TASK, run: act };

async function act(work: Work, { step: id }: { step: number }): Promise<void> {
  const step = await work.tx.one<Step>(
    sql`SELECT s.id, s.workflow_run_id AS run, r.customer_id AS customer,
      (extract(epoch FROM s.due_at) * 1000)::bigint AS due, r.trigger, r.payload,
               w.id AS workflow, w.is_enabled AS on, a.id AS action, a.name, a.action_type, a.conditions, a.settings,
               a.deleted_at IS NOT NULL OR w.deleted_at IS NOT NULL AS gone
        FROM workflow_step s
          JOIN workflow_run r ON r.provider_id = s.provider_id AND r.id = s.workflow_run_id
          JOIN workflow_action a ON a.provider_id = s.provider_id AND a.id = s.workflow_action_id
          JOIN workflow w ON w.provider_id = r.provider_id AND w.id = r.workflow_id
        WHERE s.provider_id = ${work.providerId} AND s.id = ${id} AND s.status = 'waiting' FOR UPDATE OF s`,
  );
  if (!step) return;
  if (step.due > work.now + EARLY_MS) {
    work.enqueue(actLater(id, step.due));
    return;
  }
  await finish(work, step, await settle(work, step));
}

async function settle(work: Work, step: Step): Promise<Ended> {
  if (step.gone) return { status: 'stopped', reason: 'The workflow or this action was deleted.' };
  if (!step.on) return { status: 'stopped', reason: 'The workflow was switched off.' };
  const known = (await readFacts(work, [step.customer], step.conditions)).get(step.customer);
  if (!known) return { status: 'skipped', reason: 'The customer no longer exists.' };
  const today = dayAt(work, work.now);
  const verdicts = decideAll(step.conditions, { ...known, today, change: changeOf(step.trigger, step.payload) });
  if (verdicts.some((v) => !v.holds)) return { status: 'skipped', reason: DOES_NOT_HOLD, verdicts };
  const outcome = await attempt(work, step, today);
  return 'did' in outcome
    ? { status: 'acted', verdicts, effect: outcome.did }
    : { status: 'skipped', reason: outcome.didNot, verdicts };
}

/** A refusal is a reason to skip the action; after any other error, the queue retries. */
async function attempt(
  work: Work,
  { customer, workflow, action, name, run, id, payload, action_type: type, settings }: Step,
  today: string,
): Promise<Outcome> {
  try {
    return await work.tx.attempt(() =>
      ACTION_KINDS[type].act(work, { customer, workflow, action, name, run, step: id, payload, today }, settings),
    );
  } catch (error) {
    if (error instanceof Problem) return { didNot: error.message };
    throw error;
  }
}

async function finish(work: Work, { id, run }: Step, { status, reason, verdicts = [], effect }: Ended): Promise<void> {
  const { tx, providerId } = work;
  const now = instant(work.now);
  await tx.run(
    sql`UPDATE workflow_step SET status = ${status}, reason = ${reason ?? null}, conditions = ${json(verdicts)},
      effect = ${effect ? json(effect) : null}, finished_at = ${now}
        WHERE provider_id = ${providerId} AND id = ${id}`,
  );
  // If two steps end at the same time, the later one waits here, and sees the end of the earlier one in a separate
  // statement.
  await tx.run(sql`SELECT FROM workflow_run WHERE provider_id = ${providerId} AND id = ${run} FOR NO KEY UPDATE`);
  await tx.run(
    sql`UPDATE workflow_run r SET status = 'done', finished_at = ${now}
      WHERE provider_id = ${providerId} AND id = ${run} AND status = 'waiting'
          AND NOT EXISTS (SELECT FROM workflow_step s
            WHERE s.provider_id = ${providerId} AND s.workflow_run_id = ${run} AND s.status = 'waiting')`,
  );
}
