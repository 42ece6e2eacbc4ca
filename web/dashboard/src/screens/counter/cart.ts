/** The cart of a sale, and its conversion to requests. Prices and totals are never calculated here. Pure. */
import { typedAmount } from '../../app/amount.ts';

export const BILLED_AS = ['store', 'event', 'course', 'membership', 'recurring_membership', 'joining_fee'] as const;
/** category of a quick item, for fees and taxes */
export type BilledAs = (typeof BILLED_AS)[number];

export type Item =
  | { readonly store_product_variant: number }
  | { readonly membership: number; readonly plan?: number }
  | { readonly event: number }
  | { readonly account_entry: number }
  | { readonly item_type: 'GIFT_CARD'; readonly unit_price: string }
  | { readonly description: string; readonly unit_price: string; readonly purchase_type: BilledAs };

export interface Line {
  readonly key: number;
  readonly label: string;
  /** list price of one, formatted */
  readonly price: string;
  readonly quantity: number;
  readonly item: Item;
}

export type NewLine = Pick<Line, 'label' | 'price' | 'item'>;

export interface PaymentRow {
  readonly key: number;
  /** id; null: the first available one */
  readonly processor: number | null;
  /** as typed; empty: the remaining amount */
  readonly amount: string;
  /** cash received, as typed; empty: the exact amount */
  readonly tendered: string;
}

export interface Cart {
  readonly lines: readonly Line[];
  /** null for a walk-in customer */
  readonly customer: { readonly id: number; readonly label: string } | null;
  readonly code: string;
  readonly credit: boolean;
  readonly payments: readonly PaymentRow[];
  /** key of the next line or payment */
  readonly next: number;
}

export const EMPTY: Cart = {
  lines: [],
  customer: null,
  code: '',
  credit: false,
  payments: [{ key: 0, processor: null, amount: '', tendered: '' }],
  next: 1,
};

/** Returns true if the item has a quantity. */
export const isCounted = (item: Item): boolean => 'store_product_variant' in item || 'description' in item;

/** Adds a line; the same item again increases its quantity. */
export function added(cart: Cart, line: NewLine): Cart {
  const same = JSON.stringify(line.item);
  const before = cart.lines.find(({ item }) => isCounted(item) && JSON.stringify(item) === same);
  if (before)
    return {
      ...cart,
      lines: cart.lines.map((one) => (one === before ? { ...one, quantity: one.quantity + 1 } : one)),
    };
  return { ...cart, lines: [...cart.lines, { ...line, key: cart.next, quantity: 1 }], next: cart.next + 1 };
}

/** Parses `Water 2.50` as a quick item: a description and its price. Null if the text has another form. */
export function readQuick(text: string): { readonly description: string; readonly amount: string } | null {
  const found = /^(.*\S)\s+(\d{1,9}(?:[.,]\d{1,3})?)$/.exec(text.trim());
  return found && { description: found[1], amount: typedAmount(found[2]) };
}

/** A payment method at the desk. */
export interface Desk {
  readonly id: number;
  readonly is_cash_drawer: boolean;
}

export const deskOf = <D extends Desk>({ processor }: PaymentRow, desks: readonly D[]): D | undefined =>
  desks.find(({ id }) => id === processor) ?? desks[0];

/** Adds a payment of the remaining amount, with a payment method that no other payment uses. */
export function withPayment(cart: Cart, desks: readonly Desk[]): Cart {
  const used = new Set(cart.payments.map((row) => deskOf(row, desks)?.id));
  const processor = desks.find(({ id }) => !used.has(id))?.id ?? null;
  return {
    ...cart,
    payments: [...cart.payments, { key: cart.next, processor, amount: '', tendered: '' }],
    next: cart.next + 1,
  };
}

export interface Sent {
  readonly payment_processor: number;
  readonly amount?: string;
  readonly tendered?: string;
}

/**
 * Returns the payments for the interface. The last one covers the remaining amount, so only those before it have an
 * amount.
 */
export function paymentsOf({ payments }: Cart, desks: readonly Desk[]): Sent[] {
  return payments.flatMap((row, n) => {
    const desk = deskOf(row, desks);
    if (!desk) return [];
    const [amount, tendered] = [typedAmount(row.amount), typedAmount(row.tendered)];
    return {
      payment_processor: desk.id,
      ...(amount !== '' && n < payments.length - 1 && { amount }),
      ...(tendered !== '' && desk.is_cash_drawer && { tendered }),
    };
  });
}

/** Returns the sale without its payments. */
export const soldOf = ({ lines, customer, code, credit }: Cart, venue: number | null) => ({
  ...(customer && { customer: customer.id }),
  items: lines.map(({ item, quantity }) => ({ ...item, ...(quantity > 1 && { quantity }) })),
  ...(code.trim() !== '' && { discount_code: code.trim() }),
  ...(credit && customer && { use_account_credit: true }),
  ...(venue !== null && { venue }),
});
