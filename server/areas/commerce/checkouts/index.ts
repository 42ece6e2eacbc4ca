import { checkout } from './checkout.ts';
import { checkoutItem } from './checkout-item.ts';
import { DROP_IN_PROBLEMS, DROP_IN_REFUSES, dropInPayer } from './drop-in/payer.ts';
import { giveBackJob } from './drop-in/give-back.ts';
import { payers } from '../../scheduling/schedule/index.ts';
import type { Area } from '../../../kernel/api/area.ts';

export const checkouts: Area = {
  name: 'checkouts',
  description: 'What customers buy at one time: what it costs, what is held for it, and how it is paid.',
  tables: ['checkout', 'checkout_item', 'booking_payment'],
  resources: [checkout, checkoutItem],
  problems: DROP_IN_PROBLEMS,
  refuses: DROP_IN_REFUSES,
  fills: [payers.with(dropInPayer)],
  jobs: [giveBackJob],
};
