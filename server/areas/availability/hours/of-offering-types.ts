/** Properties that this area adds to offering types: the schedules in which they can be booked. */
import { embedded } from '../../../kernel/base/fields/kinds.ts';
import type { Properties } from '../../../kernel/api/resource.ts';

export const offeringTypeProperties: Properties = {
  fields: {
    availability_schedule_offering_types: embedded('availability_schedule_offering_type', {
      column: 'offering_type_id',
    })
      .deferred()
      .describe('The schedules in which it can be booked, and the rooms. Empty for customers and visitors.'),
  },
};
