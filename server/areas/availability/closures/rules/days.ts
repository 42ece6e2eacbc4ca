/** Determines the days of a closure: docs/algorithms/closures.md. Pure. */
import { addDays } from '../../../../kernel/base/values/date.ts';

/** Days that one call can close. */
export const MAX_DAYS = 366;

interface Sent {
  readonly dates?: readonly string[];
  readonly from?: string;
  readonly to?: string;
}

type Days = { readonly days: readonly string[] } | { readonly field: keyof Sent; readonly message: string };

/** Returns the days that a request names, each once, in order, or the mistakes in them. `earliest` is today. */
export function daysOf({ dates, from, to }: Sent, earliest: string): Days {
  if (dates && (from ?? to)) return { field: 'dates', message: 'Send either dates, or from and to.' };
  if (dates) {
    if (dates.length === 0) return { field: 'dates', message: 'Name at least one day.' };
    return notBefore([...new Set(dates)].toSorted(), earliest, 'dates');
  }
  if (from === undefined) return { field: to === undefined ? 'dates' : 'from', message: 'Send dates, or from and to.' };
  if (to === undefined) return { field: 'to', message: 'Send the last day, too.' };
  if (to < from) return { field: 'to', message: 'Must not be before from.' };
  const days = [from];
  while (days.at(-1)! < to && days.length <= MAX_DAYS) days.push(addDays(days.at(-1)!, 1));
  if (days.length > MAX_DAYS) return { field: 'to', message: `One call can close at most ${MAX_DAYS} days.` };
  return notBefore(days, earliest, 'from');
}

const notBefore = (days: readonly string[], earliest: string, field: keyof Sent): Days =>
  days[0] < earliest ? { field, message: `Must be today or later, and ${days[0]} has passed.` } : { days };
