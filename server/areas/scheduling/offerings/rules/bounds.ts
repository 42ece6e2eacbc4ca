/** Rules for contradictory bounds: each returns a message for the property to be changed, or null. Pure. */

interface Ages {
  readonly min: number | null;
  readonly max: number | null;
}

export const agesDisagree = ({ min, max }: Ages): string | null =>
  min !== null && max !== null && min > max ? `The minimum age ${min} is higher than the maximum age ${max}.` : null;

interface Registration {
  /** minutes before the start; null for the next level, 0 for the beginning */
  readonly opens: number | null;
  readonly closes: number | null;
}

/**
 * Returns the message if booking would never be open. Both are counted back from the start, so it would open later than
 * it closes.
 */
export const neverOpen = ({ opens, closes }: Registration): string | null =>
  opens !== null && opens > 0 && closes !== null && opens <= closes
    ? `Registration would close ${closes} minutes before the start, but not open until ${opens} minutes before it.`
    : null;
