/**
 * Objects that actions and conditions name: looked up when they are saved, and protected from deletion while one names
 * them.
 */
import { invalid, Problem } from '../../../../kernel/base/problem.ts';
import { json, raw, sql } from '../../../../kernel/base/db/sql.ts';
import type { Condition } from '../rules/conditions.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

interface Named {
  readonly id: number;
  readonly slug: string;
}

/**
 * Finds an object by slug, else by id, else by name. Locks it, so that it can't be deleted until this transaction ends.
 */
async function find(
  work: Work,
  table: 'customer_label' | 'customer_status',
  text: string,
  property: string,
): Promise<Named> {
  const row = await work.tx.one<Named>(
    sql`SELECT id, slug FROM ${raw(table)} WHERE provider_id = ${work.providerId}
      AND (slug = ${text} OR id::text = ${text} OR lower(name) = lower(${text}))
        ORDER BY slug = ${text} DESC, id::text = ${text} DESC, id LIMIT 1 FOR KEY SHARE`,
  );
  if (!row) throw invalid(property, `There is no ${table.replace('_', ' ')} called "${text}".`);
  return row;
}

export const findLabel = (work: Work, text: string, property: string): Promise<Named> =>
  find(work, 'customer_label', text, property);
export const findStatus = (work: Work, text: string, property: string): Promise<Named> =>
  find(work, 'customer_status', text, property);

export async function findStaff(work: Work, id: number): Promise<{ id: number }> {
  const row = await work.tx.one<{ id: number }>(
    sql`SELECT id FROM staff WHERE provider_id = ${work.providerId} AND id = ${id} AND NOT archived`,
  );
  if (!row) throw invalid('staff', `There is no active staff member with the id ${id}.`);
  return row;
}

/** Returns the conditions with slugs for all named objects. */
export async function settleConditions(
  work: Work,
  conditions: readonly Condition[],
  trigger: string,
): Promise<Condition[]> {
  const settled: Condition[] = [];
  for (const [i, condition] of conditions.entries())
    settled.push(await settle(work, condition, `conditions.${i}`, trigger));
  return settled;
}

async function settle(work: Work, condition: Condition, at: string, trigger: string): Promise<Condition> {
  const status = async (text: string | null | undefined, property: string) =>
    typeof text === 'string' ? (await findStatus(work, text, `${at}.${property}`)).slug : text;
  switch (condition.condition_type) {
    case 'customer_label':
      return { ...condition, label: (await findLabel(work, condition.label, `${at}.label`)).slug };
    case 'customer_status':
      return { ...condition, status: (await status(condition.status, 'status'))! };
    case 'crm_status_change': {
      if (trigger !== 'customer_status.changed')
        throw invalid(
          `${at}.condition_type`,
          `The trigger ${trigger} does not include a change of status. Use customer_status instead.`,
        );
      const { from, to } = condition;
      if (from === undefined && to === undefined) throw invalid(at, 'Send from, to or both.');
      return {
        condition_type: 'crm_status_change',
        ...(from !== undefined && { from: await status(from, 'from') }),
        ...(to !== undefined && { to: await status(to, 'to') }),
      } as Condition;
    }
    case 'venue': {
      const row = await work.tx.one(
        sql`SELECT id FROM venue WHERE provider_id = ${work.providerId} AND id = ${condition.venue}`,
      );
      if (!row) throw invalid(`${at}.venue`, `There is no venue with the id ${condition.venue}.`);
      return condition;
    }
    case 'customer_field': {
      const row = await work.tx.one<{ type: string; choices: string[] }>(
        sql`SELECT f.type, ARRAY(SELECT c.value FROM customer_field_choice c WHERE c.provider_id = f.provider_id
            AND c.customer_field_id = f.id ORDER BY c.position, c.id) AS choices
          FROM customer_field f WHERE f.provider_id = ${work.providerId} AND f.id = ${condition.field}`,
      );
      if (!row) throw invalid(`${at}.field`, `There is no customer field with the id ${condition.field}.`);
      const possible = row.type === 'boolean' ? ['yes', 'no'] : row.choices;
      const { value } = condition;
      if (value !== null && possible.length > 0 && !possible.some((one) => one.toLowerCase() === value.toLowerCase()))
        throw invalid(`${at}.value`, `Must be one of: ${possible.join(', ')}.`);
      return condition;
    }
    default:
      return condition;
  }
}

/** Counts the actions whose conditions ask about a question. */
export const conditionsAbout = async ({ tx, providerId }: Work, field: number): Promise<number> =>
  (await tx.one<{ n: number }>(
    sql`SELECT count(*)::int AS n FROM workflow_action WHERE provider_id = ${providerId} AND deleted_at IS NULL
      AND conditions @> ${json([{ condition_type: 'customer_field', field }])}::jsonb`,
  ))!.n;

const NAMED_BY = {
  label: { conditions: ['label'], settings: ['label'] },
  status: { conditions: ['status', 'from', 'to'], settings: ['status'] },
};

/** Refuses to delete an object that an action of a workflow, or the filter of an unsent message, names. */
export async function checkUnnamed(work: Work, what: 'label' | 'status', { id, slug }: Named): Promise<void> {
  const n = await work.registry.countUses(`customer_${what}`, work, id);
  if (n > 0)
    throw new Problem(
      'in_use',
      `${n === 1 ? 'The filter of one unsent broadcast uses it' : `The filters of ${n} unsent broadcasts use it`}. Change, cancel or delete ${n === 1 ? 'it' : 'them'} first.`,
    );
  const names = [
    ...NAMED_BY[what].conditions.map((name) => sql`a.conditions @> ${json([{ [name]: slug }])}::jsonb`),
    ...NAMED_BY[what].settings.map((name) => sql`a.settings @> ${json({ [name]: slug })}::jsonb`),
  ].reduce((a, b) => sql`${a} OR ${b}`);
  const users = await work.tx.rows<{ id: number; workflow_id: number }>(
    sql`SELECT a.id, a.workflow_id FROM workflow_action a
      WHERE a.provider_id = ${work.providerId} AND a.deleted_at IS NULL AND (${names}) ORDER BY a.id LIMIT 10`,
  );
  if (users.length === 0) return;
  const list = users.map((a) => `${a.id} of workflow ${a.workflow_id}`).join(', ');
  throw new Problem('in_use', `These workflow actions use it: ${list}. Change or delete them first.`);
}
