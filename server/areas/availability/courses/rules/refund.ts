/** Which sessions of an enrolment that is cancelled are refunded: docs/algorithms/courses.md. Pure. */

export interface SessionToRefund {
  readonly event: number;
  /** the customer was booked for it, it has not begun, and it was cancelled now */
  readonly freed: boolean;
  /** after the cut-off of its booking window */
  readonly late: boolean;
}

export interface Refunding {
  readonly rule: 'sessions_left' | 'before_start' | 'nothing';
  /** a session of the enrolment has begun */
  readonly begun: boolean;
  /** staff decide otherwise; null: the rule holds */
  readonly staffSay: boolean | null;
}

/** Ids of the events whose part of the price is given back. A session that was held is never refunded. */
export function refunded(sessions: readonly SessionToRefund[], { rule, begun, staffSay }: Refunding): number[] {
  const freed = sessions.filter((session) => session.freed);
  if (staffSay !== null) return staffSay ? freed.map(({ event }) => event) : [];
  if (rule === 'nothing' || (rule === 'before_start' && begun)) return [];
  return freed.filter(({ late }) => !late).map(({ event }) => event);
}
