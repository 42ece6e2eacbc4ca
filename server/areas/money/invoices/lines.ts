/** Lines of invoices with their fees, and the amounts credited since. */
import { isValid } from '../account-entries/index.ts';
import { sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { remainingParts, type ChargedFee, type PriceParts } from '../../pricing/fees/index.ts';
import type { LineType } from '../ledger/index.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export interface LineRow {
  readonly id: number;
  readonly invoice: number;
  readonly type: LineType;
  readonly description: string;
  readonly customer: number;
  readonly billed: { readonly object: string; readonly id: number; readonly name: string } | null;
  readonly quantity: number;
  /** billed amount, including fees and taxes */
  readonly total: number;
  /** first day of its billing period, YYYY-MM-DD; null if it bills none, or the first one */
  readonly periodStart: string | null;
  /** id of the account entry that it collects */
  readonly entry: number | null;
  readonly fees: readonly ChargedFee[];
  /** billed amounts less credit notes */
  readonly stands: PriceParts;
  /** the same, less what account credits have returned of it, for example for a hold or an upgrade */
  readonly left: PriceParts;
}

type At = Pick<Work, 'tx' | 'providerId'>;

interface Stored extends Omit<LineRow, 'fees' | 'stands' | 'left' | 'billed'> {
  readonly billed_object: string | null;
  readonly billed_id: number | null;
  readonly billed_name: string | null;
  readonly pre_tax: number;
  readonly rounding: number;
  readonly pre_tax_returned: number;
  readonly rounding_returned: number;
}

type StoredFee = ChargedFee & { readonly line: number; readonly amount: number; readonly returned: number };

/** Reads the lines in the order of the invoice, which the caller has locked. */
export const readLines = (work: At, invoice: number): Promise<LineRow[]> =>
  linesWhere(work, sql`l.invoice_id = ${invoice}`);

/** Condition for entries with the alias `e` that return a part of the line with the alias `l`. */
const returning = sql`e.provider_id = l.provider_id
  AND (e.returns_line_id = l.id OR e.returns_entry_id = l.account_entry_id)
  AND ${isValid('e')}`;

/** Reads the lines that match a condition on `l`, by invoice and in its order. */
export async function linesWhere({ tx, providerId }: At, which: Sql): Promise<LineRow[]> {
  // Credited amounts are below 0, so the sum is what is left.
  const [lines, fees] = await tx.all([
    sql`SELECT l.id, l.invoice_id AS invoice, l.type, l.description, l.customer_id AS customer, l.billed_object,
      l.billed_id, l.billed_name,
               l.quantity, l.total_minor AS total, l.period_start AS "periodStart", l.account_entry_id AS entry,
               l.pre_tax_minor + coalesce(c.pre_tax, 0) AS pre_tax,
               l.rounding_minor + coalesce(c.rounding, 0) AS rounding,
               r.pre_tax AS pre_tax_returned, r.rounding AS rounding_returned
        FROM invoice_line l LEFT JOIN LATERAL (
          SELECT sum(c.pre_tax_minor)::bigint AS pre_tax, sum(c.rounding_minor)::bigint AS rounding FROM invoice_line c
          WHERE c.provider_id = l.provider_id AND c.credits_line_id = l.id) c ON true
        LEFT JOIN LATERAL (
          SELECT coalesce(sum(e.amount_minor - e.fees_minor - e.rounding_minor), 0)::bigint AS pre_tax,
            coalesce(sum(e.rounding_minor), 0)::bigint AS rounding
          FROM account_entry e WHERE ${returning}) r ON true
        WHERE l.provider_id = ${providerId} AND ${which} ORDER BY l.invoice_id, l.position`,
    sql`SELECT f.line_id AS line, f.purchase_fee_id AS fee, f.kind, f.name, f.explanation, f.percentage::text AS rate,
      f.is_taxable AS taxable,
               f.amount_minor + coalesce((SELECT sum(t.amount_minor) FROM invoice_line c
                 JOIN invoice_line_fee t ON t.provider_id = c.provider_id AND t.line_id = c.id
                 WHERE c.provider_id = f.provider_id AND c.credits_line_id = f.line_id
                   AND t.purchase_fee_id = f.purchase_fee_id), 0)::bigint AS amount,
               coalesce((SELECT sum(t.amount_minor) FROM account_entry e
                 JOIN account_entry_fee t ON t.provider_id = e.provider_id AND t.account_entry_id = e.id
                 WHERE ${returning} AND t.purchase_fee_id = f.purchase_fee_id), 0)::bigint AS returned
        FROM invoice_line l JOIN invoice_line_fee f ON f.provider_id = l.provider_id AND f.line_id = l.id
        WHERE l.provider_id = ${providerId} AND ${which} ORDER BY f.id`,
  ]);
  const ofLine = Map.groupBy(fees as StoredFee[], ({ line }) => line);
  return (lines as Stored[]).map((row) => lineOf(row, ofLine.get(row.id) ?? []));
}

function lineOf(
  { billed_object, billed_id, billed_name, pre_tax, rounding, pre_tax_returned, rounding_returned, ...line }: Stored,
  fees: readonly StoredFee[],
): LineRow {
  const stands = { preTax: pre_tax, lines: fees.map(({ amount }) => amount), rounding };
  const returned = {
    preTax: pre_tax_returned,
    lines: fees.map((fee) => fee.returned),
    rounding: rounding_returned,
  };
  return {
    ...line,
    billed: billed_id === null ? null : { object: billed_object!, id: billed_id, name: billed_name! },
    fees: fees.map(({ fee, kind, name, explanation, rate, taxable }) => ({
      fee,
      kind,
      name,
      explanation,
      rate,
      taxable,
    })),
    stands,
    left: remainingParts(stands, [returned]),
  };
}

/**
 * Returns how much of the payments of these invoices the customers' banks have withdrawn or may withdraw, by invoice.
 */
export async function readDisputedAmounts(
  { tx, providerId }: At,
  invoices: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await tx.rows<{ invoice: number; amount: number }>(sql`
    SELECT c.invoice_id AS invoice, sum(least(c.amount_minor, d.amount))::bigint AS amount FROM invoice_charge c
    CROSS JOIN LATERAL (
      SELECT sum(d.amount_minor) AS amount FROM payment_dispute d
      WHERE d.provider_id = c.provider_id AND d.payment_id = c.payment_id AND d.status <> 'won') d
    WHERE c.provider_id = ${providerId} AND c.invoice_id = ANY(${[...invoices]}::bigint[]) AND d.amount > 0
    GROUP BY c.invoice_id`);
  return new Map(rows.map(({ invoice, amount }) => [invoice, amount]));
}
