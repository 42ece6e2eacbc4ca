/** The data of the page of a date series: the series, its sessions, and its participants. */
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
  /** name of its course */
  readonly courseName: string;
  /** IANA name of its venue's time zone */
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

/** A session in the time zone of its venue, which may differ from that of the other sessions. */
export type Session = ItemOf<'GET /course_sessions', (typeof SESSION_FIELDS)[number]> & { readonly zone: string };

/** The maximum number of sessions in a series. */
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

export const MAY_ENROL = ['attendances', 'manage_events', 'pos'] as const;

/** Returns true if the person may enroll customers, and see them. */
export const mayEnrol = (business: Business): boolean => may(business, ...MAY_ENROL) && maySeeCustomers(business);
