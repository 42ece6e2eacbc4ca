/**
 * Who keeps account of what is in cash drawers. An area after this one fills the port: `fills:
 * [cashKeepers.with(cashSessions)]`.
 */
import { Port } from '../../../kernel/base/fields/port.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Money that came or went at the desk just now. Ids, and minor units. */
export interface AtDesk {
  readonly processor: number;
  /** it is cash in a drawer, and not a card terminal or a bank */
  readonly isDrawer: boolean;
  readonly amount: number;
  readonly payment: number;
  /** null: it was paid; else it was given back */
  readonly refund: number | null;
}

export interface CashKeeper {
  readonly name: string;
  readonly description: string;
  /** the resource in which it keeps account */
  readonly resource: string;
  /**
   * Called in the transaction, after everything else that it locks and posts.
   * @throws Problem if money can't come or go now
   */
  note(work: Work, money: AtDesk): Promise<void>;
}

export const cashKeepers = new Port<CashKeeper>('cash keeper', ({ resource }) => resource);

export const isCashDrawer = ({ settings }: { readonly settings: Readonly<Record<string, string>> }): boolean =>
  settings.cash_drawer === 'yes';
