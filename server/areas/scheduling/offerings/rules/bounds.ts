/** What cannot hold together, in words for the one property to be changed; null where it can. Pure. */

export interface Ages {
  readonly min: number | null;
  readonly max: number | null;
}

export const agesDisagree = ({ min, max }: Ages): string | null =>
  min !== null && max !== null && min > max ? `The minimum age ${min} is higher than the maximum age ${max}.` : null;

export interface Registration {
  /** minutes before the start; null says nothing, 0 means from the beginning */
  readonly opens: number | null;
  readonly closes: number | null;
}

/** Both are counted back from the start: what opens later than it closes is never open. */
export const neverOpen = ({ opens, closes }: Registration): string | null =>
  opens !== null && opens > 0 && closes !== null && opens <= closes
    ? `Registration would close ${closes} minutes before the start, but not open until ${opens} minutes before it.`
    : null;
