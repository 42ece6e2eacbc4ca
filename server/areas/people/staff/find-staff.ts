import { raw, sql, type Sql } from '../../../kernel/db/sql.ts';
import { id, listOf, oneOf } from '../../../kernel/api/kinds.ts';
import { choice, EVERYONE, filter, get, list, matchesNothing, STAFF } from '../../../kernel/api/endpoint.ts';
import { everyWord } from '../../../kernel/api/text-filters.ts';
import { instructor } from './instructor.ts';
import { PERMISSIONS } from './permissions.ts';
import { staffMember } from './staff-member.ts';
import { atMyVenues, viewedByStaff } from '../../../kernel/access/viewer.ts';

const status = choice(oneOf(['active', 'archived']), {
  active: (t) => raw(`NOT ${t}.archived`),
  archived: (t) => raw(`${t}.archived`),
});

/** The instructor teaches an event that the caller may see, of those that `which` picks by the link `l`. */
const teaches = (t: string, which: Sql): Sql => sql`EXISTS (
  SELECT FROM event_instructor l JOIN event e ON e.provider_id = l.provider_id AND e.id = l.event_id
  JOIN offering_type o ON o.provider_id = e.provider_id AND o.id = e.offering_type_id
  WHERE l.provider_id = ${raw(t)}.provider_id AND l.instructor_id = ${raw(t)}.id AND ${which}
    AND ((${viewedByStaff}::boolean AND ${atMyVenues('e.venue_id')}) OR (o.status = 'active' AND o.customer_visibility = 'public')))`;

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
      offering_type: filter(
        id().describe('Only those of this offering type.'),
        (t, type) => sql`EXISTS (
        SELECT FROM offering_type_instructor l JOIN offering_type o ON o.provider_id = l.provider_id AND o.id = l.offering_type_id
        WHERE l.provider_id = ${raw(t)}.provider_id AND l.instructor_id = ${raw(t)}.id AND o.id = ${type}
          AND (${viewedByStaff}::boolean OR (o.status = 'active' AND o.customer_visibility = 'public')))`,
      ),
      event: filter(id().describe('Only those of this event.'), (t, event) => teaches(t, sql`l.event_id = ${event}`)),
      events: filter(listOf(id(), { max: 250 }).describe('Only those of any of these events.'), (t, events) =>
        teaches(t, sql`l.event_id = ANY(${events}::bigint[])`),
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
