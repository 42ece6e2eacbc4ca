/** Invitations for everyone imported from a file, when the owner requests them. */
import { action, answer, staffWith } from '../../../kernel/api/endpoint.ts';
import { importFile } from './import-file.ts';
import { integer } from '../../../kernel/base/fields/kinds.ts';
import { invitePeople } from '../../people/customers/index.ts';
import { monthOfQuota, takeUpTo } from '../../people/identity/index.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { StoredImport } from './stored.ts';

export const inviteImported = action({
  path: '/imports/{id}/invite',
  summary: 'Invite everybody imported',
  description:
    'Sends an invitation to log in to each customer of an imported file who has an email address and no log-in, and was never invited. Invitations count as emails of the month where there is a quota: those that are not left wait, and the next call sends them.',
  who: staffWith('super_admin'),
  target: importFile,
  returns: answer({
    invited: integer({ min: 0 }),
    waiting: integer({ min: 0 }).describe('People for whom no email of the month is left. Call it again next month.'),
  }),
  problems: ['conflict'],
  silent: 'each invitation is recorded when it is sent',
  run: async ({ work, target }) => {
    const { kind, status } = target as StoredImport;
    if (kind !== 'customers' || status !== 'complete')
      throw new Problem('conflict', 'Only the customers of a file that has been imported can be invited.');
    const { tx, providerId } = work;
    const people = await tx.rows<{ id: number }>(sql`
      SELECT DISTINCT c.id FROM import_row r JOIN customer c ON c.provider_id = r.provider_id AND c.id = r.object_id
      WHERE r.provider_id = ${providerId} AND r.import_id = ${target.id} AND c.email IS NOT NULL AND c.user_id IS NULL
        AND c.deleted_at IS NULL
        AND NOT EXISTS (SELECT FROM customer_invitation i WHERE i.provider_id = c.provider_id AND i.customer_id = c.id)
      ORDER BY c.id`);
    const many = people.length;
    const limited = many > 0 && work.installation.messages.emailQuota !== null;
    const allowed = limited ? await takeUpTo(work, monthOfQuota(work), many) : many;
    const invited = await invitePeople(
      work,
      people.slice(0, allowed).map(({ id }) => id),
    );
    work.audit({
      action: 'POST /imports/{id}/invite',
      object: 'import',
      objectId: target.id,
      before: null,
      after: { invited },
    });
    work.effect('invitations_sent', 'import', target.id, { people: invited });
    return { invited, waiting: many - invited };
  },
});
