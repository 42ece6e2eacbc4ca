/**
 * Inserts the rows of invoices, with one statement for each table regardless of their number. Locks and decides
 * nothing.
 */
import { instant, json, sql } from '../../../kernel/base/db/sql.ts';
import type { NewLine } from './new-line.ts';
import type { Parties } from './parties.ts';
import type { ChargedPart, Price } from '../../pricing/fees/index.ts';
import type { Status } from './reading/statuses.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** The amounts of an invoice or of a line as they are stored. */
interface Sums {
  readonly listPrice: number;
  readonly discount: number;
  /** taxes included in the list price */
  readonly included: number;
  readonly preTax: number;
  /** fees and taxes */
  readonly fees: number;
  readonly rounding: number;
  readonly total: number;
}

const feesOf = ({ lines }: Price): number => lines.reduce((all, { amount }) => all + amount, 0);

export function sumsOf(prices: readonly Price[]): Sums {
  const sum = (of: (price: Price) => number): number => prices.reduce((all, price) => all + of(price), 0);
  return {
    listPrice: sum((p) => p.listPrice),
    discount: sum((p) => p.discount),
    included: sum((p) => p.includedTaxes),
    preTax: sum((p) => p.preTax),
    fees: sum(feesOf),
    rounding: sum((p) => p.rounding),
    total: sum((p) => p.total),
  };
}

export interface InvoiceValues {
  readonly id: number;
  readonly payer: number;
  readonly status: Status;
  readonly about: { readonly object: string; readonly id: number };
  /** YYYY-MM-DD */
  readonly dueOn: string;
  readonly parties: Parties;
  readonly discountCode: { readonly id: number; readonly code: string; readonly name: string } | null;
  readonly sums: Sums;
}

/**
 * Inserts invoices, which take their numbers in this order and lock the series until the transaction ends. `day`: the
 * date of issue.
 */
export async function insertInvoices(work: Work, day: string, invoices: readonly InvoiceValues[]): Promise<void> {
  const each = <T>(of: (invoice: InvoiceValues) => T): T[] => invoices.map(of);
  const now = instant(work.now);
  await work.tx.run(sql`
    INSERT INTO invoice (provider_id, id, series, customer_id, status, about_object, about_id, issued_on,
      due_on, parties,
      discount_code_id, discount_code, discount_code_name, list_minor, discount_minor, included_minor, pre_tax_minor,
      fees_minor,
      rounding_minor, total_minor, paid_at, created_at, updated_at)
    SELECT ${work.providerId}, id, 'invoice', payer, status, object, about, ${day}::date, due_on, parties, code_id,
      code, code_name,
      list, discount, included, pre_tax, fees, rounding, total, CASE status WHEN 'paid' THEN ${now}::timestamptz END,
      ${now}::timestamptz, ${now}::timestamptz
    FROM unnest(${each((i) => i.id)}::bigint[], ${each((i) => i.payer)}::bigint[], ${each((i) => i.status)}::text[],
      ${each((i) => i.about.object)}::text[], ${each((i) => i.about.id)}::bigint[], ${each((i) => i.dueOn)}::date[],
      ${each((i) => json(i.parties))}::jsonb[], ${each((i) => i.discountCode?.id ?? null)}::bigint[],
      ${each((i) => i.discountCode?.code ?? null)}::text[], ${each((i) => i.discountCode?.name ?? null)}::text[],
      ${each((i) => i.sums.listPrice)}::bigint[], ${each((i) => i.sums.discount)}::bigint[],
      ${each((i) => i.sums.included)}::bigint[], ${each((i) => i.sums.preTax)}::bigint[],
      ${each((i) => i.sums.fees)}::bigint[], ${each((i) => i.sums.rounding)}::bigint[],
      ${each((i) => i.sums.total)}::bigint[]) WITH ORDINALITY
      AS invoice (id, payer, status, object, about, due_on, parties, code_id, code, code_name, list, discount, included,
        pre_tax, fees, rounding, total, nth)
    ORDER BY nth`);
}

/** The position of a line: the id of its invoice, and its number there, from 1. */
export interface Place {
  readonly invoice: number;
  readonly position: number;
}

type LineValues = Omit<NewLine, 'price' | 'accountEntry'> &
  Place & {
    readonly sums: Sums;
    readonly accountEntry: number | null;
    readonly credits: number | null;
  };

/**
 * Inserts all lines of an invoice in one statement, as the database requires, and returns their ids in the same order.
 */
export async function insertLines(work: Work, lines: readonly LineValues[]): Promise<number[]> {
  const each = <T>(of: (line: LineValues) => T): T[] => lines.map(of);
  const rows = await work.tx.rows<{ id: number }>(sql`
    INSERT INTO invoice_line (provider_id, invoice_id, position, type, description, customer_id,
      billed_object, billed_id,
      billed_name, quantity, list_minor, discount_minor, included_minor, pre_tax_minor, fees_minor, rounding_minor,
      total_minor,
      account_entry_id, credits_line_id, period_start, period_end)
    SELECT ${work.providerId}, invoice, position, type, description, customer, object, billed, name, quantity,
      list, discount,
      included, pre_tax, fees, rounding, total, entry, credits, starts, ends
    FROM unnest(${each((l) => l.invoice)}::bigint[], ${each((l) => l.position)}::int[], ${each((l) => l.type)}::text[],
      ${each((l) => l.description)}::text[], ${each((l) => l.customer)}::bigint[],
      ${each((l) => l.billed?.object ?? null)}::text[],
      ${each((l) => l.billed?.id ?? null)}::bigint[], ${each((l) => l.billed?.name ?? null)}::text[],
      ${each((l) => l.quantity)}::int[], ${each((l) => l.sums.listPrice)}::bigint[],
      ${each((l) => l.sums.discount)}::bigint[], ${each((l) => l.sums.included)}::bigint[],
      ${each((l) => l.sums.preTax)}::bigint[], ${each((l) => l.sums.fees)}::bigint[],
      ${each((l) => l.sums.rounding)}::bigint[], ${each((l) => l.sums.total)}::bigint[],
      ${each((l) => l.accountEntry)}::bigint[], ${each((l) => l.credits)}::bigint[],
      ${each((l) => l.period?.start ?? null)}::date[], ${each((l) => l.period?.end ?? null)}::date[]) WITH ORDINALITY
      AS line (invoice, position, type, description, customer, object, billed, name, quantity, list, discount,
        included, pre_tax,
        fees, rounding, total, entry, credits, starts, ends, nth)
    ORDER BY nth RETURNING id`);
  return rows.map(({ id }) => id);
}

/** A fee or tax on a line. */
export type FeeValues = Place & ChargedPart;

export async function addFees(work: Work, fees: readonly FeeValues[]): Promise<void> {
  if (fees.length === 0) return;
  const each = <T>(of: (fee: FeeValues) => T): T[] => fees.map(of);
  await work.tx.run(sql`
    INSERT INTO invoice_line_fee (provider_id, invoice_id, line_id, purchase_fee_id, kind, name, explanation,
      amount_minor, percentage, is_taxable)
    SELECT l.provider_id, l.invoice_id, l.id, f.fee, f.kind, f.name, f.explanation, f.amount, f.rate, f.taxable
    FROM unnest(${each((f) => f.invoice)}::bigint[], ${each((f) => f.position)}::int[], ${each((f) => f.fee)}::bigint[],
      ${each((f) => f.kind)}::text[], ${each((f) => f.name)}::text[], ${each((f) => f.explanation)}::text[],
      ${each((f) => f.amount)}::bigint[], ${each((f) => f.rate)}::numeric[], ${each((f) => f.taxable)}::boolean[])
      WITH ORDINALITY AS f (invoice, position, fee, kind, name, explanation, amount, rate, taxable, nth)
      JOIN invoice_line l ON l.provider_id = ${work.providerId} AND l.invoice_id = f.invoice AND l.position = f.position
    ORDER BY f.nth`);
}
