import { availabilitySchedule, SCHEDULE_TYPES, scheduleOfferingType } from './schedule.ts';
import { filter, list, STAFF, staffWith, listAndGet } from '../../../kernel/api/endpoint.ts';
import { id, listOf, oneOf } from '../../../kernel/base/fields/kinds.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';

const several = () => listOf(id()).describe('Comma-separated list of ids.');

export const findSchedules = [
  ...listAndGet(availabilitySchedule, {
    path: '/availability_schedules',
    summary: 'List availability schedules',
    get: 'Get an availability schedule',
    who: STAFF,
    filters: {
      schedule_type: filter(
        listOf(oneOf(SCHEDULE_TYPES)),
        (t, types) => sql`${raw(t)}.schedule_type = ANY(${types}::text[])`,
      ),
      instructor: filter(several(), (t, ids) => sql`${raw(t)}.instructor_id = ANY(${ids}::bigint[])`),
      venue: filter(
        listOf(id()).describe('Comma-separated list of ids. Schedules for every venue are not included.'),
        (t, ids) => sql`${raw(t)}.venue_id = ANY(${ids}::bigint[])`,
      ),
      offering_type: filter(
        listOf(id()).describe('Comma-separated list of ids: only schedules that name one of them.'),
        (t, ids) => sql`EXISTS (SELECT FROM availability_schedule_offering_type named
          WHERE named.provider_id = ${raw(t)}.provider_id
          AND named.availability_schedule_id = ${raw(t)}.id AND named.offering_type_id = ANY(${ids}::bigint[]))`,
      ),
    },
    sort: { id: { by: (t) => raw(`${t}.id`) }, name: { by: (t) => raw(`lower(${t}.name)`) } },
  }),
  list(scheduleOfferingType, {
    path: '/availability_schedule_offering_types',
    summary: 'List what availability schedules are for',
    who: staffWith('super_admin', 'manage_events'),
    filters: {
      availability_schedule: filter(
        several(),
        (t, ids) => sql`${raw(t)}.availability_schedule_id = ANY(${ids}::bigint[])`,
      ),
      offering_type: filter(several(), (t, ids) => sql`${raw(t)}.offering_type_id = ANY(${ids}::bigint[])`),
    },
  }),
];
