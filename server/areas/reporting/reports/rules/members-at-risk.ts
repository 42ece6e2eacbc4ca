/** Who may be about to leave, and why: see docs/algorithms/members-at-risk.md. Pure. */
import { addDays, daysBetween } from '../../../../kernel/base/values/zone.ts';

/** Days and numbers that decide. */
export const LIMITS = {
  /** they came about once a week, if they came so often in the weeks before */
  weeklyVisits: 6,
  weeklyDays: 56,
  /** and have not come for so long */
  absentDays: 14,
  /** two times that are compared, each so long; the earlier one has at least so many visits */
  comparedDays: 28,
  comparedVisits: 4,
  /** a membership began so long ago, and they have not come */
  settlingDays: 14,
  settledDays: 56,
  /** a membership that ends, or a hold, does so within so many days */
  endsWithinDays: 14,
  holdEndsWithinDays: 7,
} as const;

export const RISKS = [
  'payment_failed',
  'membership_ends',
  'hold_ends',
  'never_came',
  'stopped_coming',
  'visits_halved',
] as const;
export type Risk = (typeof RISKS)[number];

/** What is known of a member on a day. Days are `YYYY-MM-DD`. */
export interface MemberFacts {
  readonly today: string;
  /** when the first of the memberships that they have began */
  readonly memberSince: string;
  /** all of them are on hold */
  readonly onHold: boolean;
  /** last day of the hold that ends last; null: none, or without an end */
  readonly holdEnds: string | null;
  /** last day of the membership that ends last; null: one has no end */
  readonly ends: string | null;
  /** a payment that they owe has failed */
  readonly paymentFailed: boolean;
  /** something is booked */
  readonly hasBooking: boolean;
  /** visits in the last `absentDays`, in `weeklyDays` before them, in the last `comparedDays`, and in as many days before these */
  readonly lately: number;
  readonly weekly: number;
  readonly now: number;
  readonly before: number;
  /** null: none in the last `LOOKS_BACK` days */
  readonly lastVisit: string | null;
}

/** Visits before so many days don't matter. */
export const LOOKS_BACK = LIMITS.absentDays + LIMITS.weeklyDays;

/** Every reason that applies, the most urgent first. */
export function risksOf(facts: MemberFacts): Risk[] {
  const { today, onHold, holdEnds, ends, hasBooking } = facts;
  const within = (day: string | null, days: number): boolean => day !== null && day <= addDays(today, days);
  const age = daysBetween(facts.memberSince, today);
  const absent = !onHold && !hasBooking && facts.lately === 0;
  const stopped = absent && facts.weekly >= LIMITS.weeklyVisits;
  const found: Record<Risk, boolean> = {
    payment_failed: facts.paymentFailed,
    membership_ends: within(ends, LIMITS.endsWithinDays),
    hold_ends: onHold && within(holdEnds, LIMITS.holdEndsWithinDays),
    never_came:
      !onHold &&
      !hasBooking &&
      age >= LIMITS.settlingDays &&
      age <= LIMITS.settledDays &&
      (facts.lastVisit === null || facts.lastVisit < facts.memberSince),
    stopped_coming: stopped,
    visits_halved: !onHold && !stopped && facts.before >= LIMITS.comparedVisits && facts.now * 2 <= facts.before,
  };
  return RISKS.filter((risk) => found[risk]);
}

/** Why, for the people who can do something about it. */
export function sentenceOf(risk: Risk, facts: MemberFacts): string {
  switch (risk) {
    case 'payment_failed':
      return 'A payment failed.';
    case 'membership_ends':
      return `Their membership ends on ${facts.ends}, and no other follows.`;
    case 'hold_ends':
      return `Their hold ends on ${facts.holdEnds}.`;
    case 'never_came':
      return `They became a member on ${facts.memberSince} and haven’t come yet.`;
    case 'stopped_coming':
      return `No visit in ${daysBetween(facts.lastVisit!, facts.today)} days. Before that, they came about once a week.`;
    case 'visits_halved':
      return `${facts.now} ${facts.now === 1 ? 'visit' : 'visits'} in the last ${LIMITS.comparedDays} days, and ${facts.before} in the ${LIMITS.comparedDays} days before.`;
  }
}
