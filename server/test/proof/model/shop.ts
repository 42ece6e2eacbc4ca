/**
 * A product with its stock, a gift card, a code that can be used a few times, and the account credit of a family. Money
 * is in whole cents. A sale is one step: everything is sold and paid, or nothing is.
 */
import { refused, type Model, type Outcome } from './model.ts';

export interface Shop {
  /** price of one item */
  readonly price: number;
  readonly stock: number;
  /** value of the gift card */
  readonly card: number;
  readonly isRedeemed: boolean;
  /** uses of the code that are left; the code halves the price */
  readonly codes: number;
  /** account credit by customer */
  readonly credit: readonly number[];
}

export type ShopStep =
  /** `pays`: with credit alone, or first with credit and the rest by card, of which something must be left */
  | {
      readonly do: 'sell';
      readonly customer: number;
      readonly quantity: number;
      readonly pays: 'credit' | 'both';
      readonly code: boolean;
    }
  | { readonly do: 'restock'; readonly more: number }
  | { readonly do: 'redeem'; readonly customer: number }
  | { readonly do: 'give'; readonly customer: number; readonly amount: number }
  | { readonly do: 'move'; readonly customer: number; readonly to: number; readonly amount: number }
  | { readonly do: 'count stock' }
  | { readonly do: 'count credit'; readonly customer: number };

const withCredit = (shop: Shop, customer: number, more: number): Shop => ({
  ...shop,
  credit: shop.credit.map((amount, index) => (index === customer ? amount + more : amount)),
});

/** Every amount of a history is a multiple of this. */
const UNIT = 500;

/**
 * Credit is read when a sale is priced. What arrives until it is done may stay on the account, so a sale counts on the
 * credit that there is, or on less.
 */
function sold(shop: Shop, step: ShopStep & { do: 'sell' }): readonly Outcome<Shop>[] {
  const whole = shop.price * step.quantity;
  const total = step.code ? whole / 2 : whole;
  const most = Math.min(total, shop.credit[step.customer]);
  const counted = Array.from({ length: Math.floor(most / UNIT) + 1 }, (_, n) => most - n * UNIT);
  return counted.flatMap((fromCredit) => soldWith(shop, step, { total, fromCredit }));
}

function soldWith(
  shop: Shop,
  step: ShopStep & { do: 'sell' },
  { total, fromCredit }: Readonly<Record<'total' | 'fromCredit', number>>,
): readonly Outcome<Shop>[] {
  const reasons = [
    ...(shop.stock < step.quantity ? ['out of stock'] : []),
    ...(step.code && shop.codes === 0 ? ['code used up'] : []),
    ...(step.pays === 'credit' && fromCredit < total ? ['not paid'] : []),
    ...(step.pays === 'both' && fromCredit === total ? ['nothing left to pay'] : []),
  ];
  if (reasons.length > 0) return refused(shop, ...reasons);
  const left = { ...shop, stock: shop.stock - step.quantity, codes: shop.codes - (step.code ? 1 : 0) };
  return [
    { answer: `sold for ${total}, ${fromCredit} from credit`, state: withCredit(left, step.customer, -fromCredit) },
  ];
}

export const SHOP: Model<Shop, ShopStep> = {
  after(shop, step) {
    switch (step.do) {
      case 'sell':
        return sold(shop, step);
      case 'restock':
        return shop.stock + step.more < 0
          ? refused(shop, 'out of stock')
          : [{ answer: 'restocked', state: { ...shop, stock: shop.stock + step.more } }];
      case 'redeem':
        return shop.isRedeemed
          ? refused(shop, 'already redeemed')
          : [{ answer: 'redeemed', state: { ...withCredit(shop, step.customer, shop.card), isRedeemed: true } }];
      case 'give':
        return [{ answer: 'given', state: withCredit(shop, step.customer, step.amount) }];
      case 'move':
        return shop.credit[step.customer] < step.amount
          ? refused(shop, 'not enough')
          : [
              {
                answer: 'moved',
                state: withCredit(withCredit(shop, step.customer, -step.amount), step.to, step.amount),
              },
            ];
      case 'count stock':
        return refused(shop, `${shop.stock} in stock`);
      case 'count credit':
        return refused(shop, `${shop.credit[step.customer]} of credit`);
    }
  },
};
