/** Durations as they appear in files. Pure. */

/** Returns the whole minutes of `60`, `60 min`, `1:15` or `1 h 30`; null if it isn't a duration. */
export function minutesOf(text: string): number | null {
  const plain = /^(\d{1,4})(?:[.,]0+)?\s*(?:m|min|mins|minutes?|minuten)?\.?$/i.exec(text.trim());
  if (plain) return Number(plain[1]);
  const hours = /^(\d{1,2})\s*(?::|h|hr|hrs|hours?|std)\.?\s*(\d{1,2})?(?::00|\s*m\w*)?$/i.exec(text.trim());
  return hours ? Number(hours[1]) * 60 + Number(hours[2] ?? 0) : null;
}
