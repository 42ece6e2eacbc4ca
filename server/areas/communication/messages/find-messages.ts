import { customer } from '../../people/customers/index.ts';
import { filter, get, list, type Filter, type Who } from '../../../kernel/api/endpoint.ts';
import { instant, listOf, oneOf, text } from '../../../kernel/base/fields/kinds.ts';
import { raw, param, sql } from '../../../kernel/base/db/sql.ts';
import { CHANNELS, message, MESSAGE_STATUSES, PURPOSES } from './message.ts';
import type { Input } from '../../../kernel/work/access/viewer.ts';

/** Staff who look after customers; customers for their own messages. */
const whoReads: Who = { provider: ['customers'], customer: true, unregistered: false };

const ofCustomer = param<Input>((i) => i.id);
const at = (name: string) => (t: string) => raw(`${t}.${name}`);

const bound = (name: string, operator: '>=' | '<='): Filter => {
  const moment = param<Input>((i) => new Date(i.query[name]).toISOString());
  return filter(instant(), (t) => sql`${raw(`${t}.queued_at ${operator}`)} ${moment}::timestamptz`);
};

export const findMessages = [
  list(message, {
    path: '/customers/{id}/messages',
    summary: 'List the messages to a customer',
    description:
      'All messages from any source, newest first. For a child, the messages to the parents that are about the child. `expand=body` includes the text.',
    who: whoReads,
    filters: {
      channel: filter(oneOf(CHANNELS), (t, value) => sql`${raw(t)}.channel = ${value}`),
      purpose: filter(oneOf(PURPOSES), (t, value) => sql`${raw(t)}.purpose = ${value}`),
      kind: filter(text({ max: 60 }), (t, value) => sql`${raw(t)}.kind = ${value}`),
      status: filter(listOf(oneOf(MESSAGE_STATUSES)), (t, values) => sql`${raw(t)}.status = ANY(${values}::text[])`),
      queued_at_gte: bound('queued_at_gte', '>='),
      queued_at_lte: bound('queued_at_lte', '<='),
    },
    sort: { id: { by: at('id') }, queued_at: { by: at('queued_at') }, send_at: { by: at('send_at') } },
    defaultSort: '-id',
    target: customer,
    within: (t: string) => sql`(${raw(t)}.customer_id = ${ofCustomer} OR ${raw(t)}.about_customer_id = ${ofCustomer})`,
  }),
  get(message, {
    path: '/messages/{id}',
    summary: 'Get a message',
    description: '`expand=body` includes the text.',
    who: whoReads,
  }),
];
