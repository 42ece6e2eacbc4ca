/** A checkout as its pages show it. Amounts are minor units of the business's currency, moments epoch ms. */
import type { EventKind } from '../../../../kernel/base/values/words.ts';
import type { Money } from '../../../../kernel/base/values/money.ts';

export interface CheckoutView {
  /** the secret in the address of the page */
  readonly ticket: string;
  readonly status: 'open' | 'pending' | 'completed' | 'expired' | 'cancelled';
  /** what it was for and no longer takes place, by its name; null: all of it does */
  readonly calledOff: string | null;
  readonly lines: readonly Line[];
  readonly sums: Sums;
  /** null: none was entered */
  readonly code: { readonly text: string; /** why it takes nothing off */ readonly refused: string | null } | null;
  /** a discount code can be entered */
  readonly codes: boolean;
  /** account credit that the payer has, and whether it is used */
  readonly credit: { readonly has: number; readonly used: boolean };
  readonly terms: readonly Terms[];
  readonly ways: readonly Way[];
  /** it can be paid at the desk */
  readonly desk: boolean;
  /** when an open one expires */
  readonly until: number;
  /** why the last payment failed; `given back`: it was paid, and what it was for was no longer available */
  readonly failed: { readonly why: string; readonly givenBack: boolean } | null;
  /** of a payment that runs: where the payer goes on; null: nowhere */
  readonly payAt: string | null;
  readonly invoice: Invoice | null;
  /** where the browser goes afterwards */
  readonly back: Place;
  /** where the same can be begun again */
  readonly again: string;
}

/** Somewhere else, and what it is; `name`: of a site, as people read it. */
export type Place = { readonly href: string } & (
  | { readonly kind: 'account' | 'times' }
  | { readonly kind: 'event'; readonly event: EventKind | null }
  | { readonly kind: 'site'; readonly name: string }
);

export interface Line {
  readonly name: string;
  /** null: the person before the page; `name` empty: it is not known */
  readonly forWhom: { readonly name: string } | null;
  readonly when: { readonly from: number; readonly to: number; readonly zone: string } | null;
  readonly where: string | null;
  /** with a membership */
  readonly paidWithMembership: boolean;
  /** of each, where there are several */
  readonly several: { readonly quantity: number; readonly unit: number } | null;
  /** what is paid again and again afterwards */
  readonly renews: { readonly price: Money; readonly n: number; readonly unit: 'days' | 'weeks' | 'months' } | null;
  /** what the business says of it, in paragraphs */
  readonly about: string | null;
  /** before discounts, fees and taxes that are added */
  readonly amount: number;
  /** a place is kept for it */
  readonly isSpot: boolean;
}

export interface Sums {
  readonly listPrice: number;
  readonly discount: number;
  /** what the list prices contain of the taxes in `fees` */
  readonly includedTaxes: number;
  readonly fees: readonly { readonly name: string; readonly amount: number }[];
  readonly total: number;
  readonly credit: number;
  /** what is left to pay, or was when it was paid */
  readonly due: number;
}

/** What somebody agrees to who buys it now. */
export interface Terms {
  readonly id: number;
  readonly version: number;
  readonly of: string;
  readonly text: string;
  /** who gets the membership */
  readonly customer: number;
}

/** A way to pay. */
export interface Way {
  /** of the payment processor */
  readonly id: number;
  /** of a method that the payer has saved; null: they enter one */
  readonly method: number | null;
  readonly name: string;
  /** no money is moved */
  readonly test: boolean;
  /** what is entered can be saved for the next time */
  readonly saves: boolean;
}

export interface Invoice {
  readonly id: number;
  readonly number: string;
  /** what is left to pay at the desk */
  readonly due: number;
}
