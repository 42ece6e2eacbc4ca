/** Hours of the day at which nobody is to be disturbed, in local time. */
import { addDays } from './date.ts';
import { instantOfWall, wallAt } from './wall.ts';

export interface QuietHours {
  /** wall times, `HH:MM` or `HH:MM:SS`; they may cross midnight */
  readonly start: string;
  readonly end: string;
}

/**
 * Returns the end of the quiet hours that contain `now`, or null outside them. Clocks that go back prolong them, so
 * that nobody is woken.
 */
export function quietUntil(quiet: QuietHours | null, now: number, zone: string): number | null {
  if (!quiet || quiet.start === quiet.end) return null;
  const { date, time } = wallAt(now, zone);
  const overnight = quiet.end < quiet.start;
  const begun = time >= withSeconds(quiet.start);
  const over = time >= withSeconds(quiet.end);
  if (overnight ? !begun && over : !begun || over) return null;
  return instantOfWall(`${overnight && begun ? addDays(date, 1) : date}T${quiet.end}`, zone, 'later');
}

/** Adds seconds: compared as text, a time without them would sort before the same time with them. */
const withSeconds = (time: string) => (time.length === 5 ? `${time}:00` : time);
