import { availabilitySchedule, scheduleOfferingType } from './schedule.ts';
import { blockedTimesOf } from './blocked-times.ts';
import { busyElsewhere } from './busy-elsewhere.ts';
import { changeNamed, changeSchedules } from './change-schedules.ts';
import { explain } from './explain.ts';
import { FEED } from './feed.ts';
import { findSchedules } from './find-schedules.ts';
import { instructor } from '../../people/staff/index.ts';
import { instructorProperties } from './of-instructors.ts';
import { offeringTypeProperties } from './of-offering-types.ts';
import { overrideEndpoints } from './overrides.ts';
import { returning } from '../../scheduling/schedule/index.ts';
import { substitutes } from './substitutes.ts';
import { withinHours } from './returning.ts';
import { venue } from '../../places/venues/index.ts';
import { TABLES } from './tables.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { readHours, type Hours } from './read-hours.ts';
export { openTimes, planAt } from './rules/open-times.ts';
export { busyElsewhere, type BusyElsewhere } from './busy-elsewhere.ts';
export { judgeSubstitutes, type SubstitutedEvent } from './substitutes.ts';
export { createSchedule, nameOfferingTypes } from './writes.ts';

export const hours: Area = {
  name: 'hours',
  description:
    'Hours when instructors and rooms can be booked: weekly hours, other hours on some dates, and blocked times.',
  tables: TABLES,
  resources: [availabilitySchedule, scheduleOfferingType],
  endpoints: [
    ...findSchedules,
    ...changeSchedules,
    ...changeNamed,
    ...overrideEndpoints,
    explain,
    substitutes,
    ...blockedTimesOf('instructor', instructor),
    ...blockedTimesOf('venue', venue),
  ],
  ports: [busyElsewhere],
  properties: { instructor: instructorProperties, offering_type: offeringTypeProperties },
  feed: FEED,
  fills: [returning.with(withinHours)],
};
