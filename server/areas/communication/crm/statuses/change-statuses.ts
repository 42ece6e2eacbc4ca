import { changes } from '../../../../kernel/api/resource-changes.ts';
import { remove, staffWith } from '../../../../kernel/api/endpoint.ts';
import { boolean, ref, refs } from '../../../../kernel/base/fields/kinds.ts';
import { changedNames, insertRow, replaceLinks, updateRow } from '../../../../kernel/work/unit/row.ts';
import { color, slug, slugFor } from '../slug-field.ts';
import { customerStatus, fromLink } from './customer-status.ts';
import { customerTriggers } from '../triggers.ts';
import { invalid, Problem } from '../../../../kernel/base/problem.ts';
import { moveAll } from './writes.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { customerStatusFeed } from './feed.ts';
import { checkUnnamed } from '../workflows/names.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

const f = customerStatus.fields;
const who = staffWith('super_admin');

const body = {
  name: f.name,
  color: color().optional(),
  position: f.position.optional().describe('If left out, after all others.'),
  is_default: boolean()
    .optional()
    .describe('Replaces the current default. The first status of a business is the default.'),
  set_on: customerTriggers().optional(),
  set_from: refs('customer_status', { max: 100 }).optional(),
};

interface Values {
  color?: string;
  is_default?: boolean;
  set_on?: readonly string[];
  [column: string]: unknown;
}

const stored = ({ color: c, ...values }: Values) => ({ ...values, color: c?.toLowerCase() });

const customerStatusChanges = changes(customerStatus, {
  path: '/customer_statuses',
  noun: 'customer status',
  who,
  body,
  first: { ...body, slug: slug().optional().describe('If left out, it is made from the name.') },
  create: {
    description: 'Existing customers keep their status; new customers start with the default.',
    problems: ['already_exists'],
    run: async ({ work, body: { set_from, is_default, ...sent } }) => {
      checkRule(sent.set_on);
      await lockStatuses(work);
      const others = await work.tx.one<{ n: number; last: number }>(
        sql`SELECT count(*) AS n, coalesce(max(position), 0) AS last FROM customer_status
          WHERE provider_id = ${work.providerId}`,
      );
      const first = others!.n === 0;
      if (first && is_default === false)
        throw invalid('is_default', 'The first status is the default. Create another one and make that the default.');
      if (is_default && !first) await takeDefault(work);
      const position = sent.position ?? (first ? 0 : others!.last + 1);
      const id = await insertRow(work, 'customer_status', {
        ...stored(sent),
        slug: slugFor(sent.slug, sent.name),
        position,
        is_default: first || is_default,
      });
      if (set_from) await setFrom(work, id, set_from);
      work.record(customerStatusFeed.created, id, { customer_status: id });
      return id;
    },
  },
  update: {
    description: "Its slug can't be changed, because conditions and programs refer to it.",
    run: async ({ work, body: { set_from, is_default, ...sent }, target }) => {
      checkRule(sent.set_on);
      if (is_default === false && target.is_default)
        throw invalid(
          'is_default',
          'Every new customer needs a status to start with. Make another status the default instead.',
        );
      if (is_default && !target.is_default) {
        await lockStatuses(work);
        await takeDefault(work);
      }
      await updateRow(work, 'customer_status', target.id, { ...stored(sent), is_default });
      if (set_from) await setFrom(work, target.id, set_from);
      const changed = changedNames({ ...sent, is_default, set_from });
      if (changed.length > 0)
        work.record(customerStatusFeed.updated, target.id, { customer_status: target.id, changed });
    },
  },
});

const delete_status = remove(customerStatus, {
  path: '/customer_statuses/{id}',
  summary: 'Delete a customer status',
  description:
    'If customers have it, `replacement` names the status that they get, and each change is in the feed. The default can only be deleted last. A status that a workflow or the filter of an unsent broadcast names can’t be deleted: change that first.',
  who,
  query: { replacement: ref('customer_status').optional().describe('The status that its customers get instead.') },
  problems: ['in_use'],
  run: async ({ work, target, query: { replacement } }) => {
    const { tx, providerId } = work;
    await lockStatuses(work);
    await checkUnnamed(work, 'status', { id: target.id, slug: target.slug });
    const others = await tx.rows<{ id: number; slug: string }>(
      sql`SELECT id, slug FROM customer_status WHERE provider_id = ${providerId} AND id <> ${target.id}`,
    );
    if (target.is_default && others.length > 0)
      throw new Problem('in_use', 'New customers start with this status. Make another one the default first.');
    const to = others.find((s) => s.id === replacement);
    if (replacement !== undefined && !to)
      throw invalid('replacement', `There is no other customer status with the id ${replacement}.`);
    if (to) await moveAll(work, { id: target.id, slug: target.slug }, to);
    const left = await tx.one<{ n: number }>(
      sql`SELECT count(*) AS n FROM customer WHERE provider_id = ${providerId} AND status_id = ${target.id}`,
    );
    if (left!.n > 0)
      throw new Problem(
        'in_use',
        `${left!.n} customers have this status. Set replacement to the status that they get instead.`,
      );
    await tx.all([
      sql`DELETE FROM customer_status_from WHERE provider_id = ${providerId}
        AND (customer_status_id = ${target.id} OR from_id = ${target.id})`,
      sql`DELETE FROM customer_status WHERE provider_id = ${providerId} AND id = ${target.id}`,
    ]);
    work.record(customerStatusFeed.deleted, target.id, { customer_status: target.id });
  },
});

/** Locks the definitions of a business, which change one at a time: there is always one default. */
const lockStatuses = (work: Work) => work.tx.run(sql`SELECT pg_advisory_xact_lock(771012, ${work.providerId}::int)`);

async function takeDefault(work: Work): Promise<void> {
  const rows = await work.tx.rows(
    sql`SELECT * FROM customer_status WHERE provider_id = ${work.providerId} AND is_default FOR UPDATE`,
  );
  for (const row of rows) {
    work.touch('customer_status', row.id, row);
    await updateRow(work, 'customer_status', row.id, { is_default: false });
    work.record(customerStatusFeed.updated, row.id, { customer_status: row.id, changed: ['is_default'] });
  }
}

const setFrom = (work: Work, id: number, ids: readonly number[]) =>
  replaceLinks(work, fromLink.table, { column: fromLink.parent, id }, { column: fromLink.child, ids });

/** Refuses a rule that sets a status because a status was set: it would trigger itself. */
function checkRule(kinds: readonly string[] | undefined): void {
  if (kinds?.includes('customer_status.changed'))
    throw invalid('set_on', "A change of status can't trigger another one. Use a workflow.");
}

export const changeStatuses = [...customerStatusChanges, delete_status];
