/**
 * Rules for the membership that pays for a booking, or the reason why none can: docs/algorithms/membership-choice.md.
 * Pure.
 */
import { againstUseOn, type Standing } from '../../rules/status.ts';
import { needsMembership, type Offer } from './covers.ts';
import { renewsOn, usesLeft, type Counted, type Pot } from './allotment.ts';
import type { Wordings } from '../../../../../kernel/base/values/wording.ts';
import { A, a, day, many, one, say } from '../../../../../kernel/base/values/words.ts';

/** Refusals in the order in which they apply, each with its text for when it does not apply. */
export const NO_OBJECTION = {
  membership_required: say`The ${one.customer} has ${a.membership}, or none is needed.`,
  membership_does_not_cover: say`${A.membership} covers this offering, or none is needed.`,
  membership_expired: say`No ${one.membership} that would be needed has expired.`,
  membership_not_started: say`No ${one.membership} that would be needed starts later.`,
  membership_on_hold: say`No ${one.membership} that would be needed is on hold.`,
  membership_unpaid: say`No invoice has to be paid before the ${one.membership} can be used.`,
  allotment_used_up: say`The ${one.membership} has uses left, or none is needed.`,
} as const;
type Refused = keyof typeof NO_OBJECTION;

export const REFUSALS = Object.keys(NO_OBJECTION) as readonly Refused[];

export interface Candidate extends Standing, Counted {
  readonly id: number;
  readonly name: string;
  /** false if somebody else shares it */
  readonly own: boolean;
  /** true if it is for the offering type of the event */
  readonly covers: boolean;
  /** number of offering types that it is for */
  readonly breadth: number;
  /** limits for one more use for this event */
  readonly pots: readonly Pot[];
}

export interface Asked extends Offer {
  /** day of the event */
  readonly on: string;
  readonly candidates: readonly Candidate[];
  /** id of the membership that the caller requests */
  readonly wanted: number | null;
  /** true if there is nothing to pay, or it was paid: a use that a late cancellation kept pays for booking again */
  readonly settled: boolean;
}

export interface Choice {
  /** id; null if none is used */
  readonly chosen: number | null;
  /** uses left before this one; null for unlimited use, or if none is used */
  readonly left: number | null;
  readonly refusal: { readonly code: Refused; readonly message: Wordings } | null;
  readonly facts: Record<string, string | number | boolean | null>;
}

interface Judged {
  readonly candidate: Candidate;
  readonly against: Refused | null;
  readonly left: number | null;
}

function judge(candidate: Candidate, on: string): Judged {
  if (!candidate.covers) return { candidate, against: 'membership_does_not_cover', left: null };
  const left = usesLeft(candidate.pots, on, candidate);
  return { candidate, left, against: againstUseOn(candidate, on) ?? (left === 0 ? 'allotment_used_up' : null) };
}

const endless = '9999-12-31';
const compare = <T extends string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

/** Orders by: soonest to expire, most specific, fewest left, own, oldest. */
const byUrgency = (a: Judged, b: Judged): number =>
  compare(a.candidate.end ?? endless, b.candidate.end ?? endless) ||
  compare(a.candidate.breadth, b.candidate.breadth) ||
  compare(a.left ?? Infinity, b.left ?? Infinity) ||
  compare(Number(b.candidate.own), Number(a.candidate.own)) ||
  compare(a.candidate.id, b.candidate.id);

/** Orders refused memberships: the one that passed the most checks gives the reason. */
const byNearness = (a: Judged, b: Judged): number =>
  REFUSALS.indexOf(b.against!) - REFUSALS.indexOf(a.against!) || byUrgency(a, b);

export function chooseMembership(asked: Asked): Choice {
  const needs = needsMembership(asked);
  const facts = { needs_membership: needs, memberships: asked.candidates.length, date: asked.on };
  const none = { chosen: null, left: null, refusal: null, facts };
  if (asked.settled || (!needs && asked.wanted === null)) return none;
  const judged = asked.candidates
    .filter((c) => asked.wanted === null || c.id === asked.wanted)
    .map((c) => judge(c, asked.on));
  const [best] = judged.filter((j) => j.against === null).toSorted(byUrgency);
  if (best)
    return {
      chosen: best.candidate.id,
      left: best.left,
      refusal: null,
      facts: { ...facts, customer_membership: best.candidate.id, uses_left: best.left },
    };
  const [nearest] = judged.toSorted(byNearness);
  if (!nearest) return { ...none, refusal: { code: 'membership_required', message: NONE } };
  const { candidate: c, left } = nearest;
  const renews = nearest.against === 'allotment_used_up' ? renewsOn(c.pots, asked.on, c) : null;
  return {
    ...none,
    refusal: { code: nearest.against!, message: messageOf(nearest, renews) },
    facts: {
      ...facts,
      customer_membership: c.id,
      status: c.status,
      start_date: c.start,
      expiration_date: c.end,
      uses_left: left,
      renews_on: renews,
    },
  };
}

const NONE: Wordings = {
  staff:
    'A membership is needed, and the customer has none. Sell one that covers this event, or book it with `comped`.',
  customer: say`${A.membership} is needed to book this ${one.event}.`,
};

/** The refusal if uses are missing and nothing else is known. */
export const USED_UP: Wordings = {
  staff: 'No uses of the membership are left. Sell another one.',
  customer: say`This ${one.membership} has no uses left to book with.`,
};

function messageOf(
  { candidate: { name, start, end, status, unpaid }, against }: Judged,
  renews: string | null,
): Wordings {
  const mine = say`The ${one.membership} "${name}"`;
  if (against === 'membership_does_not_cover')
    return {
      staff: `"${name}" does not cover this event. Choose a membership that does.`,
      customer: say`${mine} does not include this ${one.event}.`,
    };
  if (against === 'membership_expired') {
    if (status === 'cancelled')
      return { staff: `"${name}" was cancelled. Sell another one.`, customer: say`${mine} was cancelled.` };
    return {
      staff: `"${name}" ends on ${end}, before the event. Renew it, or choose another one.`,
      customer: say`${mine} ends on ${day(end!)}, before this ${one.event}.`,
    };
  }
  if (against === 'membership_not_started') {
    return {
      staff: `"${name}" starts on ${start}, after the event. Choose an event on or after that day.`,
      customer: say`${mine} starts on ${day(start!)}. Choose ${a.event} on or after that day.`,
    };
  }
  if (against === 'membership_on_hold') {
    return {
      staff: `"${name}" is on hold on the day of the event. End the hold, or choose another day.`,
      customer: say`${mine} is on hold on that day. Choose another day, or ask the business to end the hold.`,
    };
  }
  if (against === 'membership_unpaid') {
    return {
      staff: `"${name}" can't be used until invoice ${unpaid} is paid. Record its payment, or book with \`comped\`.`,
      customer: say`${mine} can't be used until invoice ${unpaid!} is paid. Pay the invoice, or ask the business for help.`,
    };
  }
  if (renews === null)
    return {
      staff: `No uses of "${name}" are left. Sell another one.`,
      customer: say`${mine} has no uses left to book with.`,
    };
  return {
    staff: `The uses of "${name}" for this period are used up. There will be more for events from ${renews} on.`,
    customer: say`${mine} is used up for this period. You can book with it again for ${many.event} from ${day(renews)}.`,
  };
}
