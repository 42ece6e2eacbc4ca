/**
 * Event places that the schedule reserves for checkout items: usually one, for a course one at each remaining session.
 */
import { checkJoins, readSeats } from '../../../availability/courses/index.ts';
import { extendHolds, holdSeats, lockToBook, lockEvents, releaseHolds } from '../../../scheduling/schedule/index.ts';
import type { Held, Wanted } from '../item-kinds/kind.ts';
import type { ItemRow } from '../rows.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

const HELD_FOR = 'checkout_item';

const heldFor = (items: readonly ItemRow[]) => ({ object: HELD_FOR, ids: items.map(({ id }) => id) });

/** Returns the holds of an item, in the schedule's terms. */
export const heldBy = ({ id }: Pick<ItemRow, 'id'>) => ({ object: HELD_FOR, id });

/** Returns the events of each item, in the order of the items. */
async function eventsOf(work: Work, items: readonly Wanted[]): Promise<(readonly number[])[]> {
  const courses = items.flatMap(({ course_date_series_id: series }) => series ?? []);
  const left = courses.length > 0 ? await readSeats(work, courses) : null;
  return items.map(({ event_id: event, course_date_series_id: series }) =>
    series === null ? [event!] : (left!.get(series) ?? []),
  );
}

const seatsOf = async (work: Work, items: readonly Wanted[]) =>
  (await eventsOf(work, items)).flatMap((events, n) =>
    events.map((event) => ({ event, customer: items[n].customer_id })),
  );

export const SEATS: Held = {
  lock: async (work, items) => {
    const seats = await seatsOf(work, items);
    await lockEvents(work, [...new Set(seats.map(({ event }) => event))]);
  },
  lockToTake: async (work, items) => lockToBook(work, await seatsOf(work, items)),
  hold: async (work, items, until) => {
    for (const item of items)
      if (item.course_date_series_id !== null)
        // The refusal names all sessions without a free place.
        await checkJoins(work, { series: item.course_date_series_id, customer: item.customer_id, held: heldBy(item) });
    const events = await eventsOf(work, items);
    await holdSeats(
      work,
      items.flatMap((item, n) =>
        events[n].map((event) => ({
          event,
          customer: item.customer_id,
          place: item.place ?? 'venue',
          until,
          by: heldBy(item),
          part: item.course_date_series_id !== null,
          made: item.slot !== null,
        })),
      ),
    );
  },
  extend: async (work, items, how) => {
    const events = await eventsOf(work, items);
    return extendHolds(work, { ...heldFor(items), seats: new Map(items.map(({ id }, n) => [id, events[n]])) }, how);
  },
  release: (work, items) => releaseHolds(work, heldFor(items)),
};
