/** Taxable amounts, which postings don't contain: the areas that charge taxes store them, and fill the port. */
import { Port } from '../../../../kernel/base/fields/port.ts';
import type { Range } from './range.ts';
import type { Reading } from '../checks.ts';

/** A tax at one rate over some days, less what was credited; minor units. */
export interface TaxTotal {
  /** id of the tax */
  readonly fee: number;
  /** percentage at that time, `8.875`; null for a flat amount */
  readonly rate: string | null;
  /** net amounts that it was charged on */
  readonly base: number;
  readonly amount: number;
}

export interface TaxRecords {
  readonly name: string;
  readonly description: string;
  readonly resource: string;
  /**
   * Returns the totals of everything posted on these days, by tax and rate. The amounts of a tax sum to the postings of
   * its account.
   */
  totals(work: Reading, range: Range): Promise<TaxTotal[]>;
}

export const taxRecords = new Port<TaxRecords>('record of taxes', ({ resource }) => resource);

export async function taxTotals(work: Reading, range: Range): Promise<TaxTotal[]> {
  const all: TaxTotal[] = [];
  for (const { totals } of taxRecords.items) all.push(...(await totals(work, range)));
  return all;
}
