/** The delay of an action, for people and in the format of the interface (ISO 8601). Pure. */

export const UNITS = ['M', 'H', 'D', 'W', 'MO'] as const;
/** minutes, hours, days, weeks, months */
export type Unit = (typeof UNITS)[number];

export type Delay =
  | null
  | { readonly n: number; readonly unit: Unit }
  /** in several units, written by a program: kept unchanged */
  | { readonly iso: string };

const OF_DAYS = /^P(\d+)([DWM])$/;
const OF_HOURS = /^PT(\d+)([HM])$/;

export function parseDelay(iso: string | null): Delay {
  if (iso === null) return null;
  const [, n, unit] = OF_DAYS.exec(iso) ?? OF_HOURS.exec(iso) ?? [];
  if (n === undefined) return { iso };
  if (Number(n) === 0) return null;
  return { n: Number(n), unit: unit === 'M' && !iso.includes('T') ? 'MO' : (unit as Unit) };
}

/** Returns null for no delay. */
export function formatDelay(delay: Delay): string | null {
  if (delay === null) return null;
  if ('iso' in delay) return delay.iso;
  if (delay.n === 0) return null;
  const { n, unit } = delay;
  if (unit === 'MO') return `P${n}M`;
  return unit === 'H' || unit === 'M' ? `PT${n}${unit}` : `P${n}${unit}`;
}
