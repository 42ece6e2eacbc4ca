/**
 * The successful end of a checkout: the customer receives its items, and the invoice records what was paid for them.
 */
import { accountCreditOf, checkCredit, giveBackCredit } from './payment/credit.ts';
import { issueInvoice, type NewLine } from '../../money/invoices/index.ts';
import { askCancel, type PaidPayment } from '../../money/payments/index.ts';
import { checkoutFeed } from './feed.ts';
import { confirmUse, reserveUse } from '../discount-codes/index.ts';
import { creditsUsed } from './pricing/pricing.ts';
import { instant, json, sql } from '../../../kernel/base/db/sql.ts';
import { kindOf } from './item-kinds/index.ts';
import { lockToTake } from './reservations/held.ts';
import { takeAgain } from './reservations/retake.ts';
import { rollBackAfter } from '../../../kernel/work/unit/roll-back-after.ts';
import { updateRowLater } from '../../../kernel/work/unit/row.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import type { CheckoutRow, ItemRow } from './rows.ts';
import type { Got } from './item-kinds/kind.ts';
import type { ItemType } from './item-kinds/types.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Payment details of a completed checkout. */
interface Paid {
  /** null if nothing is left to pay, or it is paid later */
  readonly payment: PaidPayment | null;
  /** the invoice stays unpaid, because the customer will pay at the desk */
  readonly later?: boolean;
}

type Bought = ReadonlyMap<number, Got>;

/**
 * Completes a locked checkout and returns the id of its invoice. If anything is no longer available, it refuses and the
 * customer gets nothing. Also works for a payment that arrives late: released reservations are made again.
 */
export async function complete(
  work: Work,
  checkout: CheckoutRow,
  ordered: readonly ItemRow[],
  paid: Paid,
): Promise<number> {
  const items = await takeAgain(work, checkout, ordered);
  const got = await fulfil(work, checkout, items);
  await useCode(work, checkout, items, got);
  const invoice = await bill(work, checkout, items, got, paid);
  keepResults(work, got);
  for (const [kind, mine] of Map.groupBy(items, kindOf))
    await kind.billed?.(
      work,
      mine.map((item) => got.get(item.id)!.id),
      invoice,
    );
  await stopOther(work, checkout, paid.payment);
  updateRowLater(work, 'checkout', checkout.id, {
    status: 'completed',
    ending: null,
    payment_error: null,
    payment_id: paid.payment?.id ?? null,
    invoice_id: invoice,
    ended_at: instant(work.now),
  });
  const of = { checkout: checkout.id, customer: checkout.customer_id };
  work.record(checkoutFeed.completed, checkout.id, { ...of, invoice, payment: paid.payment?.id ?? null });
  work.effect('checkout_completed', 'checkout', checkout.id, { invoice, total_minor: checkout.total_minor });
  return invoice;
}

/** Items that others depend on come first; reservations are locked before everything else, in their order. */
async function fulfil(work: Work, checkout: CheckoutRow, items: readonly ItemRow[]): Promise<Bought> {
  await lockToTake(work, items);
  const used = creditsUsed(
    checkout.total_minor,
    items.map((item) => item.credit_minor),
  );
  const got = new Map<number, Got>();
  const give = async (item: ItemRow): Promise<void> => {
    const { listPrice, discount } = item.price;
    const creditUsed = used[items.indexOf(item)];
    got.set(
      item.id,
      await kindOf(item).fulfil(work, { checkout, item, items, paid: listPrice - discount, creditUsed, got }),
    );
  };
  const inOrder = items.toSorted((a, b) => kindOf(a).rank - kindOf(b).rank || a.id - b.id);
  for (const item of inOrder.filter((one) => !kindOf(one).independent)) await give(item);
  // All of them settle before anything is rolled back.
  const done = await Promise.allSettled(inOrder.filter((one) => kindOf(one).independent).map(give));
  for (const one of done) if (one.status === 'rejected') throw one.reason;
  return got;
}

/** Checks that everything is still available, for items where only trying shows it. */
export async function tryItems(work: Work, checkout: CheckoutRow, items: readonly ItemRow[]): Promise<void> {
  if (items.some((item) => kindOf(item).checkedByTrial))
    await rollBackAfter(work, (trial) => fulfil(trial, checkout, items));
}

/**
 * Uses the discount code. For a late payment, the use was already released, so it is reserved again or refused.
 * Recurring plans keep their part of the discount for later billing periods.
 */
async function useCode(work: Work, checkout: CheckoutRow, items: readonly ItemRow[], got: Bought): Promise<void> {
  const { id, customer_id: customer, discount_code_id: code } = checkout;
  if (code === null) return;
  await reserveUse(work, { code, checkout: id, customer });
  const plans = items
    .filter(({ item_type: type }) => RECURRING.has(type))
    .map((item) => ({ customerMembership: got.get(item.id)!.id, discount: item.price.discount }));
  await confirmUse(work, { checkout: id, amount: checkout.discount_minor, plans });
}

const RECURRING: ReadonlySet<ItemType> = new Set<ItemType>(['MEM_RECUR', 'MEM_RECUR_UP', 'MEM_RECUR_DOWN']);

async function bill(
  work: Work,
  checkout: CheckoutRow,
  items: readonly ItemRow[],
  got: Bought,
  { payment, later = false }: Paid,
): Promise<number> {
  const credit = await accountCreditOf(checkout, items);
  const held = checkout.status === 'pending' && payment !== null && payment.id === checkout.payment_id;
  if (!held) {
    await giveBackCredit(work, checkout, items);
    await checkCredit(work, checkout.customer_id, credit);
  }
  const { id: invoice } = await issueInvoice(work, {
    payer: checkout.customer_id,
    about: { object: 'checkout', id: checkout.id },
    dueOn: wallAt(work.now, work.tenant.zone).date,
    lines: items.flatMap((item) => linesOf(item, got.get(item.id)!)),
    discountCode: await codeOf(work, checkout),
    pendingOffline: later,
    credit: credit > 0 ? { amount: credit, from: held ? 'credit_held' : 'credit' } : undefined,
    payment: payment
      ? { payment: payment.id, processor: payment.processor, amount: payment.amount, from: 'clearing' }
      : undefined,
  });
  return invoice;
}

/** Returns the lines for the purchase, and the credit for the membership that it replaces. */
function linesOf(item: ItemRow, { object, id, name, entry, price, line, credits = [] }: Got): NewLine[] {
  const type = line ?? kindOf(item).line();
  const common = { type, customer: item.customer_id, billed: { object, id, name } };
  return [
    {
      ...common,
      description: item.description,
      quantity: item.quantity,
      price: price ?? item.price,
      accountEntry: entry,
    },
    ...credits.map((credit) => ({
      ...common,
      customer: credit.customer,
      description: credit.description,
      quantity: 1,
      price: credit.price,
      accountEntry: credit.entry,
    })),
  ];
}

async function codeOf(
  { tx, providerId }: Work,
  { discount_code_id: id }: CheckoutRow,
): Promise<{ id: number; code: string; name: string } | null> {
  if (id === null) return null;
  const found = await tx.one<{ id: number; code: string; name: string }>(
    sql`SELECT id, code, name FROM discount_code WHERE provider_id = ${providerId} AND id = ${id}`,
  );
  return found!;
}

function keepResults(work: Work, got: Bought): void {
  const rows = [...got].map(([id, result]) => ({ id, result_object: result.object, result_id: result.id }));
  work.tx.later(sql`UPDATE checkout_item i SET result_object = n.result_object, result_id = n.result_id,
      updated_at = ${instant(work.now)}
    FROM jsonb_populate_recordset(NULL::checkout_item, ${json(rows)}::jsonb) n
    WHERE i.provider_id = ${work.providerId} AND i.id = n.id`);
}

/** Stops the running payment when an earlier payment arrives after all: nobody may pay twice. */
async function stopOther(work: Work, { payment_id, status }: CheckoutRow, payment: PaidPayment | null): Promise<void> {
  if (status === 'pending' && payment_id !== null && payment_id !== payment?.id) await askCancel(work, payment_id);
}
