/**
 * Rules that decide whether a customer may book an event: a list of rules over the same facts. Booking refuses with the
 * first that objects, and `explain` shows all of them. Pure, so that preview, booking and explanation cannot differ.
 */
import { ageOn, wallAt, formatInstant } from '../../../../kernel/base/values/zone.ts';
import { aboutEvent, type Wordings, type Wording } from '../../../../kernel/base/values/wording.ts';
import { A, many, moment, one, say, type EventKind, type Text } from '../../../../kernel/base/values/words.ts';
import type { Window } from './window.ts';

/** A place at the venue of an event, or one online if the event also has those. */
export const PLACES = ['venue', 'online'] as const;
export type Place = (typeof PLACES)[number];

/** Facts about an event, and the counts of the places that are asked for. */
export interface EventFacts {
  readonly status: 'active' | 'cancelled';
  readonly kind: EventKind;
  /** in epoch milliseconds */
  readonly startsAt: number;
  readonly endsAt: number;
  readonly zone: string;
  /** null for no limit */
  readonly maxOccupancy: number | null;
  readonly attending: number;
  /** seats reserved for waitlist spots, and held for customers while they pay */
  readonly held: number;
  readonly waiting: number;
  readonly place: Place;
  /** the other kind of place, if one of those is free */
  readonly elsewhere: Place | null;
  /** null for no limit; each kind of place has a waitlist of its own */
  readonly waitlistMax: number | null;
  readonly minAge: number | null;
  readonly maxAge: number | null;
}

export interface CustomerFacts {
  readonly birth: string | null;
  readonly participating: boolean;
  /** the latest block that was not lifted, and its end in epoch milliseconds; `until` is null if it has no end */
  readonly block: { readonly until: number | null } | null;
  /** end of the customer's reserved waitlist spot, in epoch milliseconds */
  readonly reservedUntil: number | null;
  /**
   * true if a seat is held for the customer while they pay: it is theirs until it is released, not only until it
   * expires
   */
  readonly holdsSeat: boolean;
}

/** The payers' decision about this booking. */
export interface PaymentFacts {
  /** reason why nothing can pay, with the remedy; null if something pays, or nothing has to */
  readonly refusal: { readonly code: string; readonly message: Wordings } | null;
  /** possible refusals in this order; a booking has at most one of them */
  readonly rules: readonly {
    readonly code: string;
    /** text if it does not refuse */
    readonly passed: Text;
    /** true if the customer can pay now */
    readonly payable: boolean;
    readonly facts: Verdict['facts'];
  }[];
}

/** Something that a customer must do, for example answer a form. */
export interface Requirement {
  /** its word on the wire: `form` */
  readonly kind: string;
  readonly id: number;
  /** as the business calls it */
  readonly title: string;
  /** who takes part */
  readonly customer: number;
  /** who does it: the customer, or the adult who manages the family */
  readonly by: 'customer' | 'guardian';
  /** `booking`: nobody books without it. `check_in`: they may book, and the door shows that it is missing */
  readonly before: 'booking' | 'check_in';
  /** address of the page on which it is settled, below the address of the service */
  readonly path: string;
}

export interface BookingFacts {
  readonly now: number;
  /** true for staff and machines, who may book outside of the window: a walk-in is theirs to decide */
  readonly byStaff: boolean;
  /** requirements that the customer has not settled */
  readonly requirements: readonly Requirement[];
  /** true if requirements before a booking refuse it; staff may book anyway */
  readonly mustSettle: boolean;
  readonly event: EventFacts;
  readonly customer: CustomerFacts;
  readonly window: Window | null;
  readonly payment: PaymentFacts;
}

export interface Verdict {
  /** code from the closed list of refusals */
  readonly code: string;
  readonly passed: boolean;
  /** text of the rule; a refusal has one for customers and one for staff, each with what they can do */
  readonly message: Wording;
  readonly facts: Record<string, string | number | boolean | null>;
}

type Rule = (facts: BookingFacts) => Verdict;

const verdict = (code: string, passed: boolean, yes: Text, no: Wordings, facts: Verdict['facts']): Verdict => ({
  code,
  passed,
  message: passed ? yes : no,
  facts,
});

const at = (epochMs: number, { event }: BookingFacts) => formatInstant(epochMs, event.zone);
const spokenAt = (epochMs: number, { event }: BookingFacts) => moment(epochMs, event.zone);

/** Returns the number of seats that this customer could take: the free ones, and one reserved for them. */
export function seatsFor({ event, customer, now }: BookingFacts): number {
  if (event.maxOccupancy === null) return Infinity;
  const kept = customer.holdsSeat || (customer.reservedUntil !== null && customer.reservedUntil > now);
  const own = kept ? 1 : 0;
  return event.maxOccupancy - event.attending - event.held + own;
}

/** Returns the age on the day of the event, in its zone; null if the date of birth is unknown. */
const ageAtEvent = ({ event, customer }: BookingFacts): number | null =>
  customer.birth === null ? null : ageOn(customer.birth, wallAt(event.startsAt, event.zone).date);

const MAY_COME: readonly Rule[] = [
  ({ event }) =>
    verdict(
      'event_cancelled',
      event.status === 'active',
      say`The ${one.event} takes place.`,
      { staff: 'The event is cancelled.', customer: say`This ${one.event} is cancelled.` },
      { status: event.status },
    ),

  ({ customer }) =>
    verdict(
      'customer_not_participating',
      customer.participating,
      say`The ${one.customer} takes part in ${many.event}.`,
      {
        staff:
          'The customer only manages a family and does not take part in events. Set `participating` to true first.',
        customer: say`This profile manages a family and does not take part in ${many.event} itself. Book for a child, or ask the business to change this.`,
      },
      { participating: customer.participating },
    ),

  (f) => {
    const { block, holdsSeat } = f.customer;
    const until = block?.until ?? null;
    // A seat that is held while the customer pays was reserved in time: the payment must not be lost.
    const blocked = block !== null && !holdsSeat && (until === null || f.now < until);
    return verdict(
      'registration_blocked',
      !blocked,
      say`The ${one.customer} is not blocked.`,
      {
        staff:
          until === null
            ? 'This customer is blocked from booking. Lift the block first.'
            : `This customer is blocked from booking until ${at(until, f)}. Lift the block first.`,
        customer:
          until === null
            ? say`This profile can't book at the moment. Contact the business.`
            : say`This profile can't book until ${spokenAt(until, f)}. Contact the business.`,
      },
      { blocked_until: blocked && until !== null ? at(until, f) : null },
    );
  },

  ({ window }) =>
    verdict(
      'registration_not_allowed',
      window !== null,
      say`The ${one.event} can be booked by this ${one.customer}.`,
      {
        staff: "None of the event's registration timelines is open to this customer.",
        customer: say`Only certain people can book this ${one.event}. Ask the business who can book.`,
      },
      { registration_timeline: window?.timeline?.id ?? null },
    ),

  (f) => {
    const opensAt = f.window?.opensAt ?? f.now;
    return verdict(
      'registration_not_open',
      f.byStaff || f.now >= opensAt,
      say`The ${one.event} can be booked already.`,
      {
        staff: `Booking opens at ${at(opensAt, f)}.`,
        customer: say`This ${one.event} can be booked from ${spokenAt(opensAt, f)} on.`,
      },
      {
        now: at(f.now, f),
        registrations_open_at: at(opensAt, f),
        by_staff: f.byStaff,
      },
    );
  },

  (f) =>
    verdict(
      'event_started',
      f.byStaff || f.now < f.event.startsAt,
      say`The ${one.event} has not started.`,
      {
        staff: `The event started at ${at(f.event.startsAt, f)}.`,
        customer: say`This ${one.event} started on ${spokenAt(f.event.startsAt, f)}.`,
      },
      { now: at(f.now, f), starts_at: at(f.event.startsAt, f), by_staff: f.byStaff },
    ),

  (f) => {
    const closesAt = f.window?.closesAt ?? f.event.startsAt;
    return verdict(
      'registration_closed',
      f.byStaff || f.now < closesAt,
      say`The ${one.event} can still be booked.`,
      {
        staff: `Booking closed at ${at(closesAt, f)}.`,
        customer: say`This ${one.event} could be booked until ${spokenAt(closesAt, f)}.`,
      },
      {
        now: at(f.now, f),
        registrations_close_at: at(closesAt, f),
        by_staff: f.byStaff,
      },
    );
  },

  (f) => {
    const limited = f.event.minAge !== null || f.event.maxAge !== null;
    return verdict(
      'age_unknown',
      !limited || f.customer.birth !== null,
      limited ? say`The age of the ${one.customer} is known.` : say`There is no age limit.`,
      {
        staff: "The event has an age limit. Enter the customer's date of birth first.",
        customer: say`This ${one.event} has an age limit, and there is no date of birth on record. Ask the business to add it.`,
      },
      { min_allowed_age: f.event.minAge, max_allowed_age: f.event.maxAge, age: ageAtEvent(f) },
    );
  },

  (f) => {
    const [age, min] = [ageAtEvent(f), f.event.minAge];
    return verdict(
      'age_too_low',
      age === null || min === null || age >= min,
      say`The ${one.customer} is old enough.`,
      {
        staff: `The minimum age is ${min}. The customer is ${age} on that day.`,
        customer: say`This ${one.event} is for people who are at least ${min!} on that day.`,
      },
      { min_allowed_age: min, age },
    );
  },

  (f) => {
    const [age, max] = [ageAtEvent(f), f.event.maxAge];
    return verdict(
      'age_too_high',
      age === null || max === null || age <= max,
      say`The ${one.customer} is young enough.`,
      {
        staff: `The maximum age is ${max}. The customer is ${age} on that day.`,
        customer: say`This ${one.event} is for people who are at most ${max!} on that day.`,
      },
      { max_allowed_age: max, age },
    );
  },
];

const NOTHING: Wordings = { staff: '', customer: '' };

const paying = ({ payment: { refusal, rules } }: BookingFacts, now: boolean): Verdict[] =>
  rules
    .filter(({ payable }) => payable === now)
    .map(({ code, passed, facts }) =>
      verdict(code, refusal?.code !== code, passed, refusal?.message ?? NOTHING, facts),
    );

/** Returns the texts for an event without a free place of the kind that is asked for. */
function full({ elsewhere, place, waiting, waitlistMax }: EventFacts): Wordings {
  if (elsewhere === 'online')
    return {
      staff: 'The places at the venue are taken, but there are places online. Book one with `place`.',
      customer: say`All ${many.spot} in person are taken, but there are ${many.spot} online.`,
    };
  if (elsewhere === 'venue')
    return {
      staff: 'The places online are taken, but there are places at the venue. Book one with `place`.',
      customer: say`All ${many.spot} online are taken, but there are ${many.spot} in person.`,
    };
  const max = place === 'online' ? 'online_max_occupancy' : 'max_occupancy';
  if (waitlistMax !== null && waiting >= waitlistMax)
    return {
      staff: `The event is full, and so is its waitlist. Raise ${max} or waitlist_max_override.`,
      customer: say`This ${one.event} is full, and so is its ${one.waitlist}.`,
    };
  return {
    staff: `The event is full. Join the waitlist to be number ${waiting + 1}.`,
    customer: say`This ${one.event} is full. If you join the ${one.waitlist}, you'll be number ${waiting + 1}.`,
  };
}

const hasPlace: Rule = (f) => {
  const { event } = f;
  const seats = seatsFor(f);
  return verdict('event_full', seats > 0, say`${A.spot} is free.`, full(event), {
    place: event.place,
    max_occupancy: event.maxOccupancy,
    attending_count: event.attending,
    held_count: event.held,
    waiting_count: event.waiting,
    held_for_customer: f.customer.holdsSeat,
    waitlist_position_offered:
      event.waitlistMax !== null && event.waiting >= event.waitlistMax ? null : event.waiting + 1,
  });
};

/** Code of the refusal that ends once the customer settles what is required. */
export const TO_SETTLE = 'requirements_missing';

const titlesOf = (all: readonly Requirement[]): string => all.map(({ title }) => `“${title}”`).join(', ');

const settled: Rule = ({ requirements, mustSettle }) => {
  const missing = requirements.filter(({ before }) => before === 'booking');
  const titles = titlesOf(missing);
  return verdict(
    TO_SETTLE,
    missing.length === 0 || !mustSettle,
    missing.length === 0
      ? say`Nothing has to be completed first.`
      : `The customer has not completed ${titles}. Staff can book anyway.`,
    {
      staff: `The customer has not completed ${titles}. They must complete it before they book.`,
      customer: say`Complete ${titles} before you book this ${one.event}.`,
    },
    { missing: missing.length },
  );
};

/**
 * Returns every rule with its text, in the order in which they refuse. Nobody is asked to complete a form or to pay for
 * a full event.
 */
export const explainBooking = (facts: BookingFacts): Verdict[] =>
  [
    ...MAY_COME.map((rule) => rule(facts)),
    ...paying(facts, false),
    hasPlace(facts),
    settled(facts),
    ...paying(facts, true),
  ].map((said) => ({ ...said, message: aboutEvent(facts.event.kind, said.message) }));

/** Returns the first rule that refuses; null if the customer may book. */
export const refuseBooking = (facts: BookingFacts): Verdict | null =>
  explainBooking(facts).find((v) => !v.passed) ?? null;

/** Returns the code of the refusal that ends once the customer pays; null if there is none, or paying does not help. */
export const payable = ({ payment: { refusal, rules } }: Pick<BookingFacts, 'payment'>): string | null =>
  rules.find((rule) => rule.payable && rule.code === refusal?.code)?.code ?? null;

/**
 * Returns the first rule that refuses to let the customer join the waitlist: all except the free place, and payments
 * that they can make when they get one. Null if they may join.
 */
export const refuseWaiting = (facts: BookingFacts): Verdict | null =>
  explainBooking(facts).find((v) => !v.passed && v.code !== 'event_full' && v.code !== payable(facts)) ?? null;

/** Returns true if a place is free for the customer, paid or not. */
export const mayTakeSeat = (facts: BookingFacts): boolean => refuseWaiting(facts) === null && seatsFor(facts) > 0;
