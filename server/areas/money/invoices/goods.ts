/**
 * Goods that lines billed, and that can return to stock with a credit note. The areas that sell them fill the port.
 * Orders and stock come before invoices in the documented lock order, so all of this happens before the invoice is
 * locked.
 */
import { invalid } from '../../../kernel/base/problem.ts';
import { Port } from '../../../kernel/base/fields/port.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** The returned quantity of one sold item. */
export interface ComingBack {
  /** id that the line bills */
  readonly billed: number;
  /** number of items; null for all that have not been returned before */
  readonly quantity: number | null;
  /**
   * name that the caller used for it, for refusals; null if they named the whole invoice, so that items returned before
   * are skipped
   */
  readonly at: string | null;
}

/** The result of a return, and a callback for when the credit note is known. */
interface CameBack {
  /** number of items */
  readonly count: number;
  noted(creditNote: number): Promise<void>;
}

/** A kind of goods that is sold from a stock and can return to it. */
export interface SoldGoods {
  /** type of the objects that its lines bill */
  readonly name: string;
  readonly description: string;
  readonly resource: string;
  /**
   * Locks the orders of these items, and returns the items to stock. The invoice is locked afterwards.
   * @throws Problem if more would be returned than was sold
   */
  comeBack(work: Work, parts: readonly ComingBack[]): Promise<CameBack>;
}

export const soldGoods = new Port<SoldGoods>('kind of goods', ({ resource }) => resource);

/** The part of a line that returns to stock. */
export interface LineComingBack extends Omit<ComingBack, 'billed'> {
  readonly line: number;
}

/**
 * Returns the goods of these lines to stock; null for all lines of the invoice.
 * @throws Problem if a named line has no goods, or nothing would be returned
 */
export async function bringBack(
  work: Work,
  invoice: number,
  lines: readonly LineComingBack[] | null,
): Promise<CameBack> {
  const sold = await work.tx.rows<{ line: number; object: string; billed: number }>(sql`
    SELECT id AS line, billed_object AS object, billed_id AS billed FROM invoice_line
    WHERE provider_id = ${work.providerId} AND invoice_id = ${invoice}
      AND billed_object = ANY(${soldGoods.items.map(({ name }) => name)}::text[])
    ORDER BY position`);
  const asked = lines ?? sold.map(({ line }) => ({ line, quantity: null, at: null }));
  const back: CameBack[] = [];
  for (const { line, at } of asked)
    if (at !== null && sold.every((one) => one.line !== line))
      throw invalid(at, 'This line has nothing that goes back into stock.');
  for (const { name, comeBack } of soldGoods.items) {
    const parts = sold.flatMap((one) => {
      const wanted = asked.find(({ line }) => line === one.line);
      return wanted && one.object === name ? [{ ...wanted, billed: one.billed }] : [];
    });
    if (parts.length > 0) back.push(await comeBack(work, parts));
  }
  const count = back.reduce((all, one) => all + one.count, 0);
  if (count === 0) throw invalid('restock', 'Nothing that would be taken back goes back into stock.');
  return {
    count,
    noted: async (creditNote) => {
      for (const one of back) await one.noted(creditNote);
    },
  };
}
