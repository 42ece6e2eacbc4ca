import { boolean, listOf, oneOf } from '../../../../kernel/api/kinds.ts';
import { bound, ids } from '../filters.ts';
import { cashMovement, cashSession, MOVEMENTS } from './cash-session.ts';
import { choice, filter, get, list } from '../../../../kernel/api/endpoint.ts';
import { param, raw, sql } from '../../../../kernel/db/sql.ts';
import { whoSells } from '../shown.ts';
import type { Input } from '../../../../kernel/access/viewer.ts';

export const findSessions = [
  list(cashSession, {
    path: '/counter/cash_sessions',
    summary: 'List cash sessions',
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
  get(cashSession, { path: '/counter/cash_sessions/{id}', summary: 'Get a cash session', who: whoSells }),
  list(cashMovement, {
    path: '/counter/cash_sessions/{id}/movements',
    summary: 'List the movements of a cash session',
    description: 'Everything that came into the drawer and left it, in order.',
    who: whoSells,
    target: cashSession,
    within: (t) => sql`${raw(t)}.cash_session_id = ${param<Input>((i) => i.id)}`,
    filters: {
      kind: filter(listOf(oneOf(MOVEMENTS)), (t, wanted) => sql`${raw(t)}.kind = ANY(${wanted}::text[])`),
    },
  }),
];
