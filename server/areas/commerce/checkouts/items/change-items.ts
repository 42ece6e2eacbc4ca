/** Adding, removing and changing items of a locked checkout. Each change ends with `settle`. */
import { changedNames, updateRowLater } from '../../../../kernel/work/unit/row.ts';
import { expiryOf } from '../reservations/times.ts';
import { hold, lockHeld, release } from '../reservations/held.ts';
import { invalid, Problem } from '../../../../kernel/base/problem.ts';
import { checkoutItemFeed } from '../feed.ts';
import type { NewItem } from '../item-kinds/kind.ts';
import { checkAnswered } from './questions.ts';
import { deleteItems, insertItems, itemPayload, type Asked } from './stored-items.ts';
import { itemsOf, type CheckoutRow, type ItemRow } from '../rows.ts';
import { kindOf } from '../item-kinds/index.ts';
import { NOTHING } from '../item-kinds/kind.ts';
import { settle } from '../settle.ts';
import { tryItems } from '../complete.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';
import { one, say } from '../../../../kernel/base/values/words.ts';

/** More than a large family buys in one checkout. */
export const MAX_ITEMS = 50;

/** Adds an item with its associated items, reserves what it needs, and returns its id. */
export async function addItem(work: Work, checkout: CheckoutRow, asked: NewItem): Promise<number> {
  const [id] = await addItems(work, checkout, [asked]);
  return id;
}

/** Adds several items, all or none. `checked`: the caller has already validated them. */
export async function addItems(
  work: Work,
  checkout: CheckoutRow,
  asked: readonly NewItem[],
  { checked = false } = {},
): Promise<number[]> {
  const items = await itemsOf(work, checkout.id);
  if (items.length + asked.length > MAX_ITEMS) throw invalid('item_type', `A checkout has at most ${MAX_ITEMS} items.`);
  const wanted = await takeSlots(
    work,
    items,
    asked.map((one): Asked => ({ ...NOTHING, ...one })),
  );
  await checkAnswered(work, wanted);
  if (!checked) for (const one of wanted) await kindOf(one).check(work, one, { checkout, items });
  const [, added] = await Promise.all([
    wanted.some((one) => kindOf(one).holds) && lockHeld(work, [...items, ...wanted]),
    insertItems(work, checkout, wanted, null),
  ]);
  const all = [...items, ...added];
  for (const item of added) {
    const brought = await kindOf(item).brings?.(work, item);
    if (brought) all.push(...(await insertItems(work, checkout, [{ ...brought, item_type: brought.type }], item.id)));
  }
  await hold(work, added, expiryOf(work.now, checkout.created_at));
  await settle(work, checkout, all, { held: added });
  await tryItems(work, checkout, all);
  return added.map(({ id }) => id);
}

/**
 * Reserves free times after everything that the checkout already holds is locked: events come before rooms and
 * instructors.
 */
async function takeSlots(work: Work, items: readonly ItemRow[], wanted: readonly Asked[]): Promise<readonly Asked[]> {
  if (wanted.every(({ slot }) => slot === null)) return wanted;
  await lockHeld(work, items);
  const taken: Asked[] = [];
  for (const one of wanted) taken.push((await kindOf(one).take?.(work, one)) ?? one);
  return taken;
}

/** Removes an item and its associated items. */
export async function removeItem(work: Work, checkout: CheckoutRow, item: ItemRow): Promise<void> {
  const items = await itemsOf(work, checkout.id);
  const needed = items.find((one) => one.customer_membership_item_id === item.id);
  if (needed)
    throw new Problem('in_use', {
      staff: `The membership pays for ${needed.description}, which is in the checkout too. Remove that first.`,
      customer: say`This ${one.membership} pays for ${needed.description}. Remove that first.`,
    });
  await lockHeld(work, items);
  const going = items.filter((one) => one.id === item.id || one.with_item_id === item.id);
  await release(work, going);
  deleteItems(work, checkout, going.toReversed());
  const left = items.filter((one) => !going.includes(one));
  await settle(work, checkout, left);
}

interface ItemValues {
  readonly quantity?: number;
  readonly unit_price_minor?: number | null;
  readonly recurring_price_minor?: number | null;
}

/**
 * Changes the quantity or price; absent values stay, and null means the standard price. If supply is limited, the
 * reservation grows or shrinks with the quantity.
 */
export async function changeItem(work: Work, checkout: CheckoutRow, item: ItemRow, values: ItemValues): Promise<void> {
  const { holds, several } = kindOf(item);
  const other = holds && several && values.quantity !== undefined && values.quantity !== item.quantity;
  if (other) await lockHeld(work, await itemsOf(work, checkout.id));
  work.touch('checkout_item', item.id, item);
  updateRowLater(work, 'checkout_item', item.id, { ...values });
  if (other) await hold(work, [{ ...item, quantity: values.quantity! }], expiryOf(work.now, checkout.created_at));
  await settle(work, checkout, await itemsOf(work, checkout.id));
  const changed = changedNames(values).map((name) => name.replace(/_minor$/, ''));
  work.record(checkoutItemFeed.updated, item.id, { ...itemPayload(checkout, item.id), changed });
}
