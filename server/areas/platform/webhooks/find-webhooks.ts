import { action, filter, one, staffWith, type Filter, listAndGet } from '../../../kernel/api/endpoint.ts';
import { checkActive } from './change-destinations.ts';
import { delivery, DELIVERY_STATUSES } from './delivery.ts';
import { destination, STATUSES } from './destination.ts';
import { id, instant, listOf, oneOf, text } from '../../../kernel/base/fields/kinds.ts';
import { raw, param, sql } from '../../../kernel/base/db/sql.ts';
import { NOT_RETRIED, resend } from './deliveries.ts';
import type { Input } from '../../../kernel/work/access/viewer.ts';

const who = staffWith('developer');

const among = (column: string, values: readonly string[]): Filter =>
  filter(listOf(oneOf(values)), (t, v) => sql`${raw(`${t}.${column}`)} = ANY(${v}::text[])`);

const bound = (name: string, operator: '>=' | '<='): Filter => {
  const at = param<Input>((i) => new Date(i.query[name]).toISOString());
  return filter(instant(), (t) => sql`${raw(`${t}.created_at ${operator}`)} ${at}::timestamptz`);
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const byId = (t: string) => raw(`${t}.id`);

const resend_delivery = action({
  path: '/webhook_deliveries/{id}/resend',
  silent: NOT_RETRIED,
  summary: 'Retry a webhook delivery',
  description:
    'Sends it immediately, whatever its status, with as many attempts as a new delivery and the same Service-Webhook-ID.',
  who,
  target: delivery,
  problems: ['conflict'],
  returns: one(delivery),
  run: async ({ work, target }) => {
    const to = await work.tx.one<{ status: string }>(
      sql`SELECT CASE WHEN deleted_at IS NULL THEN status ELSE 'deleted' END AS status FROM webhook_destination
        WHERE provider_id = ${work.providerId} AND id = ${target.destination_id}`,
    );
    checkActive(to!.status);
    await resend(work, target.id);
    return target.id;
  },
});

export const findWebhooks = [
  ...listAndGet(destination, {
    path: '/webhook_destinations',
    summary: 'List webhook destinations',
    get: 'Get a webhook destination',
    who,
    filters: {
      status: among('status', STATUSES),
      feed_item_type: filter(
        text({ max: 100 }).describe('Only those that this type is sent to.'),
        (t, v) => sql`${raw(t)}.feed_item_types @> ARRAY[${v}::text]`,
      ),
    },
    sort: { id: { by: byId }, url: { by: (t) => raw(`${t}.url`) } },
  }),
  ...listAndGet(delivery, {
    path: '/webhook_deliveries',
    summary: 'List webhook deliveries, newest first',
    get: 'Get a webhook delivery',
    who,
    filters: {
      destination: filter(id(), (t, v) => sql`${raw(t)}.destination_id = ${v}`),
      status: among('status', DELIVERY_STATUSES),
      feed_item_type: filter(
        listOf(text({ max: 100 })).describe('Comma-separated list of types.'),
        (t, v) => sql`${raw(t)}.kind = ANY(${v}::text[])`,
      ),
      feed_item: filter(
        id().describe('Only deliveries of the feed item with this number.'),
        (t, v) => sql`${raw(t)}.seq = ${v}`,
      ),
      webhook_id: filter(
        text({
          max: 36,
          pattern: UUID,
          hint: 'Must be a Service-Webhook-ID, for example f81d4fae-7dec-11d0-a765-00a0c91e6bf6.',
        }).describe('Only the delivery with this Service-Webhook-ID.'),
        (t, v) => sql`${raw(t)}.message_id = ${v}::uuid`,
      ),
      created_at_gte: bound('created_at_gte', '>='),
      created_at_lte: bound('created_at_lte', '<='),
    },
    sort: { id: { by: byId } },
    defaultSort: '-id',
  }),
  resend_delivery,
];
