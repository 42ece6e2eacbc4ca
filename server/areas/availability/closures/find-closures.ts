import { date, id, listOf } from '../../../kernel/base/fields/kinds.ts';
import { EVERYONE, filter, listAndGet } from '../../../kernel/api/endpoint.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { businessClosure } from './business-closure.ts';

export const findClosures = [
  ...listAndGet(businessClosure, {
    path: '/business_closures',
    summary: 'List the days on which the business is closed',
    get: 'Get a day on which the business is closed',
    description: 'For booking sites, too: customers and visitors see the same days as staff.',
    who: EVERYONE,
    filters: {
      closure_date_gte: filter(date(), (t, on) => sql`${raw(t)}.closure_date >= ${on}::date`),
      closure_date_lte: filter(date(), (t, on) => sql`${raw(t)}.closure_date <= ${on}::date`),
      venue: filter(
        listOf(id()).describe('Comma-separated list of ids. Includes days on which all venues are closed.'),
        (t, venues) => sql`(${raw(t)}.venue_id IS NULL OR ${raw(t)}.venue_id = ANY(${venues}::bigint[]))`,
      ),
    },
    sort: { closure_date: { by: (t) => raw(`${t}.closure_date`) } },
    defaultSort: 'closure_date',
  }),
];
