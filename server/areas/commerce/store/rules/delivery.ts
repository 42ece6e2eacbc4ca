/** The delivery fee: docs/algorithms/delivery.md. Pure; amounts are minor units. */

interface DeliveryRule {
  /** null if delivery is free */
  readonly fee: number | null;
  /** null if it is never free */
  readonly freeFrom: number | null;
}

/**
 * `delivered`: total price of the items to deliver; null if there are none. Returns null if there is no fee line, not
 * even one of 0.
 */
export function deliveryFee({ fee, freeFrom }: DeliveryRule, delivered: number | null): number | null {
  if (fee === null || delivered === null) return null;
  return freeFrom !== null && delivered >= freeFrom ? 0 : fee;
}
