import { boolean, listOf, oneOf } from '../../../../kernel/base/fields/kinds.ts';
import { bound, ids } from '../filters.ts';
import { cashMovement, cashSession, MOVEMENTS } from './cash-session.ts';
import { choice, filter, list, listAndGet } from '../../../../kernel/api/endpoint.ts';
import { raw, sql } from '../../../../kernel/base/db/sql.ts';
import { whoSells } from '../shown.ts';

export const findSessions = [
  ...listAndGet(cashSession, {
    path: '/counter/cash_sessions',
    summary: 'List cash sessions',
    get: 'Get a cash session',
    description: 'The latest first.',
    who: whoSells,
    filters: {
      payment_processor: ids('payment_processor_id'),
      venue: ids('venue_id'),
      is_open: choice(boolean(), {
        true: (t) => raw(`${t}.closed_at IS NULL`),
        false: (t) => raw(`${t}.closed_at IS NOT NULL`),
      }),
      opened_at_gte: bound('opened_at_gte', '>='),
      opened_at_lte: bound('opened_at_lte', '<='),
    },
    sort: { id: { by: (t) => raw(`${t}.id`) }, opened_at: { by: (t) => raw(`${t}.created_at`) } },
    defaultSort: '-id',
  }),
  list(cashMovement, {
    path: '/counter/cash_movements',
    summary: 'List cash movements',
    description: 'Everything that came into cash drawers and left them during sessions, in order.',
    who: whoSells,
    filters: {
      cash_session: ids('cash_session_id'),
      kind: filter(listOf(oneOf(MOVEMENTS)), (t, wanted) => sql`${raw(t)}.kind = ANY(${wanted}::text[])`),
      created_at_gte: bound('created_at_gte', '>='),
      created_at_lte: bound('created_at_lte', '<='),
    },
  }),
];
