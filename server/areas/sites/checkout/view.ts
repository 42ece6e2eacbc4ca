/**
 * A checkout as its pages show it. Amounts are in minor units of the business's currency, times in epoch milliseconds.
 */
import type { EventKind } from '../../../kernel/base/values/words.ts';
import type { ShownPlan } from '../frame/index.ts';
import type { Money } from '../../../kernel/base/values/money.ts';

export interface CheckoutView {
  /** secret in the address of the page */
  readonly ticket: string;
  readonly status: 'open' | 'pending' | 'completed' | 'expired' | 'cancelled';
  /** name of the purchased event that is cancelled; null: none is */
  readonly calledOff: string | null;
  readonly lines: readonly Line[];
  readonly sums: Sums;
  /** null: none was entered */
  readonly code: { readonly text: string; /** why it gives no discount */ readonly refused: string | null } | null;
  /** a discount code can be entered */
  readonly codes: boolean;
  /** the payer's account credit, and whether it is used */
  readonly credit: { readonly has: number; readonly used: boolean };
  readonly terms: readonly Terms[];
  readonly policies: readonly ShownPolicy[];
  readonly ways: readonly Way[];
  /** payment at the desk is possible */
  readonly desk: boolean;
  /** time when an open checkout expires */
  readonly until: number;
  /**
   * why the last payment failed; `givenBack`: it was paid and refunded, because the purchase was no longer available
   */
  readonly failed: { readonly why: string; readonly givenBack: boolean } | null;
  /** page where the payer continues a running payment; null: none */
  readonly payAt: string | null;
  readonly invoice: Invoice | null;
  /** page to which the browser goes afterwards */
  readonly back: Place;
  /** page on which the same purchase can be started again */
  readonly again: string;
}

/** A page outside of the checkout, and what it is; `name`: of a site, as displayed. */
export type Place = { readonly href: string } & (
  | { readonly kind: 'account' | 'times' }
  | { readonly kind: 'event'; readonly event: EventKind | null }
  | { readonly kind: 'site'; readonly name: string }
);

export interface Line {
  readonly name: string;
  /** null: the person who reads the page; an empty `name`: unknown */
  readonly forWhom: { readonly name: string } | null;
  readonly when: { readonly from: number; readonly to: number; readonly zone: string } | null;
  readonly where: string | null;
  /** with a membership */
  readonly paidWithMembership: boolean;
  /** unit price and quantity, if there are several */
  readonly several: { readonly quantity: number; readonly unit: number } | null;
  /** price and interval of the renewals */
  readonly renews: {
    readonly price: Money;
    readonly n: number;
    readonly unit: 'weeks' | 'months';
    readonly plan: ShownPlan;
  } | null;
  /** the business's description, in paragraphs */
  readonly about: string | null;
  /** the email with a gift card; null: nothing is sent */
  readonly mail: SentMail | null;
  /** before discounts, added fees and added taxes */
  readonly amount: number;
  /** a spot is reserved for it */
  readonly isSpot: boolean;
  /** id of the membership that is bought; null: it is something else */
  readonly membership: number | null;
}

/** An email that is sent once the checkout is paid. */
export interface SentMail {
  readonly to: string;
  readonly name: string;
  /** YYYY-MM-DD; null: as soon as it is paid */
  readonly on: string | null;
  readonly subject: string;
  /** paragraphs between empty lines */
  readonly text: string;
}

export interface Sums {
  readonly listPrice: number;
  readonly discount: number;
  /** part of the taxes in `fees` that the list prices include */
  readonly includedTaxes: number;
  readonly fees: readonly { readonly name: string; readonly amount: number }[];
  readonly total: number;
  readonly credit: number;
  /** amount left to pay, or that was left when it was paid */
  readonly due: number;
}

/** A policy of the business: one that the buyer has to agree to, or one about cancellations and refunds to read. */
export interface ShownPolicy {
  readonly id: number;
  readonly version: number;
  readonly name: string;
  /** the buyer has not agreed to it yet */
  readonly asked: boolean;
}

/** Terms that the buyer has to agree to. */
export interface Terms {
  readonly id: number;
  readonly version: number;
  readonly of: string;
  readonly text: string;
  /** recipient of the membership */
  readonly customer: number;
}

/** A payment option. */
export interface Way {
  /** of the payment processor */
  readonly id: number;
  /** id of the payer's saved payment method; null: they enter a new one */
  readonly method: number | null;
  readonly name: string;
  /** moves no real money */
  readonly test: boolean;
  /** a new method can be saved for next time */
  readonly saves: boolean;
}

export interface Invoice {
  readonly id: number;
  readonly number: string;
  /** amount left to pay at the desk */
  readonly due: number;
}
