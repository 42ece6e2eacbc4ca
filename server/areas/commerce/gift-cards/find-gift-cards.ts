import { date, id, instant, listOf, oneOf } from '../../../kernel/base/fields/kinds.ts';
import { filter, type Filter, type Who, listAndGet } from '../../../kernel/api/endpoint.ts';
import { billedBy } from './row.ts';
import { deliveryStatusIn, giftCard, statusIn } from './gift-card.ts';
import { param, raw, sql } from '../../../kernel/base/db/sql.ts';
import { DELIVERY_STATUSES, STATUSES } from './rules/state.ts';
import type { Input } from '../../../kernel/work/access/viewer.ts';

const who: Who = { provider: ['super_admin', 'store', 'pos'], customer: true, unregistered: false };

const ids = (column: string): Filter =>
  filter(listOf(id()), (t, wanted) => sql`${raw(`${t}.${column}`)} = ANY(${wanted}::bigint[])`);

const purchasedBound = (name: string, operator: '>=' | '<='): Filter => {
  const at = param<Input>((i) => new Date(i.query[name]).toISOString());
  return filter(instant(), (t) => sql`${raw(`${t}.purchased_at ${operator}`)} ${at}::timestamptz`);
};

export const findGiftCards = [
  ...listAndGet(giftCard, {
    path: '/gift_cards',
    summary: 'List gift cards',
    get: 'Get a gift card',
    description: 'Customers see those that they and their family bought or redeemed.',
    who,
    filters: {
      status: filter(listOf(oneOf(STATUSES)), (t, wanted) => sql`${statusIn(t)} = ANY(${wanted}::text[])`),
      delivery_status: filter(
        listOf(oneOf(DELIVERY_STATUSES)),
        (t, wanted) => sql`${deliveryStatusIn(t)} = ANY(${wanted}::text[])`,
      ),
      invoice: filter(
        id().describe('The gift cards that this invoice billed.'),
        (t, invoice) => sql`EXISTS (SELECT ${billedBy(t)} AND i.id = ${invoice})`,
      ),
      purchaser: ids('purchaser_id'),
      recipient: ids('recipient_id'),
      redeemed_by: ids('redeemed_by_id'),
      deliver_on_date: filter(date(), (t, day) => sql`${raw(`${t}.deliver_on`)} = ${day}::date`),
      purchased_at_gte: purchasedBound('purchased_at_gte', '>='),
      purchased_at_lte: purchasedBound('purchased_at_lte', '<='),
    },
    sort: {
      id: { by: (t) => raw(`${t}.id`) },
      purchased_at: { by: (t) => raw(`${t}.purchased_at`) },
      deliver_on_date: { by: (t) => raw(`${t}.deliver_on`) },
    },
  }),
];
