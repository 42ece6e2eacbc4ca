/** Decides which sessions of a cancelled enrollment are refunded: docs/algorithms/courses.md. Pure. */

interface SessionToRefund {
  readonly event: number;
  /** the customer was booked for it, it has not begun, and the booking was cancelled now */
  readonly freed: boolean;
  /** cancelled after the cut-off of its booking window */
  readonly late: boolean;
}

interface Refunding {
  readonly rule: 'sessions_left' | 'before_start' | 'nothing';
  /** a session of the enrollment has begun */
  readonly begun: boolean;
  /** staff override the rule; null: the rule applies */
  readonly staffSay: boolean | null;
}

/** Returns ids of the events whose part of the price is refunded. A session that took place is never refunded. */
export function refunded(sessions: readonly SessionToRefund[], { rule, begun, staffSay }: Refunding): number[] {
  const freed = sessions.filter((session) => session.freed);
  if (staffSay !== null) return staffSay ? freed.map(({ event }) => event) : [];
  if (rule === 'nothing' || (rule === 'before_start' && begun)) return [];
  return freed.filter(({ late }) => !late).map(({ event }) => event);
}
