/** Hours of the day at which nobody is to be disturbed, as the clocks of a zone show them. */
import { addDays } from './date.ts';
import { instantOfWall, wallAt } from './wall.ts';

export interface QuietHours {
  /** wall times, `HH:MM` or `HH:MM:SS`; they may cross midnight */
  readonly start: string;
  readonly end: string;
}

/**
 * The end of the quiet hours that `now` lies in, or null outside of them. Clocks that go back prolong them: nobody is
 * woken.
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

/** Compared as text, a time without seconds would sort before the same time with them. */
const withSeconds = (time: string) => (time.length === 5 ? `${time}:00` : time);
