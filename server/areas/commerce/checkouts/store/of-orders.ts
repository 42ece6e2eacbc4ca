/** Payment of store orders: checking one out, and cancelling one whose payment may be running. */
import { action, create, one, type AfterCall } from '../../../../kernel/api/endpoint.ts';
import { addItems, removeItem } from '../items/change-items.ts';
import { boolean, instant, oneOf, ref, text, uri } from '../../../../kernel/base/fields/kinds.ts';
import { cancel } from '../cancel.ts';
import {
  cancelOpenOrder,
  changeOrder,
  checkChangeable,
  currentOrder,
  customerOf,
  endWhenUnlocked,
  lockedNow,
  lockedOtherwise,
  lockOrder,
  noOrder,
  ORDER_VALUES,
  orderItems,
  storeOrder,
  takeBack,
  whoOrders,
  wrongStatus,
  type OrderRow,
} from '../../store/index.ts';
import { CHANGES } from '../change-checkouts.ts';
import { checkActsFor } from '../../../people/customers/index.ts';
import { checkout } from '../checkout.ts';
import { CHECKOUT_PROBLEMS } from '../problems.ts';
import { checkReturnTo } from '../payment/return-to.ts';
import { countGuess } from '../../discount-codes/index.ts';
import { syncPayment } from '../../../money/payments/index.ts';
import { endCheckout } from '../ending.ts';
import { invalid, Problem } from '../../../../kernel/base/problem.ts';
import { itemsOf, lockCheckout, type CheckoutRow, type ItemRow } from '../rows.ts';
import { lockHeld } from '../reservations/held.ts';
import { openCheckout } from '../change.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/**
 * Checkouts are locked before orders: returns those that have not ended and contain an item of the order, locked by id.
 */
async function checkoutsOf(work: Work, order: number): Promise<CheckoutRow[]> {
  const rows = await work.tx.rows<{ id: number }>(sql`
    SELECT DISTINCT k.id FROM store_order_item o
      JOIN checkout_item i ON i.provider_id = o.provider_id AND i.store_order_item_id = o.id
      JOIN checkout k ON k.provider_id = i.provider_id AND k.id = i.checkout_id
    WHERE o.provider_id = ${work.providerId} AND o.store_order_id = ${order} AND k.status IN ('open', 'pending')
    ORDER BY 1`);
  const found: CheckoutRow[] = [];
  for (const { id } of rows) found.push(await lockCheckout(work, id));
  const items: ItemRow[] = [];
  for (const { id } of found) items.push(...(await itemsOf(work, id)));
  // Includes the other items of these checkouts: they are released under the same locks.
  await lockHeld(work, items);
  return found;
}

/** Removes the items of an order from an open checkout; ends the checkout if nothing else is in it. */
async function takeOut(work: Work, open: CheckoutRow, ordered: ReadonlySet<number>): Promise<void> {
  const items = await itemsOf(work, open.id);
  const mine = items.filter((item) => ordered.has(item.store_order_item_id ?? 0));
  const goes = ({ id, with_item_id: with_ }: ItemRow) => mine.some((one) => one.id === id || one.id === with_);
  if (items.every(goes)) return endCheckout(work, open, 'cancelled');
  for (const item of mine) await removeItem(work, open, item);
}

async function takeOutOfAll(work: Work, checkouts: readonly CheckoutRow[], order: OrderRow): Promise<void> {
  const ordered = new Set((await orderItems(work, order.id)).map(({ id }) => id));
  for (const one of checkouts) if (one.status === 'open') await takeOut(work, one, ordered);
}

const checkOut = create(checkout, {
  path: '/store/orders/checkout',
  summary: 'Check out an order',
  description:
    'Creates a checkout with everything in the order and holds the stock for it. Pay it with `POST /checkouts/{id}/pay`. A checkout of the same order that is still open is replaced.',
  who: whoOrders,
  body: {
    store_order: ref('store_order').optional().describe('If left out, the current order of the customer.'),
    customer: ref('customer')
      .optional()
      .describe('Customer whose current order is used. Do not send it with `store_order`.'),
    discount_code: text({ max: 100 }).nullable().optional(),
    return_to: uri(1000).nullable().optional(),
    use_account_credit: boolean().optional(),
    ...ORDER_VALUES,
  },
  problems: [...CHANGES, CHECKOUT_PROBLEMS.checkout_empty, 'not_found'],
  run: async ({ work, ip, charge, body: { store_order: named, customer, delivery_address, note, ...values } }) => {
    countGuess({ work, ip, charge }, values.discount_code);
    if (named !== undefined && customer !== undefined)
      throw invalid('customer', 'Send either this or store_order, not both.');
    if (values.return_to) await checkReturnTo(work, values.return_to);
    const id = named ?? (await currentOrder(work, await customerOf(work, customer)));
    if (id === null) throw noOrder();
    const before = await checkoutsOf(work, id);
    const order = await lockOrder(work, id);
    await checkActsFor(work, order.customer_id);
    checkChangeable(order);
    await changeOrder(work, order, { delivery_address, note });
    await takeOutOfAll(work, before, order);
    const items = await orderItems(work, id);
    if (items.length === 0)
      throw new Problem(CHECKOUT_PROBLEMS.checkout_empty, {
        staff: 'Nothing is in the order. Add an item first.',
        customer: 'Your cart is empty.',
      });
    const made = await openCheckout(work, { ...values, customer: order.customer_id });
    await addItems(
      work,
      await lockCheckout(work, made),
      items.map((item) => ({
        item_type: 'STR_PRO',
        customer_id: order.customer_id,
        store_product_variant_id: item.store_product_variant_id,
        store_order_item_id: item.id,
        quantity: item.quantity,
      })),
      { checked: true },
    );
    return made;
  },
});

const cancelOrder = action({
  path: '/store/orders/{id}/cancel',
  summary: 'Cancel an order',
  description:
    'An open order ends. While a payment for it is under way, send its `locked_at`: the payment processor is asked to stop the payment, and the order ends if it was stopped. Of a paid order, staff can cancel what was not handed over: it returns to stock, and what was paid for it is given back.',
  who: whoOrders,
  target: storeOrder,
  body: {
    locked_at: instant()
      .nullable()
      .optional()
      .describe('As the order has it. If it is another one, nothing is cancelled.'),
    give_back: oneOf(['account_credit', 'refund'])
      .default('account_credit')
      .describe('Paid orders only. `refund`: the payment is refunded the way it was made.'),
    give_back_delivery_fee: boolean()
      .optional()
      .describe(
        'Paid orders only: whether the delivery fee is returned too. If left out, it is returned if nothing was handed over.',
      ),
    reason: text({ max: 1000 }).optional().describe('Why a paid order is cancelled. Customers read it too.'),
  },
  unlocked: true,
  problems: [...CHANGES, CHECKOUT_PROBLEMS.already_paid],
  returns: one(storeOrder),
  run: async ({ work, target, body }) => {
    const checkouts = await checkoutsOf(work, target.id);
    const order = await lockOrder(work, target.id);
    await checkActsFor(work, order.customer_id);
    if (body.locked_at !== undefined && body.locked_at !== order.locked_at) throw lockedOtherwise();
    if (order.locked_at !== null) {
      if (body.locked_at === undefined) throw lockedNow();
      await stopPaying(work, order, checkouts);
    } else if (order.status === 'open') {
      await takeOutOfAll(work, checkouts, order);
      await cancelOpenOrder(work, order);
    } else if (order.status === 'paid' && work.viewer.mode === 'provider') {
      await cancelPaid(work, order, {
        why: body.reason ?? 'The order was cancelled.',
        giveBack: (body.give_back ?? 'account_credit') as 'account_credit' | 'refund',
        delivery: body.give_back_delivery_fee,
      });
    } else throw wrongStatus(order.status);
    return order.id;
  },
  afterwards: async (call) => {
    const payment = await runningPayment(call);
    if (payment === null) return;
    await syncPayment(call, payment);
    await checkStopped(call);
  },
});

/** Stops the running payment of an order. The order ends as soon as it is certain that nothing was paid. */
async function stopPaying(work: Work, order: OrderRow, checkouts: readonly CheckoutRow[]): Promise<void> {
  const running = checkouts.find(({ id }) => id === order.locked_for_id);
  // The payment has just ended, and the order is about to be unlocked or paid.
  if (!running) throw lockedNow();
  await endWhenUnlocked(work, order);
  await cancel(work, running);
}

/** Items that were handed over stay with the customer; everything else is returned. */
async function cancelPaid(
  work: Work,
  order: OrderRow,
  {
    delivery,
    ...how
  }: { readonly why: string; readonly giveBack: 'account_credit' | 'refund'; readonly delivery?: boolean },
): Promise<void> {
  const items = await orderItems(work, order.id);
  const parts = items
    .filter((item) => item.delivered_at === null && item.returned_quantity < item.quantity)
    .map((item) => ({ item, quantity: item.quantity - item.returned_quantity }));
  const nothingGone = items.every((item) => item.delivered_at === null);
  await takeBack(work, order, parts, { ...how, restock: true, as: 'cancelled', delivery: delivery ?? nothingGone });
}

/** Returns the payment to stop. */
async function runningPayment({ db, tenant: { providerId }, id }: AfterCall): Promise<number | null> {
  const row = await db.looking(providerId, (tx) =>
    tx.one<{ payment: number | null }>(sql`
      SELECT k.payment_id AS payment FROM store_order o
      JOIN checkout k ON k.provider_id = o.provider_id AND k.id = o.locked_for_id
      WHERE o.provider_id = ${providerId} AND o.id = ${id} AND o.cancelling AND k.status = 'pending'`),
  );
  return row?.payment ?? null;
}

/** Refuses if it was too late: the money has arrived, and the order is paid. */
async function checkStopped({ db, tenant: { providerId }, id }: AfterCall): Promise<void> {
  const row = await db.looking(providerId, (tx) =>
    tx.one<{ status: string }>(sql`SELECT status FROM store_order WHERE provider_id = ${providerId} AND id = ${id}`),
  );
  if (row!.status === 'paid')
    throw new Problem(CHECKOUT_PROBLEMS.already_paid, {
      staff: 'The payment arrived before it could be stopped, so the order is paid. Cancel the paid order instead.',
      customer: 'Your payment had already arrived, so the order is paid.',
    });
}

export const orderEndpoints = [checkOut, cancelOrder];
