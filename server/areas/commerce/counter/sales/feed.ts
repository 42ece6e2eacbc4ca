import { AMOUNTS } from '../shown.ts';
import { feedItemKind } from '../../../../kernel/work/feed/feed-item.ts';
import { ref, text } from '../../../../kernel/base/fields/kinds.ts';

const of = { counter_sale: ref('counter_sale'), customer: ref('customer').nullable(), invoice: ref('invoice') };

export const saleCreated = feedItemKind('counter_sale.created', {
  object: 'counter_sale',
  description: 'Something was sold and paid at the counter. `customer` is null for a walk-in customer.',
  payload: { ...of, amount: text() },
  shown: { amount: AMOUNTS },
});

export const saleRefunded = feedItemKind('counter_sale.refunded', {
  object: 'counter_sale',
  description: 'A sale at the counter was refunded, whole or in part.',
  payload: { ...of, credit_note: ref('invoice'), amount: text() },
  shown: { amount: AMOUNTS },
});

export const SALES_FEED = [saleCreated, saleRefunded];
