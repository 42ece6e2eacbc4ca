import { action, answer, staffWith } from '../../../../kernel/api/endpoint.ts';
import {
  boolean,
  id,
  instant as moment,
  integer,
  listOf,
  map,
  object,
  oneOf,
  text,
} from '../../../../kernel/base/fields/kinds.ts';
import { changeOf, dayAt, readFacts, type Known } from './facts.ts';
import { customerOf } from '../rules/trigger.ts';
import { decideAll, IS_OF_TODAY, type Condition } from '../rules/conditions.ts';
import { dueAt, NO_DELAY, parseDelay } from '../rules/delay.ts';
import { formatInstant } from '../../../../kernel/base/values/zone.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { invalid } from '../../../../kernel/base/problem.ts';
import { workflow } from './workflow.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

const MAX_ITEMS = 1000;
const MAX_DAYS = 366;
const DAY = 86_400_000;

const WOULD = ['act', 'skip', 'not_yet'] as const;

const would = object({
  workflow_action: id(),
  action_type: text(),
  due_at: moment(),
  would: oneOf(WOULD).describe('`not_yet`: it would still be pending.'),
  conditions: listOf(map()).describe(
    'Each condition with its result, the facts that it used, and `as_of`: `then` or `today`.',
  ),
});

const shape = {
  items: integer({ min: 0 }).describe('Feed items of the period that would have triggered it.'),
  is_complete: boolean().describe(`False if there were more than ${MAX_ITEMS}. Only the first of them are returned.`),
  would_act: integer({ min: 0 }),
  would_skip: integer({ min: 0 }),
  facts_of_today: listOf(text()).describe(
    "Types of conditions in use that are checked against today's facts, because past facts are not kept.",
  ),
  runs: listOf(object({ feed_item: id(), customer: id(), triggered_at: moment(), actions: listOf(would) })),
};

interface Item {
  readonly seq: number;
  readonly payload: Record<string, unknown>;
  readonly at: number;
}

interface Action {
  readonly id: number;
  readonly action_type: string;
  readonly conditions: readonly Condition[];
  readonly scheduled_delay: string | null;
}

export const simulate = action({
  path: '/crm/workflows/{id}/simulate',
  summary: 'Simulate a workflow over a past period',
  description:
    'Uses the workflow as it is now, whether it is on or off, and looks at each item separately: further effects of its actions are not simulated. Changes nothing.',
  who: staffWith('super_admin'),
  target: workflow,
  body: { from: moment(), to: moment().describe('At most 366 days after `from`. The part in the future is empty.') },
  returns: answer(shape),
  silent: 'it shows what would have been done, and does nothing',
  run: async ({ work, body: { from, to }, target }) => {
    if (to < from) throw invalid('to', 'Must not be before from.');
    if (to - from > MAX_DAYS * DAY) throw invalid('to', `Must be at most ${MAX_DAYS} days after from.`);
    const { tx, providerId } = work;
    const [found, actions] = (await tx.all([
      sql`SELECT f.seq, f.payload, (extract(epoch FROM f.occurred_at) * 1000)::bigint AS at FROM feed_item f
          WHERE f.provider_id = ${providerId} AND f.kind = ${target.trigger} AND f.occurred_at >= ${instant(from)}
            AND f.occurred_at <= ${instant(to)} AND f.seq IS NOT NULL AND NOT f.payload ? 'import'
          ORDER BY f.seq LIMIT ${MAX_ITEMS + 1}`,
      sql`SELECT id, action_type, conditions, scheduled_delay FROM workflow_action
        WHERE provider_id = ${providerId} AND workflow_id = ${target.id} AND deleted_at IS NULL ORDER BY id`,
    ])) as unknown as [Item[], Action[]];
    const items = found.slice(0, MAX_ITEMS);
    const known = await readFacts(
      work,
      [...new Set(items.flatMap((item) => customerOf({ kind: target.trigger, ...item }) ?? []))],
      actions.flatMap((action) => action.conditions),
    );
    const runs = items.flatMap((item) => {
      const customer = customerOf({ kind: target.trigger, ...item });
      const facts = customer === null ? undefined : known.get(customer);
      return facts
        ? [
            {
              feed_item: item.seq,
              customer: customer!,
              triggered_at: formatInstant(item.at, work.tenant.zone),
              actions: actions.map((a) => simulated(work, target.trigger, item, a, facts)),
            },
          ]
        : [];
    });
    const all = runs.flatMap((run) => run.actions);
    const types = new Set(actions.flatMap((a) => a.conditions.map((c) => c.condition_type)));
    return {
      items: items.length,
      is_complete: found.length <= MAX_ITEMS,
      would_act: all.filter((a) => a.would === 'act').length,
      would_skip: all.filter((a) => a.would === 'skip').length,
      facts_of_today: [...types].filter((type) => IS_OF_TODAY.has(type)).toSorted(),
      runs,
    };
  },
});

function simulated(
  work: Work,
  trigger: string,
  item: Item,
  { id: actionId, action_type, conditions, scheduled_delay }: Action,
  known: Known,
) {
  const due = dueAt(item.at, scheduled_delay === null ? NO_DELAY : parseDelay(scheduled_delay)!, work.tenant.zone);
  const verdicts = decideAll(conditions, {
    ...known,
    today: dayAt(work, due),
    change: changeOf(trigger, item.payload),
  });
  return {
    workflow_action: actionId,
    action_type,
    due_at: formatInstant(due, work.tenant.zone),
    would:
      due > work.now ? ('not_yet' as const) : verdicts.every((v) => v.holds) ? ('act' as const) : ('skip' as const),
    conditions: verdicts.map((v) => ({ ...v, as_of: IS_OF_TODAY.has(v.condition.condition_type) ? 'today' : 'then' })),
  };
}
