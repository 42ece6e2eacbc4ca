/** Invitations for the people imported from a file, when the owner requests them: all at once, or in daily waves. */
import { action, answer, one, staffWith, type Endpoint } from '../../../kernel/api/endpoint.ts';
import { importFeed } from './feed.ts';
import { importFile } from './import-file.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { integer, listOf, object, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { addDays, instantOfWall, wallAt } from '../../../kernel/base/values/zone.ts';
import { invitePeople } from '../../people/customers/index.ts';
import { monthOfQuota, takeUpTo } from '../../people/identity/index.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { updateRow } from '../../../kernel/work/unit/row.ts';
import type { Job } from '../../../kernel/work/unit/job.ts';
import type { JobRequest, Work } from '../../../kernel/work/unit/work.ts';
import type { StoredImport } from './stored.ts';

const TASK = 'import_invite';
/** People in the preview. */
const SHOWN = 20;

interface Person {
  readonly id: number;
  readonly name: string;
}

/** Returns those who have an address but no log-in, and were never invited, in the order of the file. */
const toInvite = ({ tx, providerId }: Work, id: number): Promise<Person[]> =>
  tx.rows<Person & Record<string, unknown>>(sql`
    SELECT c.id, coalesce(nullif(concat_ws(' ', c.first_name, c.last_name), ''), c.email) AS name
    FROM import_row r JOIN customer c ON c.provider_id = r.provider_id AND c.id = r.object_id
    WHERE r.provider_id = ${providerId} AND r.import_id = ${id} AND c.email IS NOT NULL AND c.user_id IS NULL
      AND c.deleted_at IS NULL
      AND NOT EXISTS (SELECT FROM customer_invitation i WHERE i.provider_id = c.provider_id AND i.customer_id = c.id)
    GROUP BY c.provider_id, c.id ORDER BY min(r.line)`);

/** Invites these people, as far as the emails of the month allow. Returns how many. */
async function inviteWave(work: Work, id: number, people: readonly Person[]): Promise<number> {
  const many = people.length;
  const limited = many > 0 && work.installation.messages.emailQuota !== null;
  const allowed = limited ? await takeUpTo(work, monthOfQuota(work), many) : many;
  const invited = await invitePeople(
    work,
    people.slice(0, allowed).map((person) => person.id),
  );
  work.audit({
    action: 'POST /imports/{id}/invite',
    object: 'import',
    objectId: id,
    before: null,
    after: { invited },
  });
  return invited;
}

/** Returns the job of the next wave: on the next day at the same time on the wall clock of the business. */
function nextWave(work: Work, id: number): JobRequest {
  const { date, time } = wallAt(work.now, work.tenant.zone);
  return {
    task: TASK,
    payload: { import: id },
    key: `import_invite:${id}`,
    runAt: instantOfWall(`${addDays(date, 1)}T${time}`, work.tenant.zone),
  };
}

/** Sends one wave, and enqueues the next one if anybody is left. */
export const inviteJob: Job = {
  task: TASK,
  run: async (work, { import: id }: { import: number }) => {
    const of = await work.tx.one<{ invites_per_day: number | null }>(
      sql`SELECT invites_per_day FROM import WHERE provider_id = ${work.providerId} AND id = ${id} FOR UPDATE`,
    );
    if (!of || of.invites_per_day === null) return;
    const people = await toInvite(work, id);
    const invited = await inviteWave(work, id, people.slice(0, of.invites_per_day));
    if (people.length > invited) return work.enqueue(nextWave(work, id));
    await work.tx.run(
      sql`UPDATE import SET invites_per_day = NULL, updated_at = ${instant(work.now)}
        WHERE provider_id = ${work.providerId} AND id = ${id}`,
    );
    work.record(importFeed.updated, id, { import: id, changed: ['invites_per_day'] });
  },
};

const asked = { who: staffWith('super_admin'), target: importFile, problems: ['conflict'] } as const;

const invite = action({
  ...asked,
  path: '/imports/{id}/invite',
  summary: 'Invite the people of an import',
  description:
    'Sends an invitation to log in to each customer of an imported file who has an email address and no log-in, and was never invited. With `per_day`, the first wave is sent now, and one more each day at the same time until everybody is invited or the waves are stopped. `limit` sends one wave only. Invitations count as emails of the month where there is a quota: those that are not left wait, and the next call or wave sends them.',
  body: {
    limit: integer({ min: 1, max: 50_000 }).optional().describe('At most this many people, in the order of the file.'),
    per_day: integer({ min: 1, max: 50_000 })
      .optional()
      .describe('People in each daily wave. A later call with another number changes it.'),
  },
  returns: answer({
    invited: integer({ min: 0 }),
    waiting: integer({ min: 0 }).describe(
      'People of this wave for whom no email of the month is left. Call it again next month.',
    ),
    later: integer({ min: 0 }).describe('People who are not invited yet, because of `limit` or `per_day`.'),
    people: listOf(object({ customer: ref('customer'), name: text() })).describe(
      `People of this wave, at most ${SHOWN}.`,
    ),
  }),
  silent: 'each invitation is recorded when it is sent',
  run: async ({ work, target, body }) => {
    const { kind, status } = target as StoredImport;
    if (kind !== 'customers' || status !== 'complete')
      throw new Problem('conflict', 'Only the customers of a file that has been imported can be invited.');
    const all = await toInvite(work, target.id);
    const wave = all.slice(0, body.per_day ?? body.limit);
    const invited = await inviteWave(work, target.id, wave);
    if (body.per_day !== undefined && all.length > invited) {
      work.touch('import', target.id, target);
      await updateRow(work, 'import', target.id, { invites_per_day: body.per_day });
      work.enqueue(nextWave(work, target.id));
    }
    work.effect('invitations_sent', 'import', target.id, { people: invited });
    return {
      invited,
      waiting: wave.length - invited,
      later: all.length - wave.length,
      people: wave.slice(0, SHOWN).map(({ id, name }) => ({ customer: id, name })),
    };
  },
});

const stop = action({
  ...asked,
  path: '/imports/{id}/stop_inviting',
  summary: 'Stop inviting the people of an import',
  description: 'Sends no more daily waves of invitations. Invitations that were sent stay valid.',
  returns: one(importFile),
  run: async ({ work, target }) => {
    if (target.invites_per_day === null) throw new Problem('conflict', 'No invitations of this import are planned.');
    work.touch('import', target.id, target);
    await updateRow(work, 'import', target.id, { invites_per_day: null });
    work.record(importFeed.updated, target.id, { import: target.id, changed: ['invites_per_day'] });
    return target.id;
  },
});

export const inviteImported: Endpoint[] = [invite, stop];
