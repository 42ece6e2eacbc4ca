import { broadcastMessage, STATUSES, USE_CASES } from './broadcast-message.ts';
import { CHANNELS, message, MESSAGE_STATUSES } from '../messages/index.ts';
import { filter, list, type Endpoint, type Filter, listAndGet } from '../../../kernel/api/endpoint.ts';
import { instant, listOf, oneOf } from '../../../kernel/base/fields/kinds.ts';
import { raw, param, sql } from '../../../kernel/base/db/sql.ts';
import { who } from './change-broadcasts.ts';
import type { Input } from '../../../kernel/work/access/viewer.ts';

const path = '/communication/broadcast_messages';
const at = (name: string) => (t: string) => raw(`${t}.${name}`);

function bounds(column: string): Record<string, Filter> {
  const bound = (name: string, operator: '>=' | '<=') => {
    const moment = param<Input>((i) => new Date(i.query[name]).toISOString());
    return { [name]: filter(instant(), (t) => sql`${raw(`${t}.${column} ${operator}`)} ${moment}::timestamptz`) };
  };
  return { ...bound(`${column}_gte`, '>='), ...bound(`${column}_lte`, '<=') };
}

const parent = param<Input>((i) => i.id);

export const findBroadcasts: Endpoint[] = [
  ...listAndGet(broadcastMessage, {
    path,
    summary: 'List broadcast messages',
    get: {
      summary: 'Get a broadcast message',
      description: '`expand=delivery_counts` includes the status of its messages.',
    },
    who,
    filters: {
      status: filter(listOf(oneOf(STATUSES)), (t, values) => sql`${raw(t)}.status = ANY(${values}::text[])`),
      channel: filter(oneOf(CHANNELS), (t, value) => sql`${raw(t)}.channel = ${value}`),
      use_case: filter(oneOf(USE_CASES), (t, value) => sql`${raw(t)}.use_case = ${value}`),
      ...bounds('created_at'),
      ...bounds('scheduled_at'),
      ...bounds('sent_at'),
    },
    sort: {
      id: { by: at('id') },
      created_at: { by: at('created_at') },
      scheduled_at: { by: at('scheduled_at') },
      sent_at: { by: at('sent_at') },
    },
    defaultSort: '-id',
  }),
  list(message, {
    path: `${path}/{id}/messages`,
    summary: 'List the messages of a broadcast',
    description: 'To find the people who get none, use `GET /customers?broadcast_message_non_recipients=`.',
    who,
    target: broadcastMessage,
    within: (t) => sql`${raw(t)}.broadcast_id = ${parent}`,
    filters: {
      status: filter(listOf(oneOf(MESSAGE_STATUSES)), (t, values) => sql`${raw(t)}.status = ANY(${values}::text[])`),
    },
    sort: { id: { by: at('id') } },
  }),
];
