/** Deletion of a test business with everything in it: the demo, or a business that was only tried out. */
import { action, answer, staffWith } from '../../../kernel/api/endpoint.ts';
import { CLOCK_PROBLEMS, lockBusiness, readSettled } from '../../platform/providers/index.ts';
import { deleteAccountsOf } from '../../people/identity/index.ts';
import { countRows, discardBusiness, type Counted } from '../../../kernel/base/db/discard.ts';
import { forgetImageFiles } from '../../platform/images/index.ts';
import { id, integer, listOf, object, text } from '../../../kernel/base/fields/kinds.ts';
import { invalid, notFound } from '../../../kernel/base/problem.ts';
import { json, sql } from '../../../kernel/base/db/sql.ts';
import { keepOutBackground } from '../../../kernel/work/jobs/background-lock.ts';
import { pathId } from '../../../kernel/api/requests/input.ts';
import type { Job } from '../../../kernel/work/unit/job.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const TASK = 'discard_business';

/** Counts the objects by their names in the interface; a table that several resources show counts once. */
function countsOf({ tx, providerId, registry }: Work): Promise<Counted[]> {
  const kinds = [...registry.resources.values()].filter(
    ({ name, table }, _, all) => name === table || !all.some((other) => other.name === table),
  );
  const names = new Map(kinds.map(({ name, table }) => [table, name]));
  return countRows(tx, providerId, names);
}

export const discard = action({
  path: '/providers/{id}/discard',
  summary: 'Delete a test business',
  description:
    'Deletes a test business and everything in it for good: customers, schedule, payments, books, staff and settings. Its name in the body confirms it. Only test businesses can be deleted, for example the demo. People who are at no other business lose their log-in. The answer says how much there is, and the business is gone a moment later: then every request for it is refused. This cannot be undone: try it with `dry_run` first.',
  who: staffWith('super_admin'),
  body: { name: text({ max: 255 }).describe('The name of the business, exactly as it is.') },
  returns: answer({
    provider: id(),
    deletes: listOf(
      object({ object: text().describe('A kind of object, for example `customer`.'), count: integer() }),
    ).describe('Objects that are deleted, the largest number first.'),
  }),
  problems: Object.values(CLOCK_PROBLEMS),
  silent: 'The feed of the business is deleted with it.',
  run: async ({ work, params, body }) => {
    const { tx, providerId } = work;
    if (pathId(params.id) !== providerId) throw notFound();
    await lockBusiness(work);
    const { name } = await readSettled(work, 'Only a test business can be deleted.');
    if (body.name !== name) throw invalid('name', `Must be the name of the business: ${name}`);
    const deletes = await countsOf(work);
    for (const { object: what, count } of deletes) work.effect('deleted', 'provider', providerId, { what, count });
    work.audit({
      action: 'POST /providers/{id}/discard',
      object: 'provider',
      objectId: providerId,
      before: { name, is_discarded: false },
      after: { name, is_discarded: true },
    });
    // Uses the real time: the clock of the business may be far ahead, and nobody advances it any more.
    await tx.run(
      sql`
        SELECT enqueue_job(${TASK}, ${json({ provider_id: providerId })}, ${`${providerId}:${TASK}`}, now(), 'first')`,
    );
    return { provider: providerId, deletes };
  },
});

export const discarding: Job = {
  task: TASK,
  acrossTenants: 'the accounts of people who are at no other business go with it',
  run: async ({ tx, providerId, installation }) => {
    // Running work finishes first, and no new work starts.
    await keepOutBackground(tx, providerId);
    const people = await tx.rows<{ id: number }>(
      sql`SELECT DISTINCT user_id AS id FROM profile WHERE provider_id = ${providerId} AND user_id IS NOT NULL
        ORDER BY 1`,
    );
    await forgetImageFiles(tx, installation.files, providerId);
    await discardBusiness(tx, providerId);
    await deleteAccountsOf(
      tx,
      people.map((one) => one.id),
    );
  },
};
