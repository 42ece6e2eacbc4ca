/** The named periods of reports, and the period before one. Days are days of the business. Pure. */

/** Both dates inclusive, for example `2026-11-01`. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** The periods on offer. */
export const PERIODS = [
  'today',
  'yesterday',
  'this_week',
  'last_week',
  'last_7_days',
  'last_30_days',
  'this_month',
  'last_month',
  'this_quarter',
  'last_quarter',
  'last_365_days',
  'this_year',
  'last_year',
] as const;

export type Period = (typeof PERIODS)[number];

export const isPeriod = (text: string | undefined): text is Period => PERIODS.some((one) => one === text);

const DAY_MS = 86_400_000;
const MONTHS = { month: 1, quarter: 3, year: 12 } as const;
type Unit = 'week' | keyof typeof MONTHS;

const msOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
export const daysLater = (day: string, days: number): string => dayOf(msOf(day) + days * DAY_MS);

/** Returns the unit that contains a day, or the one that is `later` units after it. Weeks begin on Monday. */
function unitAt(unit: Unit, day: string, later = 0): Days {
  const at = new Date(msOf(day));
  if (unit === 'week') {
    const monday = daysLater(day, -((at.getUTCDay() + 6) % 7) + 7 * later);
    return { from: monday, to: daysLater(monday, 6) };
  }
  const size = MONTHS[unit];
  const month = at.getUTCMonth() - (at.getUTCMonth() % size) + size * later;
  const first = (months: number): number => Date.UTC(at.getUTCFullYear(), months, 1);
  return { from: dayOf(first(month)), to: dayOf(first(month + size) - DAY_MS) };
}

const LAST_DAYS = /^last_(\d+)_days$/;
const OF_UNIT = /^(this|last)_(week|month|quarter|year)$/;

/**
 * Returns the dates of a named period on a day, as the interface interprets it; null for a name that is not on offer
 * here.
 */
export function daysOf(name: string, today: string): Days | null {
  if (name === 'today') return { from: today, to: today };
  if (name === 'yesterday') return { from: daysLater(today, -1), to: daysLater(today, -1) };
  const [, count] = LAST_DAYS.exec(name) ?? [];
  if (count) return { from: daysLater(today, 1 - Number(count)), to: today };
  const [, which, unit] = OF_UNIT.exec(name) ?? [];
  return unit ? unitAt(unit as Unit, today, which === 'this' ? 0 : -1) : null;
}

/** Returns the previous period: the month before a month, and for a number of days, the same number before them. */
export function daysBefore(name: string, today: string): Days | null {
  const days = daysOf(name, today);
  if (!days) return null;
  const to = daysLater(days.from, -1);
  const [, , unit] = OF_UNIT.exec(name) ?? [];
  if (unit) return unitAt(unit as Unit, to);
  const length = (msOf(days.to) - msOf(days.from)) / DAY_MS;
  return { from: daysLater(to, -length), to };
}
