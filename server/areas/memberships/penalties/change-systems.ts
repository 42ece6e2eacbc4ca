import { changedNames, insertRow, updateRow } from '../../../kernel/work/unit/row.ts';
import { changes } from '../../../kernel/api/resource-changes.ts';
import { filter, staffWith, listAndGet } from '../../../kernel/api/endpoint.ts';
import { id, listOf, oneOf, refs } from '../../../kernel/base/fields/kinds.ts';
import { instant, raw, sql } from '../../../kernel/base/db/sql.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import { membershipPenaltySystem, ruleBody, STATUSES } from './system.ts';
import { minorOf } from '../../../kernel/api/amount.ts';
import { membershipPenaltySystemFeed } from './feed.ts';
import type { AppliesTo } from './rules/sequences.ts';
import type { ValueOf } from '../../../kernel/base/fields/field.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const who = staffWith('super_admin');
const f = membershipPenaltySystem.fields;

const body = {
  name: f.name,
  memberships: refs('membership', { max: 1000 }),
  status: f.status
    .nullable()
    .optional()
    .describe('If left out or null: `active` for a new system, otherwise unchanged.'),
  no_show_rule: ruleBody(),
  late_cancel_rule: ruleBody(),
  late_cancel_or_no_show_rule: ruleBody().describe('Counts both together, regardless of what the other rules count.'),
};

type SystemValues = Partial<ValueOf<typeof body>> & { deferred_charge_days?: number };

const RULES = {
  no_show_rule: 'no_shows',
  late_cancel_rule: 'late_cancels',
  late_cancel_or_no_show_rule: 'late_cancels_or_no_shows',
} as const satisfies Record<string, AppliesTo>;

/** Creates a penalty system and returns its id. */
export async function createSystem(
  work: Work,
  values: SystemValues & { name: string; memberships: number[] },
): Promise<number> {
  const status = values.status ?? 'active';
  const system = await insertRow(work, 'membership_penalty_system', {
    name: values.name,
    status,
    archived_at: status === 'archived' ? instant(work.now) : null,
    deferred_charge_days: values.deferred_charge_days,
  });
  await setMemberships(work, system, values.memberships, status);
  await setRules(work, system, values);
  work.record(membershipPenaltySystemFeed.created, system, { membership_penalty_system: system });
  return system;
}

/** Changes a penalty system. `stored`: its current row, locked. */
async function changeSystem(work: Work, stored: Record<string, any>, values: SystemValues): Promise<void> {
  const status = values.status ?? stored.status;
  const moves = status !== stored.status;
  const archived_at = !moves ? undefined : status === 'archived' ? instant(work.now) : null;
  await updateRow(work, 'membership_penalty_system', stored.id, {
    name: values.name,
    deferred_charge_days: values.deferred_charge_days,
    status: moves ? status : undefined,
    archived_at,
  });
  if (moves && status === 'active') {
    await work.tx.run(
      sql`UPDATE membership_penalty_system_membership SET counts_from = ${instant(work.now)}
        WHERE provider_id = ${work.providerId} AND membership_penalty_system_id = ${stored.id}`,
    );
  }
  if (values.memberships) await setMemberships(work, stored.id, values.memberships, status);
  await setRules(work, stored.id, values);
  const changed = changedNames({ ...values, status: moves ? status : undefined });
  if (moves && status === 'archived')
    work.record(membershipPenaltySystemFeed.archived, stored.id, { membership_penalty_system: stored.id });
  else if (changed.length > 0)
    work.record(membershipPenaltySystemFeed.updated, stored.id, { membership_penalty_system: stored.id, changed });
}

async function setMemberships(work: Work, system: number, ids: readonly number[], status: string): Promise<void> {
  const mine = sql`provider_id = ${work.providerId} AND membership_penalty_system_id = ${system}`;
  const [before] = await work.tx.all([
    sql`SELECT membership_id FROM membership_penalty_system_membership WHERE ${mine}`,
    sql`DELETE FROM membership_penalty_system_membership WHERE ${mine} AND membership_id <> ALL(${ids}::bigint[])`,
    sql`INSERT INTO membership_penalty_system_membership
      (provider_id, membership_penalty_system_id, membership_id, system_status, counts_from)
        SELECT DISTINCT ${work.providerId}::bigint, ${system}::bigint, m, ${status}::text,
          ${instant(work.now)}::timestamptz FROM unnest(${ids}::bigint[]) m
        ON CONFLICT (provider_id, membership_penalty_system_id, membership_id) DO NOTHING`,
  ]);
  work.touchLinks('membership_penalty_system', system, {
    name: 'membership_ids',
    before: before.map((row) => row.membership_id),
    after: ids,
  });
}

interface RuleRow {
  readonly id: number;
  readonly applies_to: AppliesTo;
  readonly max_infractions: number;
  readonly days: number;
}

async function setRules(work: Work, system: number, values: SystemValues): Promise<void> {
  const now = await work.tx.rows<RuleRow>(
    sql`SELECT * FROM membership_penalty_rule
      WHERE provider_id = ${work.providerId} AND membership_penalty_system_id = ${system} AND ended_at IS NULL
      FOR UPDATE`,
  );
  for (const [property, appliesTo] of Object.entries(RULES) as [keyof typeof RULES, AppliesTo][]) {
    if (values[property] !== undefined)
      await setRule(
        work,
        { system, appliesTo, property },
        now.find((rule) => rule.applies_to === appliesTo),
        values[property],
      );
  }
}

/**
 * Sets a rule. If its numbers change, the old rule ends and the count restarts; a new price applies to penalties from
 * now on.
 */
async function setRule(
  work: Work,
  of: { system: number; appliesTo: AppliesTo; property: string },
  stored: RuleRow | undefined,
  value: Exclude<SystemValues['no_show_rule'], undefined>,
): Promise<void> {
  const price = value && minorOf(`${of.property}.price`, value.price, work.tenant.currency);
  if (price === 0) throw invalid(`${of.property}.price`, 'Must be more than 0. To charge nothing, leave the rule out.');
  if (stored) work.touch('membership_penalty_rule', stored.id, stored as never);
  const stays = stored && value && stored.max_infractions === value.max_infractions && stored.days === value.days;
  if (stays) {
    await updateRow(work, 'membership_penalty_rule', stored.id, { price_minor: price });
    return;
  }
  if (stored) await updateRow(work, 'membership_penalty_rule', stored.id, { ended_at: instant(work.now) });
  if (value) {
    await insertRow(work, 'membership_penalty_rule', {
      membership_penalty_system_id: of.system,
      applies_to: of.appliesTo,
      price_minor: price,
      max_infractions: value.max_infractions,
      days: value.days,
    });
  }
}

const find_systems = [
  ...listAndGet(membershipPenaltySystem, {
    path: '/membership_penalty_systems',
    summary: 'List penalty systems',
    get: 'Get a penalty system',
    who,
    filters: {
      memberships: filter(
        listOf(id()),
        (t, wanted) => sql`EXISTS (SELECT FROM membership_penalty_system_membership l
        WHERE l.provider_id = ${raw(t)}.provider_id AND l.membership_penalty_system_id = ${raw(t)}.id
          AND l.membership_id = ANY(${wanted}::bigint[]))`,
      ),
      status: filter(listOf(oneOf(STATUSES)), (t, wanted) => sql`${raw(t)}.status = ANY(${wanted}::text[])`),
    },
  }),
];

const systemChanges = changes(membershipPenaltySystem, {
  path: '/membership_penalty_systems',
  noun: 'penalty system',
  who,
  body: { ...body, deferred_charge_days: f.deferred_charge_days.optional() },
  first: { ...body, deferred_charge_days: f.deferred_charge_days.default(1) },
  problems: ['already_exists'],
  create: {
    description:
      'Applies to people who book with one of its memberships from now on. A membership can have only one active system.',
    run: ({ work, body: values }) => createSystem(work, values),
  },
  update: {
    summary: 'Update or archive a penalty system',
    description:
      'Null removes a rule. If the numbers of a rule change, counting starts again, and earlier infractions are judged by the old numbers. A new price applies to penalties from now on. ' +
      'An archived system counts no more infractions. Pending penalties stay; `void_pending` voids them.',
    run: async ({ work, body: values, target }) => {
      await changeSystem(work, target, values);
    },
  },
});

export const systemEndpoints = [...find_systems, ...systemChanges];
