/** The price of a booking that nothing else pays for, and when it is refunded: docs/algorithms/drop-ins.md. Pure. */
import { addDays } from '../../../../../kernel/base/values/date.ts';
import { amountText, formatDecimal } from '../../../../../kernel/base/values/money.ts';
import type { Wordings } from '../../../../../kernel/base/values/wording.ts';
import { one, say, type Text } from '../../../../../kernel/base/values/words.ts';

/** The current price of a drop-in to an event. Amounts are minor units. */
interface DropInPrice {
  readonly currency: string;
  /** price of the offering type for this kind of place, before fees and taxes unless it includes them */
  readonly listPrice: number;
  /** null if nobody is shown the total, so it isn't calculated */
  readonly total: number | null;
}

interface Asked {
  /** null if a drop-in is free or not allowed */
  readonly price: DropInPrice | null;
  /** id of the checkout item that pays; null if none does */
  readonly paidBy: number | null;
  /** true if nothing is to be paid, something else was named, or it has been paid */
  readonly settled: boolean;
}

export interface Choice {
  /** id of the checkout item; null if none pays */
  readonly chosen: number | null;
  readonly refusal: { readonly code: 'payment_required'; readonly message: Wordings } | null;
  readonly facts: Record<string, string | number | boolean | null>;
}

export const NO_OBJECTION = 'It is free, or it is paid for.';

/**
 * Decides how a booking is paid. An amount that was paid covers the booking, even if the price of a drop-in has changed
 * since.
 */
export function chooseDropIn({ price, paidBy, settled }: Asked): Choice {
  const facts = {
    dropin_price: spoken(price, 'listPrice'),
    total_price: spoken(price, 'total'),
    // For pages, which write it in the language of the reader.
    total_amount: price && price.total !== null ? formatDecimal({ ...price, minor: price.total }) : null,
    currency: price?.currency ?? null,
  };
  if (settled) return { chosen: null, refusal: null, facts };
  if (paidBy !== null) return { chosen: paidBy, refusal: null, facts };
  const refusal = price && { code: 'payment_required' as const, message: messageOf(price) };
  return { chosen: null, refusal, facts };
}

function spoken(price: DropInPrice | null, what: 'listPrice' | 'total'): string | null {
  const minor = price?.[what] ?? null;
  return minor === null ? null : amountText({ minor, currency: price!.currency });
}

function messageOf(price: DropInPrice): Wordings {
  const { listPrice, total } = price;
  const included = total === listPrice ? '' : ', fees and taxes included';
  const amount = spoken(price, 'total');
  const costs = amount === null ? 'has to be paid for' : `costs ${amount}${included}`;
  return {
    staff: `The event ${costs}. Take the payment with a checkout, or book the customer yourself: the price is charged to the account.`,
    customer: toCustomers(amount, included !== ''),
  };
}

function toCustomers(amount: string | null, included: boolean): Text {
  if (amount === null) return say`This ${one.event} has to be paid for. Pay on its page.`;
  return included
    ? say`This ${one.event} costs ${amount}, fees and taxes included. Pay on its page.`
    : say`This ${one.event} costs ${amount}. Pay on its page.`;
}

/** The reasons why a booking ended, among those that payers know. */
export type Ended = 'cancelled_in_time' | 'event_cancelled' | 'no_show' | 'booking_dropped' | 'replaced' | 'switched';

/** Ends after which the price is given back. Each has a text that customers read on the credit note. */
const GIVES_BACK = ['cancelled_in_time', 'event_cancelled', 'booking_dropped', 'switched'] as const;
export type GivesBack = (typeof GIVES_BACK)[number];

/** Returns true if the price is given back after this end. */
export const givesBack = (ended: Ended): ended is GivesBack => (GIVES_BACK as readonly Ended[]).includes(ended);

/**
 * When a charge for a place is due: it can be paid at the desk until the day of the event is over. Days as YYYY-MM-DD.
 */
export const dueAfter = (eventDay: string, today: string): string => {
  const next = addDays(eventDay, 1);
  return next > today ? next : today;
};
