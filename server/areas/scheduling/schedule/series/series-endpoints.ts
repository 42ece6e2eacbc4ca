import { get, list, staffWith, choice } from '../../../../kernel/api/endpoint.ts';
import { oneOf } from '../../../../kernel/base/fields/kinds.ts';
import { raw } from '../../../../kernel/base/db/sql.ts';
import { eventSeries } from './event-series.ts';

const who = staffWith(
  'manage_events',
  'attendances',
  'instructor_manage_events',
  'instructor_attendances',
  'developer',
);

export const seriesEndpoints = [
  list(eventSeries, {
    path: '/event_series',
    summary: 'List recurring series',
    who,
    filters: {
      status: choice(oneOf(['active', 'ended']), {
        active: (t) => raw(`${t}.status = 'active'`),
        ended: (t) => raw(`${t}.status = 'ended'`),
      }),
    },
  }),
  get(eventSeries, { path: '/event_series/{id}', summary: 'Get a recurring series', who }),
];
