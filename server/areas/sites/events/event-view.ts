/** An event, the people whom the reader acts for, and what they can do. */
import type { Place, WaitlistStep } from '../../scheduling/schedule/index.ts';
import type { Picture } from '../../../kernel/pages/picture.ts';
import { REFUSALS } from '../../memberships/customer-memberships/index.ts';
import type { Money } from '../../../kernel/base/values/money.ts';
import type { Paid } from '../../commerce/checkouts/index.ts';
import type { Payer } from '../frame/index.ts';
import type { Offer, OtherTime } from './instead.ts';

/** Somebody whom the person who reads the page acts for. */
export interface Participant {
  readonly id: number;
  /** null: the person who reads the page */
  readonly name: string | null;
  readonly status:
    | 'not_registered'
    | 'registered'
    | 'attended'
    | 'no_show'
    | 'late_cancelled'
    | 'on_waitlist'
    | 'spot_reserved';
  /** suggested action; null: none */
  readonly suggestion: 'register' | 'join_waitlist' | 'unregister' | 'leave_waitlist' | 'claim_spot' | null;
  /** message of the first booking rule that refuses; null: none does */
  readonly why: string | null;
  /** the code of that rule */
  readonly refusedBy: string | null;
  /** titles of what they complete before they book */
  readonly asked: readonly string[];
  /** where they take part, if they are booked */
  readonly takesPart: Place;
  /**
   * the spot of the other kind that they wait for while they are booked, and until when it is kept for them, in epoch
   * milliseconds; null: they don't wait
   */
  readonly waitsToo: { readonly position: number | null; readonly keptUntil: number | null } | null;
  /** price of the booking, with fees and taxes; null: it is free, or a membership pays */
  readonly price: Money | null;
  /** ways to pay if they book now and a membership can pay */
  readonly choices: PayChoices;
  /** on the waitlist, starting at 1 */
  readonly position: number | null;
  /** time until which a spot is reserved, in epoch milliseconds */
  readonly keptUntil: number | null;
  /** the seat that is held while they pay, until when in epoch milliseconds; `checkout` null: the payment is running */
  readonly held: { readonly until: number; readonly checkout: number | null } | null;
  /** time from which a cancellation counts as late, in epoch milliseconds */
  readonly lateFrom: number;
  /** what pays for the booking, or paid for it until it was cancelled; null: nothing that could come back */
  readonly paid: Paid | null;
  /** consequences of a late cancellation now; null: none */
  readonly follows: LateCancellation | null;
}

export interface PayChoices {
  /** memberships that can pay, the default one first */
  readonly memberships: readonly Payer[];
  /** price of a single visit, with fees and taxes; null: none is sold, or it is the default */
  readonly single: Money | null;
}

export const NO_CHOICES: PayChoices = { memberships: [], single: null };

/** The consequences of a late cancellation, from its dry run. */
export interface LateCancellation {
  /** number of infractions after the cancellation, the number without a penalty, and the period in days */
  readonly infractions: number;
  readonly free: number;
  readonly days: number;
  /** amount in minor units and due date; null: no penalty */
  readonly penalty: { readonly amount: number; readonly dueOn: string } | null;
}

/** Returns true if a cancellation counts as late now, and loses or costs something. */
export const costsToCancel = ({ status, lateFrom, paid, follows }: Participant, now: number): boolean =>
  status === 'registered' && now >= lateFrom && (paid !== null || (follows !== null && follows.penalty !== null));

/** Returns true if another membership would allow the booking. It helps nobody who is refused for another reason. */
export const lacksMembership = ({ refusedBy, price }: Participant): boolean =>
  refusedBy === null ? price !== null : (REFUSALS as readonly string[]).includes(refusedBy);

/** Returns true if people without an account can book the event now, with a single visit. */
export const openToGuests = ({ cancelled, price, left, opensAt, closesAt, movable }: EventView, now: number): boolean =>
  !cancelled && price !== null && left !== 0 && movable === null && now >= opensAt && now < closesAt;

export interface Teacher {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  /** hosted by this service; null: none */
  readonly picture: Picture | null;
}

export interface EventPlace {
  readonly name: string;
  readonly description: string;
  readonly address: string;
  readonly lat: number | null;
  readonly lng: number | null;
  readonly online: boolean;
}

/** The spots of one kind at an event. */
export interface Spots {
  /** free spots; null: unlimited */
  readonly left: number | null;
  readonly waiting: number;
}

/** The spots of an event that takes place both at its venue and online. */
export interface BothPlaces {
  /** a single visit costs as much online as at the venue */
  readonly samePrice: boolean;
  readonly venue: Spots;
  readonly online: Spots & { readonly name: string; readonly description: string };
}

export interface EventView {
  readonly id: number;
  /** the kind of place that the page is about: what is free, what can be booked, and where people wait */
  readonly chosen: Place;
  /** null: there is only one kind */
  readonly both: BothPlaces | null;
  /** link of the first person who booked it, if it is online; null: nobody did, or it isn't */
  readonly join: string | null;
  readonly name: string;
  readonly description: string;
  readonly cancelled: boolean;
  readonly picture: Picture | null;
  /** of a single visit; null: only memberships pay */
  readonly price: Money | null;
  /** offering type of an appointment or a rental, whose participants can choose another time; null otherwise */
  readonly movable: number | null;
  /** of its entry in calendars */
  readonly revision: number;
  /** in epoch milliseconds */
  readonly startsAt: number;
  readonly endsAt: number;
  /** as the interface returned it */
  readonly startsAtText: string;
  readonly endsAtText: string;
  /** of the venue */
  readonly zone: string;
  readonly place: EventPlace | null;
  readonly teachers: readonly Teacher[];
  /**
   * times when booking opens and closes for everybody, and from which a cancellation counts as late; in epoch
   * milliseconds
   */
  readonly opensAt: number;
  readonly closesAt: number;
  readonly lateFrom: number;
  readonly waiting: number;
  /** what happens now if a spot opens up while people wait for it; null: nothing */
  readonly waitlistStep: WaitlistStep | null;
  /** free spots; null: unlimited */
  readonly left: number | null;
  /** null: the reader is not a customer here */
  readonly participants: readonly Participant[] | null;
  /** filled if somebody can't book this event */
  readonly otherTimes: readonly OtherTime[];
  /** the event takes place at the same time in other weeks; only shown to customers */
  readonly repeats: boolean;
  /** events of the same offering or category, without `otherTimes` */
  readonly similar: readonly OtherTime[];
  /** filled if somebody lacks a membership that pays for it */
  readonly offers: readonly Offer[];
}
