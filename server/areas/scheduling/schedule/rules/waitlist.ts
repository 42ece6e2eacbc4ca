/** Rules for a freed seat while customers are on the waitlist: docs/algorithms/waitlist.md. */
import { addDays, instantOfWall, wallAt } from '../../../../kernel/base/values/zone.ts';
import { offsetInterval } from '../../../../kernel/base/values/offset.ts';
import { quietUntil, type QuietHours } from '../../../../kernel/base/values/quiet-hours.ts';

export { quietUntil };
export type { QuietHours };

type WaitlistAction = 'auto_promote' | 'reserve' | 'broadcast';

export interface WaitlistStep {
  /** the step applies while the start is further away than this; null until the start */
  readonly until_minutes_before: number | null;
  readonly action: WaitlistAction;
  readonly claim_minutes?: number;
}

interface FreedSeatFacts {
  readonly now: number;
  readonly startsAt: number;
  readonly lateCancelsAfter: number;
  readonly steps: readonly WaitlistStep[];
  readonly quiet: QuietHours | null;
  /** zone of the business, for quiet hours */
  readonly zone: string;
  /** true if the first customer on the waitlist agreed to be promoted after the cut-off */
  readonly promoteAfterCutoff: boolean;
  /** true if nothing pays for this customer's booking: they have to pay for it themselves */
  readonly mustPay: boolean;
}

export type FreedSeat =
  | { readonly action: 'promote' }
  | { readonly action: 'reserve'; readonly expiresAt: number }
  /** everybody on the waitlist is notified; the first to book gets the seat */
  | { readonly action: 'broadcast' }
  | { readonly action: 'none' };

const MINUTE = 60_000;

/** Returns the step that applies at this time. */
export function findStep(steps: readonly WaitlistStep[], now: number, startsAt: number): WaitlistStep | null {
  const minutesLeft = (startsAt - now) / MINUTE;
  return steps.find((s) => s.until_minutes_before === null || minutesLeft > s.until_minutes_before) ?? null;
}

/** Returns the start of the next quiet hours after `now`, which is outside of them. */
function quietFrom(quiet: QuietHours, now: number, zone: string): number {
  const { date } = wallAt(now, zone);
  const starts = [0, 1, 2].flatMap((n) =>
    (['earlier', 'later'] as const).map((fold) => instantOfWall(`${addDays(date, n)}T${quiet.start}`, zone, fold)),
  );
  // A clock that is set back may repeat a quiet time.
  const change = offsetInterval(now, zone).until;
  if (change !== Infinity && quietUntil(quiet, change, zone) !== null) starts.push(change);
  return Math.min(...starts.filter((at) => at > now));
}

/**
 * Returns the instant after this many whole minutes outside of quiet hours, or `limit` if that is earlier: nobody loses
 * a spot while asleep. Counting begins with the next full minute. Otherwise, a rest of milliseconds would end exactly
 * with the quiet hours, and messages show the end in minutes.
 */
export function claimEnds(quiet: QuietHours | null, now: number, minutes: number, zone: string, limit: number): number {
  let left = minutes * MINUTE;
  const start = Math.ceil(now / MINUTE) * MINUTE;
  if (!quiet || quiet.start === quiet.end) return Math.min(start + left, limit);
  let from = quietUntil(quiet, start, zone) ?? start;
  while (from < limit) {
    const pause = quietFrom(quiet, from, zone);
    if (from + left <= pause) break;
    left -= pause - from;
    // A clock change can skip the quiet hours of a day; then there is no pause.
    from = quietUntil(quiet, pause, zone) ?? pause;
  }
  return Math.min(from + left, limit);
}

export function freedSeat(facts: FreedSeatFacts): FreedSeat {
  const { now, startsAt, lateCancelsAfter, steps, quiet, zone, promoteAfterCutoff, mustPay } = facts;
  if (now >= startsAt) return { action: 'none' };
  const step = findStep(steps, now, startsAt);
  if (!step) return { action: 'none' };
  if (step.action === 'auto_promote') {
    // After the cut-off, undoing a promotion would cost the customer, so it requires consent; otherwise the seat is
    // open to anybody.
    if (now >= lateCancelsAfter && !promoteAfterCutoff) return { action: 'broadcast' };
    // Customers pay for themselves: the place is reserved until they have.
    if (!mustPay) return { action: 'promote' };
  }
  if (step.action === 'broadcast') return { action: 'broadcast' };
  return { action: 'reserve', expiresAt: claimEnds(quiet, now, step.claim_minutes ?? 60, zone, startsAt) };
}
