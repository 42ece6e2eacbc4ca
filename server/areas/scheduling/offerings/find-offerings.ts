import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { boolean, id, listOf, oneOf } from '../../../kernel/base/fields/kinds.ts';
import { choice, EVERYONE, filter, type Filter, listAndGet } from '../../../kernel/api/endpoint.ts';
import { contains } from '../../../kernel/api/reading/text-filters.ts';
import { AUDIENCES, registrationTimeline } from './timeline.ts';
import { offeringType, SCHEDULE_TYPES } from './offering-type.ts';
import { offeringTypeCategory } from './category.ts';

const ids: Filter = filter(listOf(id()), (t, wanted) => sql`${raw(t)}.id = ANY(${wanted}::bigint[])`);

export const findOfferings = [
  ...listAndGet(offeringTypeCategory, {
    path: '/offering_type_categories',
    summary: 'List categories of offering types',
    get: 'Get a category',
    who: EVERYONE,
    sort: { id: { by: (t) => raw(`${t}.id`) }, name: { by: (t) => raw(`lower(${t}.name)`) } },
  }),
  ...listAndGet(offeringType, {
    path: '/offering_types',
    summary: 'List offering types',
    get: 'Get an offering type',
    description: 'Returned in the order that the business set. Customers and visitors see only active public ones.',
    who: EVERYONE,
    filters: {
      status: choice(oneOf(['active', 'archived']), {
        active: (t) => raw(`${t}.status = 'active'`),
        archived: (t) => raw(`${t}.status = 'archived'`),
      }),
      category: filter(
        listOf(id()).describe('Comma-separated list of ids.'),
        (t, ids) => sql`${raw(t)}.category_id = ANY(${ids}::bigint[])`,
      ),
      schedule_type: filter(
        listOf(oneOf(SCHEDULE_TYPES)),
        (t, types) => sql`${raw(t)}.schedule_type = ANY(${types}::text[])`,
      ),
      ids,
      id: { ...ids, field: ids.field.describe('Same as `ids`.') },
      name_contains: contains('name_contains'),
      is_age_restricted: choice(boolean().describe('Whether it has a minimum or maximum age.'), {
        true: (t) => raw(`(${t}.min_allowed_age IS NOT NULL OR ${t}.max_allowed_age IS NOT NULL)`),
        false: (t) => raw(`${t}.min_allowed_age IS NULL AND ${t}.max_allowed_age IS NULL`),
      }),
      instructor: filter(
        id().describe('Only those that this instructor teaches.'),
        (t, instructor) => sql`EXISTS (SELECT FROM offering_type_instructor l
        WHERE l.provider_id = ${raw(t)}.provider_id AND l.offering_type_id = ${raw(t)}.id
          AND l.instructor_id = ${instructor})`,
      ),
    },
    sort: {
      order: { by: (t) => raw(`${t}.sort_order`) },
      name: { by: (t) => raw(`lower(${t}.name)`) },
      id: { by: (t) => raw(`${t}.id`) },
    },
    defaultSort: 'order',
  }),
  ...listAndGet(registrationTimeline, {
    path: '/registration_timelines',
    summary: 'List registration timelines',
    get: 'Get a registration timeline',
    description:
      'Customers see those for everyone and those that name them or their family. Visitors see those for everyone.',
    who: EVERYONE,
    filters: {
      audience_type: filter(
        listOf(oneOf(AUDIENCES)),
        (t, types) => sql`${raw(t)}.audience_type = ANY(${types}::text[])`,
      ),
    },
  }),
];
