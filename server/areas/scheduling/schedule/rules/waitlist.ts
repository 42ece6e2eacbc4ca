/** What happens to a freed seat while people wait: docs/algorithms/waitlist.md. */
import { addDays, instantOfWall, wallAt } from '../../../../kernel/base/values/zone.ts';
import { offsetInterval } from '../../../../kernel/base/values/offset.ts';
import { quietUntil, type QuietHours } from '../../../../kernel/base/values/quiet-hours.ts';

export { quietUntil };
export type { QuietHours };

export type WaitlistAction = 'auto_promote' | 'reserve' | 'broadcast';

export interface WaitlistStep {
  /** the step holds while the start is further away than this; null: until the start */
  readonly until_minutes_before: number | null;
  readonly action: WaitlistAction;
  readonly claim_minutes?: number;
}

export interface FreedSeatFacts {
  readonly now: number;
  readonly startsAt: number;
  readonly lateCancelsAfter: number;
  readonly steps: readonly WaitlistStep[];
  readonly quiet: QuietHours | null;
  /** of the business, for quiet hours */
  readonly zone: string;
  /** the person at the head of the queue agreed to be promoted after the cut-off */
  readonly promoteAfterCutoff: boolean;
  /** nothing that this person has pays for the booking: they have to pay for it themselves */
  readonly mustPay: boolean;
}

export type FreedSeat =
  | { readonly action: 'promote' }
  | { readonly action: 'reserve'; readonly expiresAt: number }
  /** everybody who waits is told; the first to register gets it */
  | { readonly action: 'broadcast' }
  | { readonly action: 'none' };

const MINUTE = 60_000;

/** The step that holds at this moment. */
export function stepAt(steps: readonly WaitlistStep[], now: number, startsAt: number): WaitlistStep | null {
  const minutesLeft = (startsAt - now) / MINUTE;
  return steps.find((s) => s.until_minutes_before === null || minutesLeft > s.until_minutes_before) ?? null;
}

/** The start of the quiet hours that follow `now`, which lies outside of them. */
function quietFrom(quiet: QuietHours, now: number, zone: string): number {
  const { date } = wallAt(now, zone);
  const starts = [0, 1, 2].flatMap((n) =>
    (['earlier', 'later'] as const).map((fold) => instantOfWall(`${addDays(date, n)}T${quiet.start}`, zone, fold)),
  );
  // Clocks that go back may show a quiet time again.
  const change = offsetInterval(now, zone).until;
  if (change !== Infinity && quietUntil(quiet, change, zone) !== null) starts.push(change);
  return Math.min(...starts.filter((at) => at > now));
}

/**
 * The instant at which this many whole minutes outside the quiet hours have passed, or `limit` if that comes first:
 * nobody loses a spot asleep. Counting begins with the next full minute. A remainder of milliseconds would otherwise
 * end right as the quiet hours do, and messages show the end in minutes.
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
  const step = stepAt(steps, now, startsAt);
  if (!step) return { action: 'none' };
  if (step.action === 'auto_promote') {
    // Past the cut-off a promotion could only be undone at a cost, so it takes consent; otherwise the seat is
    // anybody's.
    if (now >= lateCancelsAfter && !promoteAfterCutoff) return { action: 'broadcast' };
    // Nobody pays for somebody else: the place is kept for them until they have.
    if (!mustPay) return { action: 'promote' };
  }
  if (step.action === 'broadcast') return { action: 'broadcast' };
  return { action: 'reserve', expiresAt: claimEnds(quiet, now, step.claim_minutes ?? 60, zone, startsAt) };
}
