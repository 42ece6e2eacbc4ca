/** What becomes of an amount that is taken back. Pure; whole minor units. */

/** What a credit note does with its amount: what is still due is reduced, the rest is given back. */
export interface Spread {
  readonly reduces: number;
  readonly toCredit: number;
  readonly toRefund: number;
}

/**
 * `refundable`: what was paid and not given back. What account credit paid goes back to account credit, also where the
 * rest is refunded.
 */
export function spread(
  amount: number,
  { due, refundable }: { readonly due: number; readonly refundable: number },
  to: 'credit' | 'unapplied',
): Spread {
  const reduces = Math.min(amount, due);
  const back = amount - reduces;
  const toRefund = to === 'unapplied' ? Math.min(back, refundable) : 0;
  return { reduces, toCredit: back - toRefund, toRefund };
}
