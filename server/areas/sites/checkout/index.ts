import type { Area } from '../../../kernel/api/area.ts';
import { initiatePurchase } from './initiate.ts';

export { checkoutRoutes } from './routes.ts';
export { TO_PAY, addressIn, beginCheckout, fillCheckout, pageOfCheckout } from './begin.ts';
export { checkoutPath } from './path.ts';

/** The page of a checkout, where customers pay, and its address. */
export const checkout: Area = {
  name: 'checkout',
  description: 'The page of a checkout, where customers pay, and its address.',
  endpoints: initiatePurchase,
};
