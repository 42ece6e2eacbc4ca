/** Properties that this area adds to instructors: their schedules. */
import { embedded } from '../../../kernel/base/fields/kinds.ts';
import type { Properties } from '../../../kernel/api/resource.ts';

export const instructorProperties: Properties = {
  fields: {
    availability_schedules: embedded('availability_schedule', { column: 'instructor_id' })
      .deferred()
      .describe('When the instructor can be booked. Empty for customers and visitors.'),
  },
};
