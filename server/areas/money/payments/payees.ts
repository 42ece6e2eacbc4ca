/** What payments are for. Areas after this one fill the port: `fills: [payees.with(checkoutPayee)]`. */
import { Port } from '../../../kernel/base/fields/port.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export interface PaidPayment {
  readonly id: number;
  readonly processor: number;
  /** the customer who pays */
  readonly payer: number;
  /** minor units */
  readonly amount: number;
  /** the id of what it is for, under the payee's name */
  readonly about: number;
}

/** Goods that go back into stock with a refund, by the line of the invoice that billed them. */
export interface GoodsBack {
  readonly line: number;
  /** how many; null: all that have not come back yet */
  readonly quantity: number | null;
  /** how the caller named it, for refusals */
  readonly at: string;
}

/** `Held`: what `lock` returns. */
export interface Payee<Held = any> {
  /** as it is stored with payments; must not change */
  readonly name: string;
  readonly description: string;
  /** the resource that payments for it are about */
  readonly resource: string;
  /**
   * Locks what is read in `paid` and `failed`, before the payment is locked: with one statement, for the payment's lock
   * travels with it. So anyone who holds these locks may start or cancel a payment without waiting in a circle.
   */
  lock?(work: Work, about: number): Promise<Held>;
  /**
   * Locks what it is for and the invoice that billed it, before the payment is locked: `giveBack` takes off that. Absent:
   * `lock` does. Called when nothing is locked but what `bringBack` locks.
   */
  lockBilled?(work: Work, about: number): Promise<void>;
  /**
   * The money is there. Takes it for what it is for, with the invoice and everything else, and applies the whole amount
   * with `applyPayment` from `clearing`. If that is no longer available: a sentence for the customer that says why, and
   * the money is given back. Called once for a payment, also for one that had failed before. `held`: what `lock` returned
   * in this transaction; nothing was locked for what was paid at the desk.
   */
  paid(work: Work, payment: PaidPayment, held?: Held): Promise<{ taken: true } | { taken: false; why: string }>;
  /**
   * The same of several payments that have just been made, in one transaction. `lock` is asked once for all, in the order of
   * ids and before the payments are locked. `paid` takes all of them and returns true; or it has written nothing and
   * returns false, and they are offered one by one. Absent: that is always done.
   */
  readonly together?: {
    lock(work: Work, about: readonly number[]): Promise<Held[]>;
    paid(work: Work, payments: readonly PaidPayment[], held: readonly Held[]): Promise<boolean>;
  };
  /** It failed, or was cancelled. `why` is a sentence for the customer. It may still be paid later. */
  failed(work: Work, payment: PaidPayment, why: string): Promise<void>;
  /**
   * The money was there, `paid` said that it can no longer be used, and it is given back. What `paid` wrote was undone;
   * what this writes is kept.
   */
  notTaken?(work: Work, payment: PaidPayment, why: string): Promise<void>;
  /**
   * Returns goods to stock that are refunded, before anything else is locked. What it returns is called with the id of
   * the credit note. Absent: nothing of it has a stock.
   * @throws Problem if more would come back than was sold
   */
  bringBack?(work: Work, about: number, goods: readonly GoodsBack[]): Promise<(creditNote: number) => Promise<void>>;
  /**
   * Before staff give back a part of what was taken: puts the amount on the payer's account `unapplied`, by a credit note
   * (`issueCreditNote` with `to: 'unapplied'`), whose id it returns.
   * @throws Problem if it cannot be given back
   */
  giveBack(work: Work, payment: PaidPayment, amount: number, why: string): Promise<number>;
}

export const payees = new Port<Payee>('payee', ({ resource }) => resource);
