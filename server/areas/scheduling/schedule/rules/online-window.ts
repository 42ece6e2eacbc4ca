/** The time around an online event in which people who booked it can join. */

export const OPENS_BEFORE_MINUTES = 15;

export type OnlineWindow = 'early' | 'open' | 'over';

/** Times are epoch milliseconds. The link opens a quarter of an hour before the event, and closes when it ends. */
export function onlineWindow(
  { startsAt, endsAt }: { readonly startsAt: number; readonly endsAt: number },
  now: number,
): OnlineWindow {
  if (now >= endsAt) return 'over';
  return now >= opensAt(startsAt) ? 'open' : 'early';
}

export const opensAt = (startsAt: number): number => startsAt - OPENS_BEFORE_MINUTES * 60_000;
