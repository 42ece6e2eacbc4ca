/** Date arithmetic with calendar days. Pure. */

const DAY = 86_400_000;

/** Returns the date some days after `2026-11-23`. */
export const daysAfter = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T12:00:00Z`) + days * DAY).toISOString().slice(0, 10);
