/** Groups of codes: created by name when codes are put into them, and found by that name. */
import { Field } from '../../../kernel/base/fields/field.ts';
import { discountCodeGroupFeed } from './feed.ts';
import { id, object, text } from '../../../kernel/base/fields/kinds.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

interface NamedGroup {
  readonly id?: number;
  readonly name?: string;
}

const named = object({ id: id().optional(), name: text({ max: 100 }).optional() });

/** Returns the field for a group, given by its id, or by an object with its id or name. */
export const groupChoice = (): Field<NamedGroup> =>
  new Field<NamedGroup>({
    schema: { ...named.spec.schema, type: ['object', 'integer'] },
    read: (input, path, reading) =>
      typeof input === 'number' || typeof input === 'string'
        ? { id: id().spec.read(input, path, reading) }
        : named.spec.read(input, path, reading),
  });

/** Returns the id of an existing group. Refuses an unknown one, under the property's name. */
export async function findGroup(work: Work, { id: wanted, name }: NamedGroup): Promise<number> {
  if (wanted === undefined && name === undefined) throw invalid('group', 'Send the id or the name of a group.');
  const which = wanted === undefined ? sql`lower(name) = lower(${name})` : sql`id = ${wanted}`;
  const found = await work.tx.one<{ id: number }>(
    sql`SELECT id FROM discount_code_group WHERE provider_id = ${work.providerId} AND ${which}`,
  );
  if (!found)
    throw invalid('group', `There is no group with the ${wanted === undefined ? 'name' : 'id'} ${wanted ?? name}.`);
  return found.id;
}

/** Returns the id of a group; an unknown name creates a new group. */
export async function groupFor(work: Work, group: NamedGroup): Promise<number> {
  if (group.id !== undefined || group.name === undefined) return findGroup(work, group);
  // If two requests name a new group at the same time, the second waits for the first and finds its group.
  const made = await work.tx.one<{ id: number }>(sql`
    INSERT INTO discount_code_group (provider_id, name, created_at, updated_at)
    VALUES (${work.providerId}, ${group.name}, ${instant(work.now)}, ${instant(work.now)})
    ON CONFLICT (provider_id, lower(name)) DO NOTHING RETURNING id`);
  if (!made) return findGroup(work, group);
  work.touch('discount_code_group', made.id, null);
  work.record(discountCodeGroupFeed.created, made.id, { discount_code_group: made.id });
  return made.id;
}
