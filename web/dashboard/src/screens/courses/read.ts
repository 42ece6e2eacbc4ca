/** What the page of dates reads: the series, its sessions, and who takes part. */
import { useMemo } from 'react';
import type { AnswerOf, ItemOf } from 'rollcall-sdk';
import { may, useBusiness, type Business } from '../../app/business.ts';
import { maySeeCustomers } from '../../app/customers.ts';
import { useCall } from '../../app/calls.ts';

const RUN_FIELDS = [
  'id',
  'name',
  'status',
  'price',
  'max_occupancy',
  'make_up_days',
  'cancelled_session_gives',
  'session_count',
  'sessions_left',
  'enrolled_count',
  'is_full',
  'venue.id',
  'venue.name',
  'venue.timezone',
  'course.id',
  'course.name',
  'course.published',
  'course.offering_type.id',
  'course.offering_type.name',
] as const;

type RunRead = AnswerOf<'GET /course_date_series/{id}', (typeof RUN_FIELDS)[number], never>;

export interface Run extends RunRead {
  /** as its course is called */
  readonly courseName: string;
  /** IANA name of the zone of its venue */
  readonly zone: string;
}

export function useRun(id: number) {
  const { timezone } = useBusiness();
  const found = useCall('GET /course_date_series/{id}', { params: { id }, fields: RUN_FIELDS });
  const run = useMemo(
    () =>
      found.data && {
        ...found.data,
        courseName: found.data.course?.name ?? found.data.course?.offering_type?.name ?? '',
        zone: found.data.venue?.timezone ?? timezone,
      },
    [found.data, timezone],
  );
  return { run, error: found.error, again: () => void found.refetch() };
}

const SESSION_FIELDS = [
  'id',
  'name',
  'status',
  'starts_at',
  'ends_at',
  'attending_count',
  'max_occupancy',
  'venue.timezone',
  'instructors.name',
] as const;

/** By the clock of its venue, which need not be that of the other sessions. */
export type Session = ItemOf<'GET /course_sessions', (typeof SESSION_FIELDS)[number]> & { readonly zone: string };

/** As many as a series has at most. */
const MAX_ROWS = 100;

export function useSessions(series: number) {
  const { timezone } = useBusiness();
  const found = useCall('GET /course_sessions', {
    query: { course_date_series: [series], sort: ['start'], page_size: MAX_ROWS },
    fields: SESSION_FIELDS,
  });
  const sessions = useMemo(
    () => found.data?.results.map((one): Session => ({ ...one, zone: one.venue?.timezone ?? timezone })),
    [found.data, timezone],
  );
  return { sessions, error: found.error, again: () => void found.refetch() };
}

/** Who may enrol somebody, and sees whom. */
export const mayEnrol = (business: Business): boolean =>
  may(business, 'attendances', 'manage_events', 'pos') && maySeeCustomers(business);
