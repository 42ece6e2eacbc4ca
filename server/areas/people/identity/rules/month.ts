/** Months, for quotas that are counted by month. */
import { startOfDay, wallAt } from '../../../../kernel/base/values/zone.ts';

const firstOf = (year: number, month: number): string =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-01`;

/** Returns the month of a moment in a zone: its first day, and the instants at which it and the next month begin. */
export function monthAround(
  now: number,
  zone: string,
): { readonly period: string; readonly from: number; readonly to: number } {
  const { year, month } = wallAt(now, zone);
  const [period, next] = [firstOf(year, month), month === 12 ? firstOf(year + 1, 1) : firstOf(year, month + 1)];
  return { period, from: startOfDay(period, zone), to: startOfDay(next, zone) };
}
