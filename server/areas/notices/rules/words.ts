/** Days and times of an event as people read them, in the zone of its venue, whatever the clocks do there. */
import { wallAt } from '../../../kernel/values/zone.ts';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];

export function dayText(at: number, zone: string): string {
  const { dayOfWeek, day, month, year } = wallAt(at, zone);
  return `${WEEKDAYS[dayOfWeek - 1]}, ${day} ${MONTHS[month - 1]} ${year}`;
}

export const clockText = (at: number, zone: string): string => wallAt(at, zone).time.slice(0, 5);

/** `18:00 to 19:00`; with the day, where it ends on another. */
export function spanText(from: number, to: number, zone: string): string {
  const sameDay = wallAt(from, zone).date === wallAt(to, zone).date;
  return `${clockText(from, zone)} to ${sameDay ? '' : `${dayText(to, zone)}, `}${clockText(to, zone)}`;
}

export const momentText = (at: number, zone: string): string => `${dayText(at, zone)}, ${clockText(at, zone)}`;

/** When to remind of what begins then; null: it is too late for that, the booking itself is as near. */
export function reminderDue(startsAt: number, hours: number, now: number): number | null {
  const due = startsAt - hours * 3_600_000;
  return due > now ? due : null;
}
