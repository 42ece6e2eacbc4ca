/** What delivery costs: docs/algorithms/delivery.md. Pure; amounts are minor units. */

export interface DeliveryRule {
  /** null: delivery is free */
  readonly fee: number | null;
  /** null: it is never free */
  readonly freeFrom: number | null;
}

/** `delivered`: what is delivered costs so much; null: nothing is. Null: there is no fee to speak of, not even one of 0. */
export function deliveryFee({ fee, freeFrom }: DeliveryRule, delivered: number | null): number | null {
  if (fee === null || delivered === null) return null;
  return freeFrom !== null && delivered >= freeFrom ? 0 : fee;
}
