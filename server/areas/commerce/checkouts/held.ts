/**
 * What is held for the items of a checkout, whatever holds it. Items for which nothing is held are passed over, so callers
 * pass all they have.
 */
import { kindOf } from './item-kinds/index.ts';
import { SEATS } from './seats.ts';
import { STOCK } from './stock.ts';
import type { Extend, Held, Wanted } from './item-kinds/kind.ts';
import type { ItemRow } from './rows.ts';
import type { ItemType } from './item-kinds/types.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** In the order of their locks. */
export const HELD: readonly Held[] = [SEATS, STOCK];

/** Each with those of the items that it holds something for. */
const grouped = <T extends { readonly item_type: ItemType }>(items: readonly T[]): (readonly [Held, T[]])[] =>
  HELD.map((held) => [held, items.filter((item) => kindOf(item).holds === held)] as const).filter(
    ([, mine]) => mine.length > 0,
  );

/** All of it, before any of it is held or given back: one after the other would not be its order. */
export async function lockHeld(
  work: Work,
  items: readonly (Wanted & { readonly item_type: ItemType })[],
): Promise<void> {
  for (const [held, mine] of grouped(items)) await held.lock(work, mine);
}

/** The same before items are given to customers. */
export async function lockToTake(work: Work, items: readonly ItemRow[]): Promise<void> {
  for (const [held, mine] of grouped(items)) await (held.lockToTake ?? held.lock)(work, mine);
}

/** Holds it for items that have nothing yet, or refuses. */
export async function hold(work: Work, items: readonly ItemRow[], until: number): Promise<void> {
  for (const [held, mine] of grouped(items)) await held.hold(work, mine, until);
}

/** Holds it for longer, and returns the ids of items that have lost it. */
export async function extend(work: Work, items: readonly ItemRow[], how: Extend): Promise<number[]> {
  const lost: number[] = [];
  for (const [held, mine] of grouped(items)) lost.push(...(await held.extend(work, mine, how)));
  return lost;
}

export async function release(work: Work, items: readonly ItemRow[]): Promise<void> {
  for (const [held, mine] of grouped(items)) await held.release(work, mine);
}

/** A payment for all of them begins. */
export async function startPaying(work: Work, items: readonly ItemRow[]): Promise<void> {
  for (const [kind, mine] of Map.groupBy(items, kindOf)) await kind.paying?.(work, mine);
}

/** The payment for all of them is over, and did not buy them. */
export async function stopPaying(work: Work, items: readonly ItemRow[]): Promise<void> {
  for (const [kind, mine] of Map.groupBy(items, kindOf)) await kind.reopened?.(work, mine);
}
