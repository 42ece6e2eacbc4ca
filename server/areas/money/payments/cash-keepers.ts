/** Areas that keep account of the cash in drawers. They fill the port: `fills: [cashKeepers.with(cashSessions)]`. */
import { Port } from '../../../kernel/base/fields/port.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Money received or refunded at the desk just now: ids, and amounts in minor units. */
export interface AtDesk {
  readonly processor: number;
  /** true for cash in a drawer, false for a card terminal or a bank */
  readonly isDrawer: boolean;
  readonly amount: number;
  readonly payment: number;
  /** id of the refund; null if it is a payment */
  readonly refund: number | null;
}

export interface CashKeeper {
  readonly name: string;
  readonly description: string;
  /** resource in which the account is kept */
  readonly resource: string;
  /**
   * Records the money. Called in the transaction, after everything else that it locks and posts.
   * @throws Problem if no money can be received or refunded now
   */
  note(work: Work, money: AtDesk): Promise<void>;
}

export const cashKeepers = new Port<CashKeeper>('cash keeper', ({ resource }) => resource);

export const isCashDrawer = ({ settings }: { readonly settings: Readonly<Record<string, string>> }): boolean =>
  settings.cash_drawer === 'yes';
