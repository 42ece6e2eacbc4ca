/** What happens to a freed seat while people wait: docs/algorithms/waitlist.md. */
import { addDays, instantOfWall, wallAt } from '../../../kernel/values/zone.ts';

export type WaitlistAction = 'auto_promote' | 'reserve' | 'broadcast';

export interface WaitlistStep {
  /** the step holds while the start is further away than this; null: until the start */
  readonly until_minutes_before: number | null;
  readonly action: WaitlistAction;
  readonly claim_minutes?: number;
}

export interface QuietHours {
  /** wall times of the business, `HH:MM` or `HH:MM:SS`; they may cross midnight */
  readonly start: string;
  readonly end: string;
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

/** The end of the quiet hours that `now` lies in, or null outside of them. */
export function quietUntil(quiet: QuietHours | null, now: number, zone: string): number | null {
  if (!quiet || quiet.start === quiet.end) return null;
  const { date } = wallAt(now, zone);
  // The span that began yesterday may still be going on.
  for (const day of [addDays(date, -1), date]) {
    const from = instantOfWall(`${day}T${quiet.start}`, zone);
    const to = instantOfWall(`${quiet.end > quiet.start ? day : addDays(day, 1)}T${quiet.end}`, zone);
    if (now >= from && now < to) return to;
  }
  return null;
}

export function freedSeat(facts: FreedSeatFacts): FreedSeat {
  const { now, startsAt, lateCancelsAfter, steps, quiet, zone, promoteAfterCutoff } = facts;
  if (now >= startsAt) return { action: 'none' };
  const step = stepAt(steps, now, startsAt);
  if (!step) return { action: 'none' };
  if (step.action === 'auto_promote') {
    // Past the cut-off a promotion could only be undone at a cost, so it takes consent; otherwise the seat is anybody's.
    return now < lateCancelsAfter || promoteAfterCutoff ? { action: 'promote' } : { action: 'broadcast' };
  }
  if (step.action === 'broadcast') return { action: 'broadcast' };
  // Nobody loses a spot asleep: the time to claim it begins when the quiet hours end.
  const from = quietUntil(quiet, now, zone) ?? now;
  const expiresAt = Math.min(from + (step.claim_minutes ?? 60) * MINUTE, startsAt);
  return { action: 'reserve', expiresAt };
}

