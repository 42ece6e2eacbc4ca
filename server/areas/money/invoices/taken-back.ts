/** Input for crediting an invoice: lines, an amount, or all of it; and the goods that return to stock. */
import { boolean, id, integer, listOf, moneyText, object } from '../../../kernel/base/fields/kinds.ts';
import { bringBack, type LineComingBack } from './goods.ts';
import { creditAmount, issueCreditNote, type IssuedCreditNote } from './credit-note.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import { minorOf } from '../../../kernel/api/amount.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const restock = boolean().optional();

export const TAKEN_BACK = {
  line_items: listOf(
    object({
      line_item: id().describe('A line of the invoice.'),
      amount: moneyText().optional().describe('With fees and taxes. If left out, all that is left of the line.'),
      restock: restock.describe(
        'Whether the products of this line go back into stock. If left out, as `restock` of the whole.',
      ),
      quantity: integer({ min: 1, max: 100 })
        .optional()
        .describe(
          'With `restock`: how many of them. If left out, all that have not come back yet. Required with an `amount`.',
        ),
    }),
    { min: 1, max: 1000 },
  )
    .optional()
    .describe('The lines to take back. If this and `amount` are left out, all of them.'),
  amount: moneyText()
    .optional()
    .describe('With fees and taxes, in proportion to what is left of each line. Do not send it with `line_items`.'),
  restock: restock.describe(
    'Whether products of the store go back into stock, because they can be sold again. They count as returned then. Default: they don’t.',
  ),
};

interface TakingBack {
  readonly line_items?: readonly {
    readonly line_item: number;
    readonly amount?: string;
    readonly restock?: boolean;
    readonly quantity?: number;
  }[];
  readonly amount?: string;
  readonly restock?: boolean;
  /** sentence for the customer */
  readonly reason: string;
}

/** Parses an amount that a caller sent, which must be more than 0. */
export const minor = (work: Work, name: string, sent: string): number => {
  const amount = minorOf(name, sent, work.tenant.currency);
  if (amount === 0) throw invalid(name, 'Must be more than 0.');
  return amount;
};

/** Issues the credit note that a caller asks for. Stock comes first, because it is locked before invoices. */
export async function takeBack(
  work: Work,
  invoice: number,
  asked: TakingBack,
  to: 'credit' | 'unapplied',
): Promise<IssuedCreditNote> {
  const { line_items: sent, amount, restock: all = false, reason: why } = asked;
  if (sent && amount !== undefined) throw invalid('amount', 'Send either this or line_items, not both.');
  if (amount !== undefined && all)
    throw invalid('restock', 'An amount doesn’t identify the returned items. Send line_items instead.');
  const lines = sent && (await linesOf(work, invoice, sent));
  const stocked = sent ? comingBack(sent, all) : null;
  const back = stocked === null ? all : stocked.length > 0;
  const came = back ? await bringBack(work, invoice, stocked) : null;
  const note = lines
    ? await issueCreditNote(work, { invoice, lines, why, to })
    : await creditAmount(work, {
        invoice,
        amount: amount === undefined ? null : minor(work, 'amount', amount),
        why,
        to,
      });
  await came?.noted(note.id);
  return note;
}

/** Reads the lines that the caller named; problems are reported under `line_items`. */
async function linesOf(
  work: Work,
  invoice: number,
  sent: NonNullable<TakingBack['line_items']>,
): Promise<{ line: number; amount?: number }[]> {
  const known = await work.tx.rows<{ id: number }>(
    sql`SELECT id FROM invoice_line WHERE provider_id = ${work.providerId} AND invoice_id = ${invoice}`,
  );
  return sent.map(({ line_item: line, amount }, n) => {
    const at = `line_items.${n}.line_item`;
    if (known.every((one) => one.id !== line)) throw invalid(at, 'Must be a line of this invoice.');
    if (sent.findIndex((one) => one.line_item === line) !== n) throw invalid(at, 'Each line can be named once.');
    return { line, amount: amount === undefined ? undefined : minor(work, `line_items.${n}.amount`, amount) };
  });
}

function comingBack(sent: NonNullable<TakingBack['line_items']>, all: boolean): LineComingBack[] {
  return sent.flatMap(({ line_item: line, amount, restock: own, quantity }, n): LineComingBack[] => {
    const at = (name: string) => `line_items.${n}.${name}`;
    if (!(own ?? all)) {
      if (quantity !== undefined)
        throw invalid(at('quantity'), 'Send quantity only with restock: it sets how many go back into stock.');
      return [];
    }
    if (amount !== undefined && quantity === undefined)
      throw invalid(
        at('quantity'),
        'Say how many go back into stock, because an amount does not. If none do, send restock as false.',
      );
    if (own === undefined && quantity === undefined) return [{ line, quantity: null, at: null }];
    return [{ line, quantity: quantity ?? null, at: at(quantity === undefined ? 'restock' : 'quantity') }];
  });
}
