/** Calendar months as date ranges. Pure. */

const asDate = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Returns the first and the last day of the month before that of the day, `2026-11-26`. */
export function lastMonth(day: string): { readonly from: string; readonly to: string } {
  const [year, month] = day.split('-').map(Number);
  return { from: asDate(Date.UTC(year, month - 2, 1)), to: asDate(Date.UTC(year, month - 1, 0)) };
}
