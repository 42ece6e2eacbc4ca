import { action, nothing, one, STAFF, staffWith } from '../../../kernel/api/endpoint.ts';
import { availabilitySchedule, SCHEDULE_TYPES, WEEK } from './schedule.ts';
import { changes } from '../../../kernel/api/resource-changes.ts';
import { changeSchedule, createSchedule, deleteSchedule, forgetOfferingType, nameOfferingTypes } from './writes.ts';
import { checkMayChange } from './may-change.ts';
import { id, listOf, object, oneOf, ref, refs } from '../../../kernel/base/fields/kinds.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import { pathId } from '../../../kernel/api/requests/input.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { Field } from '../../../kernel/base/fields/field.ts';
import type { TimeRange } from './rules/ranges.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const f = availabilitySchedule.fields;

const weekly = Object.fromEntries(WEEK.map((day) => [day, f[day].optional()])) as Record<
  (typeof WEEK)[number],
  Field<TimeRange[] | undefined>
>;

/** `GC` is a type in the API, but no schedule has it. */
const type = oneOf([...SCHEDULE_TYPES, 'GC']);

const first = {
  name: f.name.optional().describe('If absent, the schedule is called after the instructor.'),
  venue: f.venue.optional(),
  ...weekly,
  valid_from: f.valid_from.optional(),
  valid_until: f.valid_until.optional(),
  instructor: ref('instructor').optional().describe('Required if `schedule_type` is `IU`, and only then allowed.'),
};

const body = {
  ...first,
  name: f.name.optional(),
  schedule_type: type.optional().describe('Can’t be changed.'),
  memberships: listOf(id(), { max: 1000 })
    .optional()
    .describe(
      'Accepted as it was returned, with the `plans` and `terms` in it, and then changes nothing. Memberships are changed by their own operations.',
    ),
};

const whose = 'Needs `manage_events`. Without it, instructors can do this for their own schedules.';

export const changeSchedules = changes(availabilitySchedule, {
  path: '/availability_schedules',
  noun: 'availability schedule',
  who: STAFF,
  body,
  first: { ...first, schedule_type: type.default('IU') },
  problems: ['permission_denied'],
  create: {
    description: `${whose} Times of one day that overlap or touch become one. A new schedule names no offering types.`,
    run: async ({ work, body: { schedule_type, ...values } }) => {
      if (schedule_type === 'GC') throw groupClasses();
      if (schedule_type === 'IU' && values.instructor === undefined)
        throw invalid('instructor', 'This field is required for an instructor’s schedule.');
      if (schedule_type === 'RRTL' && values.instructor !== undefined) throw noInstructor();
      await checkMayChange(work, values.instructor ?? null);
      return createSchedule(work, values);
    },
  },
  update: {
    description: `${whose} The times of a day are replaced as a whole.`,
    run: async ({ work, body: { schedule_type, memberships, ...values }, target }) => {
      await checkMayChange(work, target.instructor_id);
      if (schedule_type === 'GC') throw groupClasses();
      if (schedule_type !== undefined && schedule_type !== target.schedule_type)
        throw invalid('schedule_type', 'The type can’t be changed. Create another schedule instead.');
      if (values.instructor !== undefined) {
        if (target.instructor_id === null) throw noInstructor();
        await checkMayChange(work, values.instructor);
      }
      if (memberships) await checkMemberships(work, target.id, memberships);
      await changeSchedule(work, target, values);
    },
  },
  remove: {
    description: `${whose} What is booked already stays.`,
    run: async ({ work, target }) => {
      await checkMayChange(work, target.instructor_id);
      await deleteSchedule(work, target.id);
    },
  },
});

const groupClasses = () =>
  invalid('schedule_type', 'Group classes have no availability schedule: create them as events. Must be IU or RRTL.');

const noInstructor = () => invalid('instructor', 'A room rental schedule has no instructor.');

/** The memberships that cover an offering type are set on the memberships: here, they can only be sent unchanged. */
async function checkMemberships({ tx, providerId }: Work, schedule: number, sent: readonly number[]): Promise<void> {
  const covering = await tx.rows<{
    id: number;
  }>(sql`SELECT DISTINCT mc.membership_id AS id FROM availability_schedule_offering_type l
    JOIN membership_coverage mc ON mc.provider_id = l.provider_id AND mc.offering_type_id = l.offering_type_id
    WHERE l.provider_id = ${providerId} AND l.availability_schedule_id = ${schedule}`);
  const now = new Set(covering.map((row) => row.id));
  if (now.size === new Set(sent).size && sent.every((one) => now.has(one))) return;
  throw invalid(
    'memberships',
    'Must be the memberships that cover the offering types of the schedule. Change what a membership covers at /memberships/{id}/allotment.',
  );
}

const forget = action({
  method: 'DELETE',
  path: '/availability_schedules/{id}/offering_types/{offering_type_id}',
  summary: 'Remove an offering type from an availability schedule',
  description: `${whose} Removing one that the schedule does not name changes nothing. A schedule that names no offering types any more is for everything that no other schedule names.`,
  who: STAFF,
  target: availabilitySchedule,
  returns: one(availabilitySchedule),
  problems: ['permission_denied'],
  run: async ({ work, target, params }) => {
    await checkMayChange(work, target.instructor_id);
    const type = pathId(params.offering_type_id);
    if (type === null) throw invalid('offering_type_id', 'Must be the id of an offering type.');
    await forgetOfferingType(work, target.id, type);
    return target.id;
  },
});

const bulkUpdate = action({
  path: '/availability_schedule_offering_types/bulk_update',
  summary: 'Set what availability schedules are for',
  description:
    'Makes each schedule be for the offering type, with these rooms. Without `venue_rooms`, the rooms stay as they are. What is not named stays too; DELETE /availability_schedules/{id}/offering_types/{offering_type_id} removes an offering type.',
  who: staffWith('super_admin', 'manage_events'),
  body: {
    items: listOf(
      object({
        availability_schedule: ref('availability_schedule'),
        offering_type: ref('offering_type'),
        venue_rooms: refs('venue_room', { max: 100 })
          .optional()
          .describe('Rooms that are used, of the venue of the schedule. Empty means any room.'),
      }),
      { min: 1, max: 200 },
    ),
  },
  returns: nothing,
  run: async ({ work, body }) => nameOfferingTypes(work, body.items),
});

export const changeNamed = [forget, bulkUpdate];
