import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { id, listOf, oneOf } from '../../../kernel/base/fields/kinds.ts';
import { choice, EVERYONE, filter, get, list, matchesNothing, STAFF } from '../../../kernel/api/endpoint.ts';
import { everyWord } from '../../../kernel/api/reading/text-filters.ts';
import { instructor } from './instructor.ts';
import { PERMISSIONS } from './permissions.ts';
import { staffMember } from './staff-member.ts';

const status = choice(oneOf(['active', 'archived']), {
  active: (t) => raw(`NOT ${t}.archived`),
  archived: (t) => raw(`${t}.archived`),
});

const anyPermission = filter(
  listOf(oneOf(PERMISSIONS)).describe(
    'Only staff with any of these permissions. Super admins have every permission and are always included.',
  ),
  (t, wanted) => sql`${raw(t)}.permissions && (${wanted}::text[] || '{super_admin}')`,
);

export const findStaff = [
  list(staffMember, {
    path: '/staff',
    summary: 'List staff members',
    who: STAFF,
    filters: { status, has_any_permissions: anyPermission },
  }),
  get(staffMember, { path: '/staff/{id}', summary: 'Get a staff member', who: STAFF }),
  list(instructor, {
    path: '/instructors',
    summary: 'List instructors',
    description: 'Customers and visitors see only those that are not archived.',
    who: EVERYONE,
    filters: {
      status,
      ids: filter(listOf(id()), (t, ids) => sql`${raw(t)}.id = ANY(${ids}::bigint[])`),
      staff: filter(
        listOf(id()).describe('Comma-separated list of ids of staff members.'),
        (t, ids) => sql`${raw(t)}.staff_id = ANY(${ids}::bigint[])`,
      ),
      query: everyWord(
        'query',
        (t) => raw(`${t}.name || ' ' || ${t}.description`),
        'Each word must occur in the name or the description.',
      ),
      content_collection: matchesNothing(id().describe('Always finds nobody: there are no content collections yet.')),
    },
  }),
  get(instructor, { path: '/instructors/{id}', summary: 'Get an instructor', who: EVERYONE }),
];
