/** With which day something ends that is cancelled: docs/algorithms/cancellation.md. Dates are the business's. Pure. */
export type Reason = 'cancelled' | 'mistake' | 'no_auto_renew';

export interface Cancelling {
  readonly today: string;
  readonly reason: Reason;
  /** a day that staff say; null: none */
  readonly forced: string | null;
  /** null: it begins with its first use */
  readonly start: string | null;
  /** the last day if nobody had cancelled it; null: it goes on */
  readonly end: string | null;
  /** the last day that a recurring plan may be cancelled for; null: it is none */
  readonly allowed: string | null;
}

/** `atOnce`: it is over now, and nothing is booked with it any more; else it may be used until `lastDay` is over. */
export type Ending =
  | { readonly lastDay: string; readonly atOnce: boolean }
  | { readonly field: string; readonly refused: string };

const earlier = (a: string, b: string | null): string => (b === null || a < b ? a : b);

export function endingOf({ today, reason, forced, start, end, allowed }: Cancelling): Ending {
  if (reason === 'no_auto_renew' && allowed === null)
    return {
      field: 'cancellation_reason',
      refused: 'Only a recurring plan renews automatically. Send cancelled or mistake.',
    };
  if (forced !== null && forced < today)
    return { field: 'forced_expiration_date', refused: `Must be today, ${today}, or later.` };
  if (forced !== null && end !== null && forced > end)
    return { field: 'forced_expiration_date', refused: `It ends on ${end} anyway. To make it end later, extend it.` };
  if (reason === 'mistake' && forced !== null && forced !== today)
    return {
      field: 'forced_expiration_date',
      refused: 'A membership that was entered by mistake ends immediately. Leave this out.',
    };
  const wanted = reason === 'mistake' ? today : (forced ?? allowed ?? today);
  const lastDay = earlier(wanted, end);
  // A last day before the first: it never begins.
  if (start !== null && lastDay < start) return { lastDay: start, atOnce: true };
  return { lastDay, atOnce: reason === 'mistake' };
}
