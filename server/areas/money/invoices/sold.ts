/** What lines of some types sold, where taking back a line takes that back too. Its owners fill the port. */
import { INVOICE_PROBLEMS } from './problems.ts';
import { Port } from '../../../kernel/base/fields/port.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import type { LineRow } from './lines.ts';
import type { LineType } from '../ledger/index.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** A line, or a part of it, that is taken back. */
export interface LineTakenBack {
  /** the id that the line bills, which is null if it bills nothing */
  readonly billed: number | null;
  /** minor units, before fees and taxes */
  readonly amount: number;
  readonly description: string;
}

/** Something that is sold whole, and can only be taken back whole. */
export interface SoldWhole {
  /** the type of its lines */
  readonly name: LineType;
  readonly description: string;
  readonly resource: string;
  /**
   * Takes back what these lines sold. The invoice is locked; accounts are locked afterwards.
   * @throws Problem if it can't be taken back any more, or if the amount is only a part of it
   */
  takeBack(work: Work, lines: readonly LineTakenBack[], why: string): Promise<void>;
}

export const soldWhole = new Port<SoldWhole>('thing that is sold whole', ({ resource }) => resource);

export const isSoldWhole = (type: LineType): boolean => soldWhole.items.some(({ name }) => name === type);

/** Takes back what lines sold, type by type. */
export async function takeBackSold(
  work: Work,
  parts: readonly { readonly line: LineRow; readonly amount: number }[],
  why: string,
): Promise<void> {
  for (const { name, takeBack } of soldWhole.items) {
    const mine = parts.filter(({ line, amount }) => line.type === name && amount > 0);
    if (mine.length === 0) continue;
    const lines = mine.map(({ line: { billed, description }, amount }) => ({
      billed: billed?.id ?? null,
      amount,
      description,
    }));
    await takeBack(work, lines, why);
  }
}

/** A part of an amount can't be taken from something that is only taken back whole. */
export const notInParts = (most: string): Problem =>
  new Problem(
    INVOICE_PROBLEMS.credit_exceeds_invoice,
    `Gift cards are taken back whole. Name lines of the invoice, or take back at most ${most} of everything else.`,
  );
