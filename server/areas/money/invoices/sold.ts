/**
 * Objects sold by lines of some types, which are revoked when the line is credited. The areas that own them fill the
 * port.
 */
import { INVOICE_PROBLEMS } from './problems.ts';
import { Port } from '../../../kernel/base/fields/port.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import type { LineRow } from './lines.ts';
import type { LineType } from '../ledger/index.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** A line, or a part of it, that is credited. */
export interface LineTakenBack {
  /** id that the line bills; null if it bills nothing */
  readonly billed: number | null;
  /** minor units, before fees and taxes */
  readonly amount: number;
  readonly description: string;
}

/** A kind of object that is sold as a whole, and can only be revoked as a whole. */
export interface SoldWhole {
  /** type of its lines */
  readonly name: LineType;
  readonly description: string;
  readonly resource: string;
  /**
   * Revokes the objects that these lines sold. The invoice is locked; accounts are locked afterwards.
   * @throws Problem if this is no longer possible, or if the amount is only a part
   */
  takeBack(work: Work, lines: readonly LineTakenBack[], why: string): Promise<void>;
}

export const soldWhole = new Port<SoldWhole>('thing that is sold whole', ({ resource }) => resource);

export const isSoldWhole = (type: LineType): boolean => soldWhole.items.some(({ name }) => name === type);

/** Revokes the objects that lines sold, type by type. */
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

/** Returns the problem for a partial amount that would need an object that can only be revoked as a whole. */
export const notInParts = (most: string): Problem =>
  new Problem(
    INVOICE_PROBLEMS.credit_exceeds_invoice,
    `Gift cards are taken back whole. Name lines of the invoice, or take back at most ${most} of everything else.`,
  );
