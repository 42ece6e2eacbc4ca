import { checkout } from './checkout.ts';
import { checkoutItem } from './checkout-item.ts';
import type { Area } from '../../../kernel/api/area.ts';

export const checkouts: Area = {
  name: 'checkouts',
  description: 'What customers buy at one time: what it costs, what is held for it, and how it is paid.',
  tables: ['checkout', 'checkout_item'],
  resources: [checkout, checkoutItem],
};
