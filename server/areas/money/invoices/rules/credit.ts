/** Distribution of the amount of a credit note. Pure; whole minor units. */

/** The distribution of a credit note's amount: the amount due is reduced first, the rest is returned. */
export interface Spread {
  readonly reduces: number;
  readonly toCredit: number;
  readonly toRefund: number;
}

/**
 * Distributes the amount. `refundable`: what was paid and not refunded. What was paid with account credit becomes
 * account credit again, even if the rest is refunded.
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
