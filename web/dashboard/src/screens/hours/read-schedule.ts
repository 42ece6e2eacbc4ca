/**
 * The hours of an instructor or of rooms, with the version that was read, so that nobody overwrites another person's
 * changes.
 */
import { useQuery } from '@tanstack/react-query';
import type { AnswerOf } from 'rollcall-sdk';
import { clientOf } from '../../app/client.ts';
import { keyOf } from '../../app/calls.ts';
import { useBusiness } from '../../app/business.ts';
import { WEEK } from '../../hours/labels.ts';

export const SCHEDULE_FIELDS = [
  'id',
  'name',
  'schedule_type',
  'valid_from',
  'valid_until',
  'venue.id',
  'venue.name',
  'instructor.id',
  'instructor.name',
  'instructor.staff',
  'offering_types.id',
  'offering_types.name',
  ...WEEK,
] as const;

export type Schedule = AnswerOf<'GET /availability_schedules/{id}', (typeof SCHEDULE_FIELDS)[number], never>;

/** Returns the schedule with its `etag`, for `ifMatch` of a change that names the same fields. */
export function useSchedule(id: number) {
  const { id: business } = useBusiness();
  const asked = { params: { id }, fields: SCHEDULE_FIELDS };
  return useQuery({
    queryKey: keyOf(business, 'GET /availability_schedules/{id}', { ...asked, etag: true }),
    queryFn: async ({ signal }) => {
      const { value, etag } = await clientOf(business)
        .call('GET /availability_schedules/{id}', { ...asked, signal })
        .answer();
      return { schedule: value, etag };
    },
  });
}
