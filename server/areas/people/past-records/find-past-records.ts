import { id, listOf, oneOf } from '../../../kernel/base/fields/kinds.ts';
import { filter, listAndGet, type Who } from '../../../kernel/api/endpoint.ts';
import { pastVisit, VISIT_STATUSES } from './past-visit.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';

/** All staff; customers for themselves and their family. */
const who: Who = { provider: true, customer: true, unregistered: false };

export const findPastRecords = [
  ...listAndGet(pastVisit, {
    path: '/past_visits',
    summary: 'List past visits',
    get: 'Get a past visit',
    who,
    filters: {
      customer: filter(listOf(id(), { max: 100 }), (t, ids) => sql`${raw(t)}.customer_id = ANY(${ids}::bigint[])`),
      status: filter(oneOf(VISIT_STATUSES), (t, status) => sql`${raw(t)}.status = ${status}`),
    },
    sort: { date: { by: (t) => raw(`${t}.date`) } },
    defaultSort: '-date',
  }),
];
