/** Days and times as they appear in exports: in two columns, or in one. Pure. */

/**
 * Returns `18:30` from `2026-03-02 18:30`, `02/03/2026 6:30 PM` or `2026-03-02T18:30:00`; null if there is no time in
 * it.
 */
export const timeWithin = (text: string): string | null =>
  /(?:^|[\sT])(\d{1,2}(?:[:.h]\d{2}(?::\d{2})?(?:\s*[ap]\.?m\.?)?|\s*[ap]\.?m\.?))/i.exec(text)?.[1] ?? null;

/** Returns the day part of such a text. */
export const dayWithin = (text: string): string => text.trim().split(/[\sT]/, 1)[0];

/** Returns the whole minutes of `60`, `60 min`, `1:15` or `1 h 30`; null if it isn't a duration. */
export function minutesOf(text: string): number | null {
  const plain = /^(\d{1,4})(?:[.,]0+)?\s*(?:m|min|mins|minutes?|minuten)?\.?$/i.exec(text.trim());
  if (plain) return Number(plain[1]);
  const hours = /^(\d{1,2})\s*(?::|h|hr|hrs|hours?|std)\.?\s*(\d{1,2})?(?::00|\s*m\w*)?$/i.exec(text.trim());
  return hours ? Number(hours[1]) * 60 + Number(hours[2] ?? 0) : null;
}
