/**
 * Payees: the kinds of objects that payments are for. Later areas fill the port: `fills: [payees.with(checkoutPayee)]`.
 */
import { Port } from '../../../kernel/base/fields/port.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export interface PaidPayment {
  readonly id: number;
  readonly processor: number;
  /** id of the customer who pays */
  readonly payer: number;
  /** minor units */
  readonly amount: number;
  /** id of the object that is paid, within the payee */
  readonly about: number;
}

/** Goods that return to stock with a refund, by the line of the invoice that billed them. */
export interface GoodsBack {
  readonly line: number;
  /** number of items; null for all that have not been returned yet */
  readonly quantity: number | null;
  /** name that the caller used for it, for refusals */
  readonly at: string;
}

/** A kind of object that payments can be for. `Held` is the return type of `lock`. */
export interface Payee<Held = any> {
  /** name stored with payments; must not change */
  readonly name: string;
  readonly description: string;
  /** resource of the objects that are paid */
  readonly resource: string;
  /**
   * Locks the rows that `paid` and `failed` read, before the payment is locked. Must be one statement, because the lock
   * of the payment shares its round trip. A caller that holds these locks may start or cancel a payment without risking
   * a deadlock.
   */
  lock?(work: Work, about: number): Promise<Held>;
  /**
   * Locks the object that is paid and the invoice that billed it, before the payment is locked: `giveBack` reduces that
   * invoice. If absent, `lock` is called instead. Nothing is locked before, except by `bringBack`.
   */
  lockBilled?(work: Work, about: number): Promise<void>;
  /**
   * Takes the money that has arrived: creates or changes the object with its invoice and everything else, and applies
   * the whole amount from `clearing` with `applyPayment`. If the object is no longer available, returns a sentence for
   * the customer that says why, and the money is refunded. Called once for each payment, also after it had failed
   * before. `held` is the return value of `lock` in this transaction; nothing was locked for payments at the desk.
   */
  paid(work: Work, payment: PaidPayment, held?: Held): Promise<{ taken: true } | { taken: false; why: string }>;
  /**
   * Functions for several payments that have just been made, in one transaction. `lock` is called once for all, in the
   * order of ids and before the payments are locked. `paid` takes all of them and returns true; or it writes nothing
   * and returns false, and the payments are offered one by one. If absent, they always are.
   */
  readonly together?: {
    lock(work: Work, about: readonly number[]): Promise<Held[]>;
    paid(work: Work, payments: readonly PaidPayment[], held: readonly Held[]): Promise<boolean>;
  };
  /**
   * Called when the payment failed or was cancelled. `why` is a sentence for the customer. It may still be paid later.
   */
  failed(work: Work, payment: PaidPayment, why: string): Promise<void>;
  /**
   * Called when the money arrived, but `paid` said that it can no longer be used: it is refunded. The writes of `paid`
   * were rolled back; the writes of this function are kept.
   */
  notTaken?(work: Work, payment: PaidPayment, why: string): Promise<void>;
  /**
   * Returns refunded goods to stock, before anything else is locked. The function that it returns is called with the id
   * of the credit note. Absent if nothing of this kind has a stock.
   * @throws Problem if more would be returned than was sold
   */
  bringBack?(work: Work, about: number, goods: readonly GoodsBack[]): Promise<(creditNote: number) => Promise<void>>;
  /**
   * Moves the amount to the payer's `unapplied` account with a credit note (`issueCreditNote` with `to: 'unapplied'`),
   * before staff refund a part of a taken payment. Returns the id of the credit note.
   * @throws Problem if the amount cannot be refunded
   */
  giveBack(work: Work, payment: PaidPayment, amount: number, why: string): Promise<number>;
}

export const payees = new Port<Payee>('payee', ({ resource }) => resource);
