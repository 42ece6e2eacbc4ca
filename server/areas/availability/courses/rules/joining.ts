/** Decides if somebody can join a series now, and which sessions they get: docs/algorithms/courses.md. Pure. */
import type { Wordings } from '../../../../kernel/base/values/wording.ts';
import { one, say } from '../../../../kernel/base/values/words.ts';

export interface SessionToJoin {
  /** id of the event */
  readonly event: number;
  readonly position: number;
  /** epoch milliseconds */
  readonly startsAt: number;
  readonly status: 'active' | 'cancelled';
}

interface SeriesToJoin {
  readonly published: boolean;
  readonly status: 'active' | 'cancelled';
  readonly lateJoinLimit: number | null;
  readonly sessions: readonly SessionToJoin[];
}

export interface Joinable<S extends SessionToJoin> {
  /** the remaining sessions, soonest first */
  readonly left: readonly S[];
  /** number of sessions that have begun, without cancelled ones */
  readonly begun: number;
  /** reason why nobody can join; null if they can */
  readonly refusal: Wordings | null;
}

const byStart = (a: SessionToJoin, b: SessionToJoin): number => a.startsAt - b.startsAt || a.position - b.position;

/** Applies the rules in the order in which they refuse. Free places are counted by the schedule. */
export function joinable<S extends SessionToJoin>(
  series: Omit<SeriesToJoin, 'sessions'> & { readonly sessions: readonly S[] },
  now: number,
): Joinable<S> {
  const active = series.sessions.filter(({ status }) => status === 'active');
  const left = active.filter(({ startsAt }) => startsAt > now).toSorted(byStart);
  const begun = active.length - left.length;
  return { left, begun, refusal: refusalOf(series, left.length, begun) };
}

function refusalOf({ published, status, lateJoinLimit }: Omit<SeriesToJoin, 'sessions'>, left: number, begun: number) {
  if (status === 'cancelled')
    return {
      staff: 'The series is cancelled. Choose another one.',
      customer: say`These ${one.course} dates are cancelled.`,
    };
  if (!published)
    return {
      staff: 'The course is a draft. Publish it first.',
      customer: say`This ${one.course} can’t be booked yet.`,
    };
  if (left === 0)
    return {
      staff: 'No session of the series is left. Choose another series.',
      customer: say`This ${one.course} is over.`,
    };
  if (lateJoinLimit !== null && begun > lateJoinLimit)
    return {
      staff: `${begun === 1 ? 'One session has' : `${begun} sessions have`} begun, and customers can join until ${lateJoinLimit === 0 ? 'the first one begins' : `${lateJoinLimit} have`}. Raise late_join_limit, or choose another series.`,
      customer: say`These ${one.course} dates have already begun, so it’s too late to join. Choose other dates, or ask the business.`,
    };
  return null;
}
