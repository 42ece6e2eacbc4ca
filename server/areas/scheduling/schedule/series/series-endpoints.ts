import { staffWith, choice, listAndGet } from '../../../../kernel/api/endpoint.ts';
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
  ...listAndGet(eventSeries, {
    path: '/event_series',
    summary: 'List recurring series',
    get: 'Get a recurring series',
    who,
    filters: {
      status: choice(oneOf(['active', 'ended']), {
        active: (t) => raw(`${t}.status = 'active'`),
        ended: (t) => raw(`${t}.status = 'ended'`),
      }),
    },
  }),
];
