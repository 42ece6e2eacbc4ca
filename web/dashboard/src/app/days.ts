/** Days of the calendar. Pure. */

const DAY = 86_400_000;

/** `2026-11-23` and some days later. */
export const daysAfter = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T12:00:00Z`) + days * DAY).toISOString().slice(0, 10);
