/**
 * Goods that lines billed, where they can go back into stock with what is taken back. Their owners fill the port. Orders
 * and stock come before invoices in the law of locks, so all of it happens before the invoice is locked.
 */
import { invalid } from '../../../kernel/base/problem.ts';
import { Port } from '../../../kernel/base/fields/port.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** What comes back of one thing that was sold. */
export interface ComingBack {
  /** the id that the line bills */
  readonly billed: number;
  /** how many of it; null: all that have not come back before */
  readonly quantity: number | null;
  /** how the caller named it, for refusals; null: they named the whole invoice, and what came back before is passed over */
  readonly at: string | null;
}

/** What came back, and what is left to do once the credit note is known. */
export interface CameBack {
  /** how many things */
  readonly count: number;
  noted(creditNote: number): Promise<void>;
}

/** Something that is sold from a stock to which it can return. */
export interface SoldGoods {
  /** what its lines bill */
  readonly name: string;
  readonly description: string;
  readonly resource: string;
  /**
   * Locks what these were sold in, and returns them to stock. The invoice is locked afterwards.
   * @throws Problem if more would come back than was sold
   */
  comeBack(work: Work, parts: readonly ComingBack[]): Promise<CameBack>;
}

export const soldGoods = new Port<SoldGoods>('kind of goods', ({ resource }) => resource);

/** What of a line is to go back into stock. */
export interface LineComingBack extends Omit<ComingBack, 'billed'> {
  readonly line: number;
}

/**
 * Returns to stock what these lines sold; null: all lines of the invoice.
 * @throws Problem if a line that was named has no goods, or nothing comes back at all
 */
export async function bringBack(
  work: Work,
  invoice: number,
  lines: readonly LineComingBack[] | null,
): Promise<CameBack> {
  const sold = await work.tx.rows<{ line: number; object: string; billed: number }>(sql`
    SELECT id AS line, billed_object AS object, billed_id AS billed FROM invoice_line
    WHERE provider_id = ${work.providerId} AND invoice_id = ${invoice} AND billed_object = ANY(${soldGoods.items.map(({ name }) => name)}::text[])
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
