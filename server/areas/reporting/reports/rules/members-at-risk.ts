/** Members who may be about to leave, and the reasons: see docs/algorithms/members-at-risk.md. Pure. */
import { addDays, daysBetween } from '../../../../kernel/base/values/zone.ts';

/** Thresholds in days and visits. */
export const LIMITS = {
  /** minimum visits in the weeks before, for a member who came about once a week */
  weeklyVisits: 6,
  weeklyDays: 56,
  /** days without a visit since then */
  absentDays: 14,
  /** length of the two periods that are compared, and the minimum visits in the earlier one */
  comparedDays: 28,
  comparedVisits: 4,
  /** minimum and maximum days since a membership began, for a member who never came */
  settlingDays: 14,
  settledDays: 56,
  /** maximum days until a membership ends, and until a hold ends */
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

/** Facts about a member on a day. Days are `YYYY-MM-DD`. */
export interface MemberFacts {
  readonly today: string;
  /** first day of the earliest of their current memberships */
  readonly memberSince: string;
  /** true if all of them are on hold */
  readonly onHold: boolean;
  /** last day of the hold that ends last; null if there is none, or one without an end */
  readonly holdEnds: string | null;
  /** last day of the membership that ends last; null if one has no end */
  readonly ends: string | null;
  /** true if a payment that they owe has failed */
  readonly paymentFailed: boolean;
  /** true if they have a booking */
  readonly hasBooking: boolean;
  /**
   * visits in the last `absentDays`, in `weeklyDays` before them, in the last `comparedDays`, and in as many days
   * before these
   */
  readonly lately: number;
  readonly weekly: number;
  readonly now: number;
  readonly before: number;
  /** null if there was none in the last `LOOKS_BACK` days */
  readonly lastVisit: string | null;
}

/** Visits before this many days ago don't matter. */
export const LOOKS_BACK = LIMITS.absentDays + LIMITS.weeklyDays;

/** Returns every reason that applies, the most urgent first. */
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

/** Returns the reason in words, for the people who can do something about it. */
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
