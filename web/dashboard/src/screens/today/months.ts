/** The figures of a month, against the month before and the same month of last year. Pure. */
import type { Money } from 'rollcall-sdk';

/** `2026-11` */
export type Month = string;

/** Returns the month that is `later` months after the one of a day or a month. */
export function monthAfter(day: string, later: number): Month {
  const [year, month] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 + later, 1)).toISOString().slice(0, 7);
}

/** Returns the first and the last day of the months that the figures need: the earliest is only compared with. */
export function daysNeeded(day: string): { readonly from: string; readonly to: string } {
  const [year, month] = day.split('-').map(Number);
  return {
    from: `${monthAfter(day, -13)}-01`,
    to: new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10),
  };
}

/** A group of a report, with the address of its rows. */
export type Group = Readonly<Record<string, unknown>> & { readonly rows?: string };

export const FIGURES = ['revenue', 'members', 'joined', 'left', 'occupancy'] as const;
export type Figure = (typeof FIGURES)[number];

/** A number; null if there is none, for example the occupancy of no classes. */
export type Value = number | Money | null;

const numberIn = (group: Group | undefined, key: string): number => Number(group?.[key] ?? 0);

/** How each figure follows from the groups of its report: of the month, and of the month before it. */
export const VALUES: Readonly<Record<Figure, (group: Group | undefined, before: Group | undefined) => Value>> = {
  revenue: (group) => (group?.sold as Money | undefined) ?? null,
  members: (group) => numberIn(group, 'retained'),
  // Members at the start of this month who weren't retained from the month before joined in between.
  joined: (group, before) => numberIn(group, 'members_before') - numberIn(before, 'retained'),
  left: (group) => numberIn(group, 'churned'),
  occupancy: (group) => (typeof group?.fill_rate === 'number' ? group.fill_rate : null),
};

/** The filters that narrow the rows of a group down to those that a figure counts. */
export const ROWS: Readonly<Record<Figure, Readonly<Record<string, string>>>> = {
  revenue: {},
  members: { states: 'active,hold' },
  joined: { month_lte: '0' },
  left: { is_churned: 'true' },
  occupancy: {},
};

/** A figure of one month. `rows`: the address of the rows behind it within the report; null if there are none */
export interface Shown {
  readonly month: Month;
  readonly value: Value;
  readonly rows: string | null;
}

/** Returns a figure of this month, of the month before, and of the same month of last year. */
export function shownOf(figure: Figure, day: string, key: string, groups: readonly Group[]): readonly Shown[] {
  const of = new Map(groups.map((group) => [String(group[key]), group]));
  return [0, -1, -12].map((later) => {
    const month = monthAfter(day, later);
    const group = of.get(month);
    return {
      month,
      value: VALUES[figure](group, of.get(monthAfter(month, -1))),
      rows: group?.rows === undefined ? null : rowsOf(group.rows, ROWS[figure]),
    };
  });
}

/** Returns the query of a report's screen that lists the rows of a group. */
function rowsOf(address: string, filters: Readonly<Record<string, string>>): string {
  const { searchParams } = new URL(address);
  const all = { ...Object.fromEntries(searchParams), ...filters };
  return new URLSearchParams([
    ['view', 'rows'],
    ...Object.entries(all).map(([name, value]) => [`f.${name}`, value]),
  ]).toString();
}
