/**
 * Reservations for the items of a checkout, of all kinds. Items without reservations are skipped, so callers pass all
 * they have.
 */
import { kindOf } from '../item-kinds/index.ts';
import { SEATS } from './seats.ts';
import { STOCK } from './stock.ts';
import type { Extend, Held, Wanted } from '../item-kinds/kind.ts';
import type { ItemRow } from '../rows.ts';
import type { ItemType } from '../item-kinds/types.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** The kinds of reservations, in the order of their locks. */
export const HELD: readonly Held[] = [SEATS, STOCK];

/** Groups items by the kind of reservation they have. */
const grouped = <T extends { readonly item_type: ItemType }>(items: readonly T[]): (readonly [Held, T[]])[] =>
  HELD.map((held) => [held, items.filter((item) => kindOf(item).holds === held)] as const).filter(
    ([, mine]) => mine.length > 0,
  );

/** Locks all of it before anything is reserved or released: item by item, the lock order would be violated. */
export async function lockHeld(
  work: Work,
  items: readonly (Wanted & { readonly item_type: ItemType })[],
): Promise<void> {
  for (const [held, mine] of grouped(items)) await held.lock(work, mine);
}

/** Locks all of it before items are given to customers. */
export async function lockToTake(work: Work, items: readonly ItemRow[]): Promise<void> {
  for (const [held, mine] of grouped(items)) await (held.lockToTake ?? held.lock)(work, mine);
}

/** Reserves for items that have no reservation yet, or refuses. */
export async function hold(work: Work, items: readonly ItemRow[], until: number): Promise<void> {
  for (const [held, mine] of grouped(items)) await held.hold(work, mine, until);
}

/** Extends reservations, and returns the ids of items that have lost theirs. */
export async function extend(work: Work, items: readonly ItemRow[], how: Extend): Promise<number[]> {
  const lost: number[] = [];
  for (const [held, mine] of grouped(items)) lost.push(...(await held.extend(work, mine, how)));
  return lost;
}

export async function release(work: Work, items: readonly ItemRow[]): Promise<void> {
  for (const [held, mine] of grouped(items)) await held.release(work, mine);
}

/** Handles the start of a payment for all of the items. */
export async function startPaying(work: Work, items: readonly ItemRow[]): Promise<void> {
  for (const [kind, mine] of Map.groupBy(items, kindOf)) await kind.paying?.(work, mine);
}

/** Handles the end of the payment without a purchase of the items. */
export async function stopPaying(work: Work, items: readonly ItemRow[]): Promise<void> {
  for (const [kind, mine] of Map.groupBy(items, kindOf)) await kind.reopened?.(work, mine);
}
