/** Formats values of reports for the user. */
import type { Money } from 'rollcall-sdk';
import { amountOf, calendarDayOf, momentOf, monthOf, numberOf, percentOf, weekdayNamed } from '../../../words/times.ts';
import { weekdayOf } from './query.ts';
import { words } from '../words.ts';
import type { Column, ColumnType } from '../read.ts';

/** A month, as reports name it: 2026-11. */
const MONTH = /^\d{4}-\d{2}$/;

export const NOTHING = '–';

const nameIn = (one: unknown): string => {
  if (typeof one !== 'object' || one === null) return String(one);
  const { name, id } = one as { name?: unknown; id?: unknown };
  return String(name ?? id ?? JSON.stringify(one));
};

/** Returns the interface's text for a value; a value without one is returned unchanged. */
export const wordFor = (value: unknown, choices: Column['choices'] = []): string =>
  choices.find((one) => one.value === String(value))?.label ?? nameIn(value);

/** The properties needed to format a value: its type, and its texts if it has some. */
export type Shown = Pick<Column, 'type'> & Partial<Pick<Column, 'choices'>>;

/** Texts that are times are named as people do. */
export function textOf(value: string): string {
  if (MONTH.test(value)) return monthOf(value, 'short');
  const weekday = weekdayOf(value);
  return weekday === -1 ? value : weekdayNamed(weekday);
}

/** Formats a value as text. */
export function said(value: unknown, { type, choices }: Shown, zone: string): string {
  if (value === null || value === undefined || value === '') return NOTHING;
  switch (type) {
    case 'money':
      return amountOf(value as Money);
    case 'boolean':
      return words.say(value === true ? 'yes' : 'no');
    case 'date':
      return calendarDayOf(String(value));
    case 'datetime':
      return momentOf(String(value), zone);
    case 'number':
      return numberOf(Number(value));
    case 'list':
      return Array.isArray(value) ? value.map((one) => wordFor(one, choices)).join(', ') || NOTHING : nameIn(value);
    // Ids and years are not quantities, and have no separators.
    case 'integer':
      return String(value);
    case 'text':
      return textOf(String(value));
    case 'choice':
      return wordFor(value, choices);
  }
}

/** Matches measures from 0 to 1. */
const SHARES = /(rate|share|utilisation)$/;

/** Formats a count, a sum or a share as text. */
export const measured = (value: unknown, { key, type }: Pick<Column, 'key' | 'type'>, zone: string): string =>
  type === 'number' && typeof value === 'number' && SHARES.test(key)
    ? percentOf(value)
    : type === 'integer' && typeof value === 'number'
      ? numberOf(value)
      : said(value, { type }, zone);

export const isNumber = (type: ColumnType): boolean => type === 'money' || type === 'integer' || type === 'number';

export const isWhen = (type: ColumnType): boolean => type === 'date' || type === 'datetime';

/** Returns the number that a chart draws; null if there is nothing to draw. */
export function numberIn(value: unknown): number | null {
  if (typeof value === 'number') return value;
  if (typeof value === 'object' && value !== null && 'decimal' in value) return Number(value.decimal);
  return null;
}

/** Formats the difference with its sign. */
export function formatDifference(now: unknown, before: unknown, type: ColumnType): string {
  const [a, b] = [numberIn(now), numberIn(before)];
  if (a === null || b === null) return NOTHING;
  // The interface returns amounts with at most this many decimals; floating-point errors would show more.
  const change = Number((a - b).toFixed(4));
  const sign = change > 0 ? '+' : '';
  if (type !== 'money') return sign + numberOf(change);
  return sign + amountOf({ ...(now as Money), decimal: change });
}
