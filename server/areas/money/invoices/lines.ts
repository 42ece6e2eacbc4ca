/** The lines of an invoice with their fees, and what credit notes have left of them. */
import { sql } from '../../../kernel/db/sql.ts';
import type { PriceParts } from '../../pricing/fees/index.ts';
import type { LineType } from '../ledger/index.ts';
import type { Work } from '../../../kernel/work.ts';

export interface FeeRow {
  /** id of the fee or tax */
  readonly fee: number;
  readonly kind: 'fee' | 'tax';
  readonly name: string;
  readonly explanation: string;
  readonly rate: string | null;
  readonly taxable: boolean;
}

export interface LineRow {
  readonly id: number;
  readonly type: LineType;
  readonly description: string;
  readonly customer: number;
  readonly billed: { readonly object: string; readonly id: number; readonly name: string } | null;
  /** id of the account entry that it collects */
  readonly entry: number | null;
  readonly fees: readonly FeeRow[];
  readonly left: PriceParts;
}

interface Stored extends Omit<LineRow, 'fees' | 'left' | 'billed'> {
  readonly billed_object: string | null;
  readonly billed_id: number | null;
  readonly billed_name: string | null;
  readonly pre_tax: number;
  readonly rounding: number;
}

/** In the order of the invoice. The invoice is locked. */
export async function readLines({ tx, providerId }: Work, invoice: number): Promise<LineRow[]> {
  // What credit notes took back has amounts below 0, so that the sum is what is left.
  const [lines, fees] = await tx.all([
    sql`SELECT l.id, l.type, l.description, l.customer_id AS customer, l.billed_object, l.billed_id, l.billed_name,
               l.account_entry_id AS entry, l.pre_tax_minor + coalesce(c.pre_tax, 0) AS pre_tax, l.rounding_minor + coalesce(c.rounding, 0) AS rounding
        FROM invoice_line l LEFT JOIN LATERAL (
          SELECT sum(c.pre_tax_minor)::bigint AS pre_tax, sum(c.rounding_minor)::bigint AS rounding FROM invoice_line c
          WHERE c.provider_id = l.provider_id AND c.credits_line_id = l.id) c ON true
        WHERE l.provider_id = ${providerId} AND l.invoice_id = ${invoice} ORDER BY l.position`,
    sql`SELECT f.line_id AS line, f.purchase_fee_id AS fee, f.kind, f.name, f.explanation, f.percentage::text AS rate, f.is_taxable AS taxable,
               f.amount_minor + coalesce((SELECT sum(t.amount_minor) FROM invoice_line c JOIN invoice_line_fee t ON t.provider_id = c.provider_id AND t.line_id = c.id
                 WHERE c.provider_id = f.provider_id AND c.credits_line_id = f.line_id AND t.purchase_fee_id = f.purchase_fee_id), 0)::bigint AS amount
        FROM invoice_line_fee f WHERE f.provider_id = ${providerId} AND f.invoice_id = ${invoice} ORDER BY f.id`,
  ]);
  return (lines as Stored[]).map(({ billed_object, billed_id, billed_name, pre_tax, rounding, ...line }) => {
    const own = (fees as (FeeRow & { line: number; amount: number })[]).filter((fee) => fee.line === line.id);
    return {
      ...line,
      billed: billed_id === null ? null : { object: billed_object!, id: billed_id, name: billed_name! },
      fees: own,
      left: { preTax: pre_tax, lines: own.map(({ amount }) => amount), rounding },
    };
  });
}
