/** Dates of sessions, in the body of requests that create them. */
import { exceptions } from '../../scheduling/schedule/index.ts';
import { idsOf, listOf, object, plannedTime, ref, text } from '../../../kernel/base/fields/kinds.ts';

export const sessionDates = {
  venue_room: ref('venue_room').nullable().optional(),
  instructors: idsOf('instructor', {
    table: 'event_instructor',
    parent: 'event_id',
    child: 'instructor_id',
  }).optional(),
  starts_at: plannedTime().optional().describe('Start of the first session, with `recurrence`.'),
  ends_at: plannedTime().optional().describe('Start of the first session, with `recurrence`.'),
  recurrence: object({
    rrule: text({ max: 500 }).describe('With COUNT or UNTIL, for example FREQ=WEEKLY;BYDAY=MO;COUNT=8.'),
    exceptions,
  })
    .nullable()
    .optional(),
  dates: listOf(object({ starts_at: plannedTime(), ends_at: plannedTime() }), { min: 1, max: 100 })
    .nullable()
    .optional()
    .describe('Each session, in place of `recurrence`.'),
};
