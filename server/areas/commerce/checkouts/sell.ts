/**
 * A sale at the desk: a checkout that staff open, fill and complete in one transaction. Its invoice is due immediately,
 * and the same staff member takes the money in the same transaction. So either everything happens or nothing.
 */
import { addAnItem } from './change-checkouts.ts';
import { addItem, changeItem } from './items/change-items.ts';
import type { NewItem } from './item-kinds/kind.ts';
import { checkFamily, readItem } from './items/new-item.ts';
import { lockHeld } from './reservations/held.ts';
import { stopPolling } from './expire.ts';
import { NOTHING } from './item-kinds/kind.ts';
import { openCheckout } from './change.ts';
import { amountDue, itemsOf, lockCheckout, readCheckout, type CheckoutRow } from './rows.ts';
import { integer } from '../../../kernel/base/fields/kinds.ts';
import { invalid, Problem, Refused } from '../../../kernel/base/problem.ts';
import { handOverSold } from '../store/index.ts';
import { kindOf } from './item-kinds/index.ts';
import { checkForWalkIn } from './walk-in.ts';
import { pay } from './payment/pay.ts';
import { settle } from './settle.ts';
import { RetryTransaction } from '../../../kernel/base/db/retry-transaction.ts';
import type { Shape, ValueOf } from '../../../kernel/base/fields/field.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** An item of a sale: the body of `POST /checkouts/{id}/add_item`, and a quantity. */
export const SALE_ITEM = {
  ...(addAnItem.body as Shape),
  quantity: integer({ min: 1, max: 100 }).optional().describe('1 if left out.'),
};

interface Sale {
  /** id of the payer */
  readonly customer: number;
  /** true if the customer record represents a person without a name */
  readonly walkIn: boolean;
  readonly items: readonly ValueOf<typeof SALE_ITEM>[];
  readonly discountCode?: string | null;
  readonly useAccountCredit?: boolean;
  /** minor units: the total that the payer agreed to; absent: any total is accepted */
  readonly total?: number;
}

/** Ids, and amounts in minor units. */
interface Sold {
  readonly checkout: number;
  readonly invoice: number;
  readonly total: number;
  /** amount that account credit and replaced memberships have paid */
  readonly credit: number;
  /** amount of the invoice left to pay */
  readonly due: number;
}

/** @throws Problem that names the item that can't be bought */
export async function sell(work: Work, sale: Sale): Promise<Sold> {
  const { customer, discountCode, useAccountCredit } = sale;
  const id = await openCheckout(work, {
    customer,
    discount_code: discountCode,
    use_account_credit: useAccountCredit,
    taken_along: true,
  });
  const empty = await lockCheckout(work, id);
  const wanted: NewItem[] = [];
  for (const [n, body] of sale.items.entries()) wanted.push(await aboutItem(n, () => readOne(work, empty, body, sale)));
  // Everything is locked before anything is reserved: otherwise, two sales of the same things could deadlock.
  await lockHeld(
    work,
    wanted.map((item) => ({ ...NOTHING, ...item })),
  );
  for (const [n, item] of wanted.entries())
    await aboutItem(n, () => addOne(work, id, item, sale.items[n].quantity as number | undefined));
  const filled = await lockCheckout(work, id);
  // It applies to nothing, or its last use is gone. A checkout shows that; a sale would charge the full price.
  if (filled.discount_code !== null && filled.discount_code_id === null)
    await settle(work, filled, await itemsOf(work, id), { newCode: true });
  const refused = await pay(work, filled, {
    total: sale.total,
    later: true,
    returnTo: '',
    cancelTo: '',
    asIfPaid: false,
  });
  if (refused instanceof Refused) {
    // Nobody has seen a price of this checkout: if it changed since the items were added, the sale is priced again.
    if ((sale.total ?? filled.total_minor) === filled.total_minor)
      throw new RetryTransaction('prices or account credit changed in between');
    throw refused.problem;
  }
  if (wanted.some((item) => item.item_type === 'STR_PRO')) await handOverSold(work, await productsOf(work, id));
  stopPolling(work, id);
  const done = await readCheckout(work, id);
  return {
    checkout: id,
    invoice: done.invoice_id!,
    total: done.total_minor,
    credit: done.credit_minor,
    due: amountDue(done),
  };
}

/** Returns the products that the customer takes along: items of store orders. */
const productsOf = async (work: Work, id: number): Promise<number[]> =>
  (await itemsOf(work, id)).flatMap(({ result_object, result_id }) =>
    result_object === 'store_order_item' ? [result_id as number] : [],
  );

async function readOne(
  work: Work,
  checkout: CheckoutRow,
  { quantity, ...body }: Sale['items'][number],
  { walkIn }: Sale,
): Promise<NewItem> {
  const asked = await readItem(work, checkout, body as Parameters<typeof readItem>[2]);
  const kind = kindOf(asked);
  if (walkIn) checkForWalkIn(kind);
  if (((quantity as number | undefined) ?? 1) > 1 && !kind.several)
    throw invalid('quantity', 'Only one can be bought at a time.');
  await checkFamily(work, checkout, asked.customer_id);
  return asked;
}

async function addOne(work: Work, id: number, item: NewItem, quantity: number = 1): Promise<void> {
  const added = await addItem(work, await lockCheckout(work, id), item);
  if (quantity === 1) return;
  const row = (await itemsOf(work, id)).find((one) => one.id === added)!;
  if (row.quantity !== quantity) await changeItem(work, await lockCheckout(work, id), row, { quantity });
}

/** Reports problems with an item under its position in the list. */
async function aboutItem<T>(n: number, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const at = `items.${n}`;
    const fields = Object.entries(error.fields).map(([name, texts]) => [`${at}.${name}`, texts]);
    const message = error.code === 'parameter_invalid' ? `${at}.${error.message}` : error.message;
    throw new Problem(error.kind, message, Object.fromEntries(fields.length > 0 ? fields : [[at, [error.message]]]));
  }
}
