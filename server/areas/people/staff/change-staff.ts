import { lockBusiness } from '../../platform/providers/index.ts';
import { PERMISSIONS } from './permissions.ts';
import { boolean, email, refs } from '../../../kernel/base/fields/kinds.ts';
import { changedPermissions, limitsAdmin, losesAdmin, type Reaches } from './rules/permissions.ts';
import { changeStaffMember, createStaffMember } from './writes.ts';
import { changes } from '../../../kernel/api/resource-changes.ts';
import { staffWith } from '../../../kernel/api/endpoint.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { invite, IDENTITY_PROBLEMS } from '../identity/index.ts';
import { permissions, staffMember } from './staff-member.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const f = staffMember.fields;
const body = {
  first_name: f.first_name,
  last_name: f.last_name,
  // Null in responses, but never in requests.
  email: email(),
  permissions: permissions().optional(),
};
const venues = refs('venue').describe(
  'Venues where the permissions about bookings and events apply. An empty list means all venues.',
);

export const changeStaff = changes(staffMember, {
  path: '/staff',
  noun: 'staff member',
  who: staffWith('super_admin'),
  body: { ...body, venues: venues.optional(), archived: boolean().optional() },
  first: { ...body, venues: venues.default([]) },
  create: {
    description:
      'Without permissions, the person sees what every staff member sees. The person gets an email that invites them to claim the profile with their own account.',
    problems: ['already_exists', IDENTITY_PROBLEMS.quota_exceeded],
    run: async ({ work, body: { venues: limit, ...values } }) => {
      checkLimit({ permissions: changedPermissions(PERMISSIONS, [], values.permissions ?? {}), venues: limit });
      const id = await createStaffMember(work, { ...values, venue_ids: limit });
      await invite(work, { staff: id });
      return id;
    },
  },
  update: {
    description:
      'Only the permissions that you send change. The list of venues is replaced as a whole if you send it. The business must keep at least one super admin.',
    problems: ['already_exists', 'conflict', 'in_use'],
    run: async ({ work, body, target }) => {
      const { permissions: flags, venues: limit, ...values } = body;
      const granted = flags && changedPermissions(PERMISSIONS, target.permissions, flags);
      const after = { permissions: granted ?? target.permissions, archived: body.archived ?? target.archived };
      checkLimit({ permissions: after.permissions, venues: limit ?? target.venue_ids });
      if (losesAdmin({ permissions: target.permissions, archived: target.archived }, after))
        await checkAnotherAdmin(work, target.id);
      if (body.archived && !target.archived) await checkTeachesNoMore(work, target.id);
      await changeStaffMember(work, target.id, { ...values, permissions: granted, venues: limit });
    },
  },
});

function checkLimit(after: Reaches): void {
  if (limitsAdmin(after))
    throw invalid(
      'venues',
      'A super admin can’t be limited to venues. Send an empty array, or don’t grant super_admin.',
    );
}

/**
 * Two super admins who remove the permission from each other at the same moment must not both succeed, so such changes
 * at one business wait for each other.
 */
async function checkAnotherAdmin(work: Work, staffId: number): Promise<void> {
  await lockBusiness(work);
  const another = await work.tx.one(
    sql`SELECT id FROM staff WHERE provider_id = ${work.providerId} AND id <> ${staffId} AND NOT archived
      AND 'super_admin' = ANY(permissions) LIMIT 1`,
  );
  if (!another)
    throw new Problem(
      'conflict',
      'This is the last super admin of the business. Make somebody else a super admin first.',
    );
}

async function checkTeachesNoMore(work: Work, staffId: number): Promise<void> {
  const teaches = await work.tx.one<{ id: number }>(
    sql`SELECT id FROM instructor WHERE provider_id = ${work.providerId} AND staff_id = ${staffId} AND NOT archived`,
  );
  if (teaches)
    throw new Problem('in_use', `The person is instructor ${teaches.id}. Archive the instructor first.`, {
      archived: ['This person is still an instructor.'],
    });
}
