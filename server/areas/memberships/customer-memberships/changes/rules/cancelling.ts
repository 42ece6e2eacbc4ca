/**
 * Rules for the last day of a cancelled membership: docs/algorithms/cancellation.md. Dates are the business's. Pure.
 */
export type Reason = 'cancelled' | 'mistake' | 'no_auto_renew';

interface Cancelling {
  readonly today: string;
  readonly reason: Reason;
  /** day set by staff; null if none */
  readonly forced: string | null;
  /** null if it begins with its first use */
  readonly start: string | null;
  /** last day without a cancellation; null if it has none */
  readonly end: string | null;
  /** last day for which a recurring plan may be cancelled; null for others */
  readonly allowed: string | null;
}

/**
 * `atOnce`: it ends immediately and can't be used for bookings any more; otherwise it may be used until the end of
 * `lastDay`.
 */
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
  // The last day would be before the first: the membership never begins.
  if (start !== null && lastDay < start) return { lastDay: start, atOnce: true };
  return { lastDay, atOnce: reason === 'mistake' };
}
