/** Places at events, which the schedule holds for items of checkouts. */
import { extendHolds, holdSeats, lockToBook, lockEvents, releaseHolds } from '../../scheduling/schedule/index.ts';
import type { Held, Wanted } from './item-kinds/kind.ts';
import type { ItemRow } from './rows.ts';

const heldFor = (items: readonly ItemRow[]) => ({ object: 'checkout_item', ids: items.map(({ id }) => id) });

const seatOf = (item: Wanted) => ({ event: item.event_id!, customer: item.customer_id });

export const SEATS: Held = {
  lock: async (work, items) => void (await lockEvents(work, [...new Set(items.map((item) => item.event_id!))])),
  lockToTake: (work, items) => lockToBook(work, items.map(seatOf)),
  hold: (work, items, until) =>
    holdSeats(
      work,
      items.map((item) => ({
        ...seatOf(item),
        until,
        by: { object: 'checkout_item', id: item.id },
        ...(item.slot !== null && { made: true }),
      })),
    ),
  extend: (work, items, how) => extendHolds(work, heldFor(items), how),
  release: (work, items) => releaseHolds(work, heldFor(items)),
};
