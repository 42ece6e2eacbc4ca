/** Parsers for fees and amounts as written in the tables of docs/algorithms/pricing.md. */
import { formatDecimal, parseDecimal } from '../../../../kernel/base/values/money.ts';
import type { Fee } from '../rules/price.ts';

export const PROSE = 'docs/algorithms/pricing.md';

export type Row = Record<string, string>;

export const listOf = (text: string): string[] => (text === 'none' || text === '' ? [] : text.split(', '));

/** Parses `5% fee* (0.50–2.00)`, `20% tax`, `1.00 fee`. */
export function feeOf(text: string, id: number, currency: string): Fee {
  const [, amount, percent, kind, taxable, min, max] = /^([\d.]+)(%?) (fee|tax)(\*?)(?: \(([\d.]+)–([\d.]+)\))?$/.exec(
    text,
  )!;
  const minor = (decimal: string) => parseDecimal(decimal, currency)!;
  const named = { id, name: text, kind: kind as Fee['kind'], isTaxable: taxable === '*' };
  if (!percent) return { ...named, type: 'flat', amount: minor(amount) };
  const bounds = { minAmount: min ? minor(min) : null, maxAmount: max ? minor(max) : null };
  return { ...named, type: 'percent', rate: Math.round(Number(amount) * 10_000), ...bounds };
}

export const feesOf = (row: Row): Fee[] =>
  listOf(row['fees and taxes']).map((text, index) => feeOf(text, index + 1, row.currency));

export const minor = (row: Row, decimal: string): number => parseDecimal(decimal, row.currency)!;

export const texts = (row: Row, amounts: readonly number[]): string[] =>
  amounts.map((amount) => formatDecimal({ minor: amount, currency: row.currency }));
