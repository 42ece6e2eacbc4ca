/** Adds, removes and changes items of a checkout that is locked. Each change ends with `settle`. */
import { changedNames, insertWhole, updateRowLater } from '../../../kernel/db/row.ts';
import { expiryOf } from './times.ts';
import { hold, lockHeld, release } from './held.ts';
import { invalid, Problem } from '../../../kernel/api/problem.ts';
import { itemAdded, itemRemoved, itemUpdated } from './feed.ts';
import { itemsOf, type CheckoutRow, type ItemRow } from './rows.ts';
import { json, sql } from '../../../kernel/db/sql.ts';
import { kindOf } from './item-kinds/index.ts';
import { NOTHING, type Wanted } from './item-kinds/kind.ts';
import { plainPrice } from './pricing.ts';
import { settle } from './settle.ts';
import { tryItems } from './complete.ts';
import type { ItemType } from './item-kinds/types.ts';
import type { Work } from '../../../kernel/work.ts';

/** More than a large family buys at one time. */
export const ITEMS_AT_MOST = 50;

export interface NewItem extends Partial<Wanted> {
  readonly item_type: ItemType;
  readonly customer_id: number;
}

/** Adds an item with what comes with it, holds what it is about, and returns its id. */
export async function addItem(work: Work, checkout: CheckoutRow, asked: NewItem): Promise<number> {
  const items = await itemsOf(work, checkout.id);
  const kind = kindOf(asked);
  const wanted: Wanted = { ...NOTHING, ...asked };
  if (items.length >= ITEMS_AT_MOST) throw invalid('item_type', `A checkout has at most ${ITEMS_AT_MOST} items.`);
  await kind.check(work, wanted, { checkout, items });
  const [, item] = await Promise.all([
    kind.holds && lockHeld(work, [...items, { ...wanted, item_type: kind.type }]),
    insertItem(work, checkout, kind.type, wanted, null),
  ]);
  const all = [...items, item];
  const brought = await kind.brings?.(work, item);
  if (brought) {
    const { type, ...columns } = brought;
    all.push(await insertItem(work, checkout, type, columns, item.id));
  }
  await hold(work, [item], expiryOf(work.now, checkout.created_at));
  await settle(work, checkout, all, { held: item });
  await tryItems(work, checkout, all);
  return item.id;
}

async function insertItem(
  work: Work,
  checkout: CheckoutRow,
  type: ItemType,
  { customer_id, ...wanted }: Wanted,
  withItem: number | null,
): Promise<ItemRow> {
  const item = await insertWhole<ItemRow>(work, 'checkout_item', {
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
  work.record(itemAdded, item.id, told(checkout, item.id));
  work.effect('item_added', 'checkout_item', item.id, {
    checkout: checkout.id,
    item_type: type,
    customer: customer_id,
  });
  return item;
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
  await lockHeld(work, items);
  const going = items.filter((one) => one.id === item.id || one.with_item_id === item.id);
  await release(work, going);
  for (const one of going.toReversed()) {
    work.touch('checkout_item', one.id, one);
    work.tx.later(sql`DELETE FROM checkout_item WHERE provider_id = ${work.providerId} AND id = ${one.id}`);
    work.record(itemRemoved, one.id, told(checkout, one.id));
    work.effect('item_removed', 'checkout_item', one.id, { checkout: checkout.id, item_type: one.item_type });
  }
  const left = items.filter((one) => !going.includes(one));
  await settle(work, checkout, left);
}

export interface ItemValues {
  readonly quantity?: number;
  readonly unit_price_minor?: number | null;
  readonly recurring_price_minor?: number | null;
}

/** Changes how many, or for what price; absent values stay, and null is the standard price. */
export async function changeItem(work: Work, checkout: CheckoutRow, item: ItemRow, values: ItemValues): Promise<void> {
  work.touch('checkout_item', item.id, item);
  updateRowLater(work, 'checkout_item', item.id, { ...values });
  await settle(work, checkout, await itemsOf(work, checkout.id));
  const changed = changedNames(values).map((name) => name.replace(/_minor$/, ''));
  work.record(itemUpdated, item.id, { ...told(checkout, item.id), changed });
}
