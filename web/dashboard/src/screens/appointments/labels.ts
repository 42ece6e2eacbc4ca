/** The display texts of a free time. */
import { longDayOf, timesOf } from '../../words/times.ts';
import type { Slot } from './slots.ts';

/** Returns the instructors, or the room of a rental. */
export const whomOf = ({ instructors, venue_room }: Pick<Slot, 'instructors' | 'venue_room'>): string =>
  instructors.length > 0 ? instructors.map(({ name }) => name).join(', ') : (venue_room?.name ?? '');

export const timeOfSlot = ({ starts_at, ends_at, timezone }: Slot): string =>
  `${longDayOf(starts_at, timezone)}, ${timesOf(starts_at, ends_at, timezone)}`;
