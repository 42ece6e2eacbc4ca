import type { LineType } from '../ledger/index.ts';
import type { Price } from '../../pricing/fees/index.ts';

export interface NewLine {
  readonly type: LineType;
  /** text for the customer on the invoice */
  readonly description: string;
  /** purchased object, with its current name */
  readonly billed: { readonly object: string; readonly id: number; readonly name: string } | null;
  /** id of the customer that it is for */
  readonly customer: number;
  readonly quantity: number;
  readonly price: Price;
  /** first and last day of the billing period, YYYY-MM-DD */
  readonly period?: { readonly start: string; readonly end: string };
  /** open entry on that customer's account that the line collects; a credit has a price below 0 */
  readonly accountEntry?: number;
}
