import { changeCheckouts } from './change-checkouts.ts';
import { checkout } from './checkout.ts';
import { checkoutItem } from './items/checkout-item.ts';
import { CHECKOUT_PROBLEMS } from './problems.ts';
import { checkoutPayee } from './payment/payee.ts';
import { expireJob, sweepCheckouts } from './expire.ts';
import { explainCheckout } from './pricing/explain.ts';
import { FEED } from './feed.ts';
import { findCheckouts } from './find-checkouts.ts';
import { orderEndpoints } from './store/of-orders.ts';
import { itemEndpoints } from './items/item-endpoints.ts';
import { payCheckout } from './payment/pay-endpoint.ts';
import { payees } from '../../money/payments/index.ts';
import { DROP_IN_PROBLEMS, DROP_IN_REFUSES, dropInPayer } from './drop-in/payer.ts';
import { giveBackJob } from './drop-in/give-back.ts';
import { accountReasons } from '../../money/account-entries/index.ts';
import { attendanceProperties } from './drop-in/property.ts';
import { DROP_IN } from './drop-in/charge.ts';
import { payers } from '../../scheduling/schedule/index.ts';
import { heldCreditCheck } from './ledger-check.ts';
import { imageUses, usedIn } from '../../platform/images/index.ts';
import { ledgerChecks } from '../../money/ledger/index.ts';
import { TABLES } from './tables.ts';
import { UNFINISHED } from './notice-types.ts';
import { unfinishedJob } from './unfinished.ts';
import { readTranslations } from '../../../kernel/base/languages/translations.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { addItem, MAX_ITEMS } from './items/change-items.ts';
export type { NewItem } from './item-kinds/kind.ts';
export { openCheckout } from './change.ts';
export { checkout } from './checkout.ts';
export { takeTime } from './item-kinds/slots.ts';
export { checkReturnTo } from './payment/return-to.ts';
export { pollCheckout } from './payment/sync-payments.ts';
export { CHANGES as SALE_PROBLEMS, openOne, SLOT_REFUSALS } from './change-checkouts.ts';
export { SALE_ITEM, sell } from './sell.ts';
export { whoChecksOut } from './find-checkouts.ts';
export { keepOpen } from './expire.ts';
export { lockCustomerCheckouts } from './rows.ts';
export { checkoutOf, giveTicket } from './payment/ticket.ts';
export { CHECKOUT_PROBLEMS } from './problems.ts';
export { paidBy, paidFor, type Paid, type PaidBy } from './paid-bookings.ts';
export { PAID_TEXTS, returnedText, type PaidKey } from './paid-texts.ts';

export const checkouts: Area = {
  name: 'checkouts',
  description: 'Purchases of customers: their price, the items reserved for them, and their payment.',
  tables: TABLES,
  resources: [checkout, checkoutItem],
  endpoints: [...findCheckouts, ...changeCheckouts, ...itemEndpoints, explainCheckout, payCheckout, ...orderEndpoints],
  problems: { ...CHECKOUT_PROBLEMS, ...DROP_IN_PROBLEMS },
  translations: readTranslations('checkouts/refusals'),
  refuses: DROP_IN_REFUSES,
  properties: { attendance: attendanceProperties },
  feed: FEED,
  fills: [
    payees.with(checkoutPayee),
    payers.with(dropInPayer),
    accountReasons.with(DROP_IN),
    ledgerChecks.with(heldCreditCheck),
    imageUses.with(usedIn('checkout_item', 'checkout_item', 'The picture of a gift card.', 'gift_image_id')),
  ],
  notices: [UNFINISHED],
  jobs: [expireJob, giveBackJob, unfinishedJob],
  sweep: sweepCheckouts,
};
