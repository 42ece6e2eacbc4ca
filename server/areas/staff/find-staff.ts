import { raw, sql } from '../../kernel/db/sql.ts';
import { id, listOf, oneOf } from '../../kernel/api/kinds.ts';
import { choice, EVERYONE, filter, get, list, STAFF } from '../../kernel/api/endpoint.ts';
import { instructor } from './instructor.ts';
import { staffMember } from './staff-member.ts';
import { atMyVenues, viewedByStaff } from '../../kernel/access/viewer.ts';

const status = choice(oneOf(['active', 'archived']), { active: (t) => raw(`NOT ${t}.archived`), archived: (t) => raw(`${t}.archived`) });

export const findStaff = [
  list(staffMember, { path: '/staff', summary: 'List the staff', who: STAFF, filters: { status } }),
  get(staffMember, { path: '/staff/{id}', summary: 'Get a staff member', who: STAFF }),
  list(instructor, {
    path: '/instructors',
    summary: 'List instructors',
    description: 'Customers and visitors see those that are not archived.',
    who: EVERYONE,
    filters: {
      status,
      ids: filter(listOf(id()), (t, ids) => sql`${raw(t)}.id = ANY(${ids}::bigint[])`),
      offering_type: filter(id().describe('Those of this offering type.'), (t, type) => sql`EXISTS (
        SELECT FROM offering_type_instructor l JOIN offering_type o ON o.provider_id = l.provider_id AND o.id = l.offering_type_id
        WHERE l.provider_id = ${raw(t)}.provider_id AND l.instructor_id = ${raw(t)}.id AND o.id = ${type}
          AND (${viewedByStaff}::boolean OR (o.status = 'active' AND o.customer_visibility = 'public')))`),
      event: filter(id().describe('Those of this event.'), (t, event) => sql`EXISTS (
        SELECT FROM event_instructor l JOIN event e ON e.provider_id = l.provider_id AND e.id = l.event_id
        JOIN offering_type o ON o.provider_id = e.provider_id AND o.id = e.offering_type_id
        WHERE l.provider_id = ${raw(t)}.provider_id AND l.instructor_id = ${raw(t)}.id AND l.event_id = ${event}
          AND ((${viewedByStaff}::boolean AND ${atMyVenues('e.venue_id')}) OR (o.status = 'active' AND o.customer_visibility = 'public')))`),
    },
  }),
  get(instructor, { path: '/instructors/{id}', summary: 'Get an instructor', who: EVERYONE }),
];
