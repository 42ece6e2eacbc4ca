/** Determines who could substitute at an event: the reasons against an instructor, in order of display. Pure. */
import { around, meets, spansOf, type Spans } from '../../../../kernel/base/values/intervals.ts';
import type { Period } from '../../../../kernel/base/values/period.ts';

export interface Candidate {
  /** the offering type has them among its instructors, or one of their schedules names it */
  readonly qualified: boolean;
  /**
   * open times of each of their schedules that applies to the offering type and the venue; null: they have no hours, so
   * none limit them
   */
  readonly hours: readonly Spans[] | null;
  readonly blocked: readonly Period[];
  /** times at which they teach another event */
  readonly teaching: readonly (Period & { readonly event: number })[];
  /** times at which a connected calendar says that they are busy */
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

/** Returns the reasons; an empty list means that the instructor could teach it. */
export function reasonsAgainst(
  { qualified, hours, blocked, teaching, elsewhere }: Candidate,
  event: Period,
  /** the event, plus the time around it that its instructors keep free */
  kept: Period = event,
): Reason[] {
  const against: Record<Reason, boolean> = {
    not_qualified: !qualified,
    // Hours of several schedules aren't merged: each applies to its own place and time.
    outside_hours: hours !== null && !hours.some((open) => around(open, event)),
    blocked: meets(spansOf(blocked), event),
    teaching: meets(spansOf(teaching), kept),
    busy_elsewhere: meets(spansOf(elsewhere), kept),
  };
  return (Object.keys(REASONS) as Reason[]).filter((reason) => against[reason]);
}
