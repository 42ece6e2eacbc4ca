/** What taxes were charged on, which postings don't say: whoever charges them keeps it, and fills the port. */
import { Port } from '../../../../kernel/base/fields/port.ts';
import type { Range } from './range.ts';
import type { Reading } from '../checks.ts';

/** A tax at one rate over some days, less what was taken back; minor units. */
export interface TaxTotal {
  /** id of the tax */
  readonly fee: number;
  /** a percentage as it was then, `8.875`; null: a flat amount */
  readonly rate: string | null;
  /** the net amounts that it was charged on */
  readonly base: number;
  readonly amount: number;
}

export interface TaxRecords {
  readonly name: string;
  readonly description: string;
  readonly resource: string;
  /** Of everything that was posted on these days, by tax and rate. The amounts of a tax sum to what its account was posted. */
  totals(work: Reading, range: Range): Promise<TaxTotal[]>;
}

export const taxRecords = new Port<TaxRecords>('record of taxes', ({ resource }) => resource);

export async function taxTotals(work: Reading, range: Range): Promise<TaxTotal[]> {
  const all: TaxTotal[] = [];
  for (const { totals } of taxRecords.items) all.push(...(await totals(work, range)));
  return all;
}
