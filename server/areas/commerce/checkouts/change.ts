/**
 * Every change of a checkout. Its row is locked by the caller. A change ends with `settle`: seats are held for longer,
 * everything is priced again, and the use of the code is held or given back.
 */
import { extendHolds, holdSeats } from '../../scheduling/schedule/index.ts';
import { changedNames, insertRow, updateRow } from '../../../kernel/db/row.ts';
import { checkoutCreated, checkoutUpdated, itemAdded, itemRemoved, itemUpdated } from './feed.ts';
import { DISCOUNT_PROBLEMS, releaseUse, reserveUse } from '../discount-codes/index.ts';
import { instant, json, sql } from '../../../kernel/db/sql.ts';
import { invalid, Problem } from '../../../kernel/api/problem.ts';
import { itemsOf, lockSeats, type CheckoutRow, type ItemRow } from './rows.ts';
import { keepPrice, priceNow, type Priced } from './reprice.ts';
import { kindOf } from './item-kinds/index.ts';
import { lookAgain } from './expire.ts';
import { NOTHING, type Wanted } from './item-kinds/kind.ts';
import { plainPrice } from './pricing.ts';
import { releaseItems } from './ending.ts';
import { expiryOf, OPEN_MS, SEATS } from './times.ts';
import { tryItems } from './complete.ts';
import type { ItemType } from './item-kinds/types.ts';
import type { Work } from '../../../kernel/work.ts';

/** More than a large family buys at one time. */
export const ITEMS_AT_MOST = 50;
/** Checkouts of one payer that are open at the same time. */
const OPEN_AT_ONCE = 20;

export interface NewCheckout {
  readonly customer: number;
  readonly discount_code?: string | null;
  readonly return_to?: string | null;
  readonly use_account_credit?: boolean;
}

/** Opens a checkout and returns its id. */
export async function openCheckout(work: Work, asked: NewCheckout): Promise<number> {
  await checkFew(work, asked.customer);
  const expires = work.now + OPEN_MS;
  const id = await insertRow(work, 'checkout', {
    customer_id: asked.customer,
    return_to: asked.return_to ?? null,
    use_account_credit: asked.use_account_credit ?? false,
    discount_code: asked.discount_code ?? null,
    expires_at: instant(expires),
  });
  work.record(checkoutCreated, id, { checkout: id, customer: asked.customer });
  lookAgain(work, id, expires);
  if (typeof asked.discount_code === 'string') {
    const [row] = await work.tx.rows<CheckoutRow>(
      sql`SELECT * FROM checkout WHERE provider_id = ${work.providerId} AND id = ${id}`,
    );
    await settle(work, row, { newCode: true });
  }
  return id;
}

/** Customers open pages again and again; staff serve one after the other. */
async function checkFew({ tx, providerId }: Work, customer: number): Promise<void> {
  const { open } = (await tx.one<{ open: number }>(
    sql`SELECT count(*)::int AS open FROM checkout WHERE provider_id = ${providerId} AND customer_id = ${customer} AND status = 'open'`,
  ))!;
  if (open >= OPEN_AT_ONCE)
    throw new Problem('conflict', {
      staff: `The customer has ${open} open checkouts. Complete or cancel one of them first.`,
      customer: 'You have begun too many purchases. Finish or cancel one of them first.',
    });
}

export interface CheckoutValues {
  readonly customer?: number;
  readonly discount_code?: string | null;
  readonly return_to?: string | null;
  readonly use_account_credit?: boolean;
}

/** Changes what it says of itself; absent values stay. What changes nothing moves nothing. */
export async function changeCheckout(work: Work, checkout: CheckoutRow, sent: CheckoutValues): Promise<void> {
  const now = { ...checkout, customer: checkout.customer_id } as Record<string, unknown>;
  const values: CheckoutValues = Object.fromEntries(
    Object.entries(sent).filter(([name, value]) => value !== undefined && value !== now[name]),
  );
  if (changedNames(values).length === 0) return;
  const { customer, ...rest } = values;
  if (customer !== undefined && customer !== checkout.customer_id) await checkNewPayer(work, checkout, customer);
  const code = rest.discount_code === null ? NO_CODE : {};
  await updateRow(work, 'checkout', checkout.id, { ...rest, ...code, customer_id: customer });
  const to = { ...checkout, ...definedOf(rest), ...(customer !== undefined && { customer_id: customer }) };
  await settle(work, to as CheckoutRow, { newCode: typeof values.discount_code === 'string' });
  work.record(checkoutUpdated, checkout.id, {
    checkout: checkout.id,
    customer: to.customer_id,
    changed: changedNames(values),
  });
}

/** What is known of a code goes with it. */
const NO_CODE = { discount_code_id: null, discount_code_error: null };

const definedOf = (values: object): object =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

/** What is in a checkout is for the family of who pays. */
async function checkNewPayer(work: Work, checkout: CheckoutRow, customer: number): Promise<void> {
  if ((await itemsOf(work, checkout.id)).length > 0)
    throw invalid('customer', 'Can only be changed while nothing is in the checkout. Create another one.');
  await checkFew(work, customer);
}

export interface NewItem extends Partial<Wanted> {
  readonly item_type: ItemType;
  readonly customer_id: number;
}

/** Adds an item with what comes with it, holds its seat, and returns its id. */
export async function addItem(work: Work, checkout: CheckoutRow, asked: NewItem): Promise<number> {
  const items = await itemsOf(work, checkout.id);
  const kind = kindOf(asked);
  const wanted: Wanted = { ...NOTHING, ...asked };
  if (items.length >= ITEMS_AT_MOST) throw invalid('item_type', `A checkout has at most ${ITEMS_AT_MOST} items.`);
  await kind.check(work, wanted, { checkout, items });
  if (kind.seat) await lockSeats(work, [...items, wanted]);
  const item = await insertItem(work, checkout, kind.type, wanted, null);
  const brought = await kind.brings?.(work, item);
  if (brought) {
    const { type, ...columns } = brought;
    await insertItem(work, checkout, type, columns, item.id);
  }
  if (kind.seat) {
    const until = expiryOf(work.now, checkout.created_at);
    const by = { object: SEATS, id: item.id };
    await holdSeats(work, [{ event: item.event_id!, customer: item.customer_id, until, by }]);
  }
  const priced = await settle(work, checkout);
  await tryItems(work, checkout, priced.items);
  return item.id;
}

async function insertItem(
  work: Work,
  checkout: CheckoutRow,
  type: ItemType,
  { customer_id, ...wanted }: Wanted,
  withItem: number | null,
): Promise<ItemRow> {
  const id = await insertRow(work, 'checkout_item', {
    ...Object.fromEntries(Object.keys(NOTHING).map((name) => [name, wanted[name as keyof typeof NOTHING]])),
    checkout_id: checkout.id,
    item_type: type,
    customer_id,
    with_item_id: withItem,
    description: type,
    // Until it is priced, in the same transaction.
    standard_unit_price_minor: 0,
    total_minor: 0,
    price: json(plainPrice(0)),
  });
  work.record(itemAdded, id, told(checkout, id));
  work.effect('item_added', 'checkout_item', id, { checkout: checkout.id, item_type: type, customer: customer_id });
  const [row] = await work.tx.rows<ItemRow>(
    sql`SELECT * FROM checkout_item WHERE provider_id = ${work.providerId} AND id = ${id}`,
  );
  return row;
}

const told = (checkout: CheckoutRow, item: number) => ({
  checkout: checkout.id,
  customer: checkout.customer_id,
  checkout_item: item,
});

/** Removes an item, and what came with it. */
export async function removeItem(work: Work, checkout: CheckoutRow, item: ItemRow): Promise<void> {
  const items = await itemsOf(work, checkout.id);
  const needed = items.find((one) => one.customer_membership_item_id === item.id);
  if (needed)
    throw new Problem('in_use', {
      staff: `The membership pays for ${needed.description}, which is in the checkout too. Remove that first.`,
      customer: `This membership pays for ${needed.description}. Remove that first.`,
    });
  await lockSeats(work, items);
  const going = items.filter((one) => one.id === item.id || one.with_item_id === item.id);
  await releaseItems(work, going);
  for (const one of going.toReversed()) {
    work.touch('checkout_item', one.id, one);
    await work.tx.run(sql`DELETE FROM checkout_item WHERE provider_id = ${work.providerId} AND id = ${one.id}`);
    work.record(itemRemoved, one.id, told(checkout, one.id));
    work.effect('item_removed', 'checkout_item', one.id, { checkout: checkout.id, item_type: one.item_type });
  }
  await settle(work, checkout);
}

export interface ItemValues {
  readonly quantity?: number;
  readonly unit_price_minor?: number | null;
  readonly recurring_price_minor?: number | null;
}

/** Changes how many, or for what price; absent values stay, and null is the standard price. */
export async function changeItem(work: Work, checkout: CheckoutRow, item: ItemRow, values: ItemValues): Promise<void> {
  work.touch('checkout_item', item.id, item);
  await updateRow(work, 'checkout_item', item.id, { ...values });
  await settle(work, checkout);
  const changed = changedNames(values).map((name) => name.replace(/_minor$/, ''));
  work.record(itemUpdated, item.id, { ...told(checkout, item.id), changed });
}

/**
 * After a change: what is held is held for longer, and everything is priced again. Locks come in their order: events,
 * then what is priced, then the code. `newCode`: the caller has just entered it, so whatever is against it is refused.
 */
async function settle(work: Work, checkout: CheckoutRow, { newCode = false } = {}): Promise<Priced> {
  const until = expiryOf(work.now, checkout.created_at);
  const items = await itemsOf(work, checkout.id);
  const seats = items.filter((item) => kindOf(item).seat).map(({ id }) => id);
  if (seats.length > 0) await extendHolds(work, { object: SEATS, ids: seats }, { until });
  const priced = await priceNow(work, checkout, items);
  if (newCode && priced.refusedCode && !waits(priced.refusedCode, items)) throw priced.refusedCode;
  await keepPrice(work, checkout, priced, { expires_at: instant(until) });
  await holdCode(work, checkout, priced);
  return priced;
}

/** A code that is entered before anything is added takes something off as soon as it can. */
const waits = (refused: Problem, items: readonly ItemRow[]): boolean =>
  items.length === 0 && refused.kind === DISCOUNT_PROBLEMS.discount_code_not_applicable;

/** A use of the code is held exactly while it takes something off: `discount_code_id` of the row says of which. */
export async function holdCode(work: Work, checkout: CheckoutRow, { code }: Priced): Promise<void> {
  const { id, customer_id: customer, discount_code_id: before } = checkout;
  if (code !== null) await reserveUse(work, { code: code.id, checkout: id, customer });
  else if (before !== null) await releaseUse(work, id);
}
