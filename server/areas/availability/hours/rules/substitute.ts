/** Who could teach an event instead: what speaks against an instructor, in the order in which it is said. Pure. */
import { around, meets, spansOf, type Spans } from '../../../../kernel/base/values/intervals.ts';
import type { Period } from '../../../../kernel/base/values/period.ts';

export interface Candidate {
  /** the offering type has them among its instructors, or a schedule of theirs names it */
  readonly qualified: boolean;
  /**
   * when each schedule of theirs is open that counts for the offering type and the venue; null: they keep no hours, so
   * none limit them
   */
  readonly hours: readonly Spans[] | null;
  readonly blocked: readonly Period[];
  /** when they teach something else */
  readonly teaching: readonly (Period & { readonly event: number })[];
  /** when a calendar that they connected says that they are busy */
  readonly elsewhere: readonly Period[];
}

export const REASONS = {
  not_qualified: 'Isn’t an instructor of this offering type.',
  outside_hours: 'The event is outside of their hours.',
  blocked: 'Some of this time is blocked.',
  teaching: 'Teaches another event at this time.',
  busy_elsewhere: 'Is busy in a calendar that they connected.',
} as const;

export type Reason = keyof typeof REASONS;

/** None: the instructor could teach it. */
export function reasonsAgainst(
  { qualified, hours, blocked, teaching, elsewhere }: Candidate,
  event: Period,
  /** the event with the time around it that its instructors stay free */
  kept: Period = event,
): Reason[] {
  const against: Record<Reason, boolean> = {
    not_qualified: !qualified,
    // Hours of several schedules are not put together: each is for a place and a time of its own.
    outside_hours: hours !== null && !hours.some((open) => around(open, event)),
    blocked: meets(spansOf(blocked), event),
    teaching: meets(spansOf(teaching), kept),
    busy_elsewhere: meets(spansOf(elsewhere), kept),
  };
  return (Object.keys(REASONS) as Reason[]).filter((reason) => against[reason]);
}
