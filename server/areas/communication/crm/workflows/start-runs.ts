/**
 * Converts feed items to runs: one for each workflow that the item triggers, with a step for each of its actions and a
 * job for when it is due. Written in the transaction that moves the reader on, so that each item does it once; a unique
 * key guarantees the same.
 */
import { changeOf } from './facts.ts';
import { customerOf } from '../rules/trigger.ts';
import { decide, isOfTrigger, type Condition, type Facts } from '../rules/conditions.ts';
import { dueAt, NO_DELAY, parseDelay } from '../rules/delay.ts';
import { instant, json, sql } from '../../../../kernel/base/db/sql.ts';
import { refuseRun } from '../rules/chain.ts';
import { whoIs } from '../../../people/customers/index.ts';
import { isImported, type FeedItem } from '../../../../kernel/work/feed/items.ts';
import type { FeedReader } from '../../../../kernel/work/unit/feed-reader.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

export const ACT_TASK = 'act_for_workflow';

interface Workflow {
  readonly id: number;
  readonly trigger: string;
  readonly enabled: number;
}

interface Action {
  readonly id: number;
  readonly workflow_id: number;
  readonly conditions: readonly Condition[];
  readonly scheduled_delay: string | null;
}

interface Started {
  readonly item: FeedItem;
  readonly workflow: number;
  readonly customer: number;
  readonly cause: number | null;
  readonly depth: number;
  /** null: it continues */
  readonly refused: string | null;
}

const DAY = 86_400_000;

export const workflowReader: FeedReader = { name: 'workflows', kinds: null, read: startRuns };

async function startRuns(work: Work, items: readonly FeedItem[]): Promise<void> {
  const about = items.filter((item) => customerOf(item) !== null && !isImported(item));
  const workflows = about.length === 0 ? [] : await listening(work, [...new Set(about.map((item) => item.kind))]);
  if (workflows.length === 0) return;
  const met = about.flatMap((item) =>
    workflows
      .filter((w) => w.trigger === item.kind && w.enabled <= item.occurredAt)
      .map((w) => ({ item, workflow: w.id, customer: customerOf(item)! })),
  );
  const present = await whoIs(
    work,
    met.map((m) => m.customer),
  );
  const meetings = met.flatMap((m) => (present.has(m.customer) ? [{ ...m, customer: present.get(m.customer)! }] : []));
  if (meetings.length === 0) return;
  await write(work, await admit(work, meetings));
}

const listening = async (work: Work, kinds: readonly string[]): Promise<Workflow[]> =>
  work.tx.rows<Workflow>(
    sql`SELECT id, trigger, (extract(epoch FROM enabled_at) * 1000)::bigint AS enabled FROM workflow
        WHERE provider_id = ${work.providerId} AND deleted_at IS NULL AND is_enabled AND trigger = ANY(${kinds}::text[])
        ORDER BY id`,
  );

interface Meeting {
  readonly item: FeedItem;
  readonly workflow: number;
  readonly customer: number;
}

/** Decides for each run if it may begin, by its cause and the number of recent runs. */
async function admit(work: Work, meetings: readonly Meeting[]): Promise<Started[]> {
  const chains = await chainsOf(
    work,
    meetings.flatMap(({ item }) => causeOf(item) ?? []),
  );
  const lately = await ranLately(work, meetings);
  return meetings.map(({ item, workflow, customer }) => {
    const cause = causeOf(item);
    const chain = cause === null ? [] : (chains.get(cause) ?? []);
    const key = `${workflow}:${customer}`;
    const runsToday = lately.get(key) ?? 0;
    const refused = refuseRun({ workflow, chain, runsToday });
    if (refused === null) lately.set(key, runsToday + 1);
    return { item, workflow, customer, cause: chain.length > 0 ? cause : null, depth: chain.length, refused };
  });
}

/** Returns the run that caused the item. */
function causeOf({ payload }: FeedItem): number | null {
  return typeof payload.workflow_run === 'number' ? payload.workflow_run : null;
}

/** Returns, by run, its workflow and those of the preceding runs, the nearest first. */
async function chainsOf(work: Work, runs: readonly number[]): Promise<Map<number, number[]>> {
  if (runs.length === 0) return new Map();
  const rows = await work.tx.rows<{ id: number; chain: number[] }>(sql`
    WITH RECURSIVE behind AS (
      SELECT id AS begun, workflow_id, caused_by_id, 0 AS step FROM workflow_run
      WHERE provider_id = ${work.providerId} AND id = ANY(${[...new Set(runs)]}::bigint[])
      UNION ALL
      SELECT b.begun, r.workflow_id, r.caused_by_id, b.step + 1 FROM behind b
      JOIN workflow_run r ON r.provider_id = ${work.providerId} AND r.id = b.caused_by_id
    )
    SELECT begun AS id, jsonb_agg(workflow_id ORDER BY step) AS chain FROM behind GROUP BY begun`);
  return new Map(rows.map((r) => [r.id, r.chain]));
}

async function ranLately(work: Work, meetings: readonly Meeting[]): Promise<Map<string, number>> {
  const rows = await work.tx.rows<{ workflow_id: number; customer_id: number; n: number }>(
    sql`SELECT workflow_id, customer_id, count(*) AS n FROM workflow_run
        WHERE provider_id = ${work.providerId}
          AND workflow_id = ANY(${[...new Set(meetings.map((m) => m.workflow))]}::bigint[])
          AND customer_id = ANY(${[...new Set(meetings.map((m) => m.customer))]}::bigint[])
          AND created_at > ${instant(work.now - DAY)} AND status <> 'stopped'
        GROUP BY 1, 2`,
  );
  return new Map(rows.map((r) => [`${r.workflow_id}:${r.customer_id}`, r.n]));
}

async function write(work: Work, started: readonly Started[]): Promise<void> {
  const { tx, providerId } = work;
  const actions = await tx.rows<Action>(
    sql`SELECT id, workflow_id, conditions, scheduled_delay FROM workflow_action
        WHERE provider_id = ${providerId}
          AND workflow_id = ANY(${[...new Set(started.map((s) => s.workflow))]}::bigint[]) AND deleted_at IS NULL
        ORDER BY id`,
  );
  const plans = started.map((s) => ({
    ...s,
    steps:
      s.refused === null ? actions.filter((a) => a.workflow_id === s.workflow).map((a) => plan(work, s.item, a)) : [],
  }));
  const runs = await insertRuns(work, plans);
  const steps = plans.flatMap((p) => {
    const run = runs.get(`${p.workflow}:${p.item.seq}`);
    return run === undefined ? [] : p.steps.map((step) => ({ ...step, run }));
  });
  if (steps.length === 0) return;
  const now = instant(work.now);
  const made = await tx.rows<{ id: number; due: number; status: string }>(
    sql`
      INSERT INTO workflow_step (provider_id, workflow_run_id, workflow_action_id, due_at, status, reason, conditions,
        finished_at)
        SELECT ${providerId}::bigint, run, action, due, CASE WHEN reason IS NULL THEN 'waiting' ELSE 'skipped' END,
          reason, verdicts, CASE WHEN reason IS NOT NULL THEN ${now}::timestamptz END
        FROM unnest(${steps.map((s) => s.run)}::bigint[], ${steps.map((s) => s.action)}::bigint[],
          ${steps.map((s) => instant(s.due))}::timestamptz[],
                    ${steps.map((s) => s.reason)}::text[], ${steps.map((s) => json(s.verdicts))}::jsonb[]) AS s
                    (run, action, due, reason, verdicts)
        RETURNING id, (extract(epoch FROM due_at) * 1000)::bigint AS due, status`,
  );
  for (const { id, due, status } of made) if (status === 'waiting') work.enqueue(actLater(id, due));
}

/** Returns the job of a step, for when it is due. */
export const actLater = (step: number, at: number) => ({
  task: ACT_TASK,
  payload: { step },
  key: `workflow_step:${step}`,
  runAt: at,
});

interface Step {
  readonly action: number;
  readonly due: number;
  /** reason why it will never act; null: decided when it is due */
  readonly reason: string | null;
  readonly verdicts: readonly unknown[];
}

const NOTHING_KNOWN: Omit<Facts, 'change'> = {
  today: '2000-01-01',
  enteredOn: '2000-01-01',
  labels: [],
  status: null,
  visitDays: [],
  upcomingBooking: false,
  birth: null,
  venue: null,
  answers: new Map(),
  memberships: [],
};

export const DOES_NOT_HOLD = 'A condition is not met.';

function plan(work: Work, item: FeedItem, action: Action): Step {
  const delay = action.scheduled_delay === null ? NO_DELAY : parseDelay(action.scheduled_delay)!;
  const facts = { ...NOTHING_KNOWN, change: changeOf(item.kind, item.payload) };
  const settled = action.conditions.filter(isOfTrigger).map((condition) => decide(condition, facts));
  const never = settled.filter((verdict) => !verdict.holds);
  return {
    action: action.id,
    due: dueAt(item.occurredAt, delay, work.tenant.zone),
    reason: never.length > 0 ? DOES_NOT_HOLD : null,
    verdicts: never,
  };
}

interface Plan extends Started {
  readonly steps: readonly Step[];
}

const stateOf = ({ refused, steps }: Plan): string =>
  refused !== null ? 'stopped' : steps.some((s) => s.reason === null) ? 'waiting' : 'done';

/** Inserts runs and returns their ids by workflow and number of the item, without those that were already recorded. */
async function insertRuns(work: Work, plans: readonly Plan[]): Promise<Map<string, number>> {
  const now = instant(work.now);
  const made = await work.tx.rows<{ id: number; workflow_id: number; feed_item: number }>(
    sql`
      INSERT INTO workflow_run (provider_id, workflow_id, customer_id, feed_item, trigger, payload, triggered_at,
        status, reason, caused_by_id, depth, created_at, finished_at)
        SELECT ${work.providerId}::bigint, r.workflow, r.customer, r.item, r.kind, r.payload, r.at, r.state, r.reason,
          r.cause, r.depth, ${now}::timestamptz,
               CASE WHEN r.state <> 'waiting' THEN ${now}::timestamptz END
        FROM unnest(${plans.map((p) => p.workflow)}::bigint[], ${plans.map((p) => p.customer)}::bigint[],
          ${plans.map((p) => p.item.seq)}::bigint[], ${plans.map((p) => p.item.kind)}::text[],
                    ${plans.map((p) => json(p.item.payload))}::jsonb[],
                    ${plans.map((p) => instant(p.item.occurredAt))}::timestamptz[], ${plans.map(stateOf)}::text[],
                    ${plans.map((p) => p.refused)}::text[], ${plans.map((p) => p.cause)}::bigint[],
                    ${plans.map((p) => p.depth)}::int[])
             WITH ORDINALITY AS r (workflow, customer, item, kind, payload, at, state, reason, cause, depth, nth)
        ORDER BY r.nth
        ON CONFLICT ON CONSTRAINT workflow_run_once DO NOTHING
        RETURNING id, workflow_id, feed_item`,
  );
  return new Map(made.map((r) => [`${r.workflow_id}:${r.feed_item}`, r.id]));
}
