/** What is known of an event, of the people whom somebody acts for, and of what they can do. */
import type { Picture } from '../../../../kernel/pages/picture.ts';
import { REFUSALS } from '../../../memberships/customer-memberships/index.ts';
import type { Money } from '../../../../kernel/base/values/money.ts';
import type { Offer, OtherTime } from './instead.ts';

/** Somebody whom the person before the page acts for. */
export interface Participant {
  readonly id: number;
  /** null: the person before the page */
  readonly name: string | null;
  readonly status:
    | 'not_registered'
    | 'registered'
    | 'attended'
    | 'no_show'
    | 'late_cancelled'
    | 'on_waitlist'
    | 'spot_reserved';
  /** what fits now; null: nothing */
  readonly suggestion: 'register' | 'join_waitlist' | 'unregister' | 'leave_waitlist' | 'claim_spot' | null;
  /** the sentence of the first rule of booking that refuses; null: none does */
  readonly why: string | null;
  /** the code of that rule */
  readonly refusedBy: string | null;
  /** what booking costs, as people read it; null: nothing, or a membership pays */
  readonly price: string | null;
  /** what else can pay, if they book now and something does */
  readonly choices: PayChoices;
  /** on the waitlist, from 1 */
  readonly position: number | null;
  /** epoch ms, of a place that is kept */
  readonly keptUntil: number | null;
  /** from when on a cancellation counts as late, epoch ms */
  readonly lateFrom: number;
  /** what follows from cancelling now, when it is late; null: nothing more */
  readonly follows: LateCancellation | null;
}

export interface PayChoices {
  /** beside the one that pays unless they choose */
  readonly memberships: readonly { readonly id: number; readonly name: string }[];
  /** what a single visit costs, as people read it; null: none is sold, or it is what they pay anyway */
  readonly single: string | null;
}

export const NO_CHOICES: PayChoices = { memberships: [], single: null };

/** As the dry run of the cancellation tells it. */
export interface LateCancellation {
  /** how many there are by then, of so many that are free, within so many days */
  readonly infractions: number;
  readonly free: number;
  readonly days: number;
  /** minor units, and the day on which it is owed; null: it is free */
  readonly penalty: { readonly amount: number; readonly dueOn: string } | null;
}

/** Another membership would help. */
export const lacksMembership = ({ refusedBy, price }: Participant): boolean =>
  price !== null || (REFUSALS as readonly (string | null)[]).includes(refusedBy);

/** People without an account can book it now, with a single visit. */
export const openToGuests = ({ cancelled, price, left, opensAt, closesAt, movable }: EventView, now: number): boolean =>
  !cancelled && price !== null && left !== 0 && movable === null && now >= opensAt && now < closesAt;

/** Booking refuses with it what is to be paid first. */
export const TO_PAY = 'payment_required';

export interface Teacher {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  /** of this service; null: none */
  readonly picture: Picture | null;
}

export interface EventPlace {
  readonly name: string;
  readonly description: string;
  readonly address: string;
  readonly lat: number | null;
  readonly lng: number | null;
  readonly online: boolean;
  /** of an online class, for those who booked it; null: others */
  readonly video: string | null;
}

export interface EventView {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly cancelled: boolean;
  readonly picture: Picture | null;
  /** of one visit; null: only a membership pays */
  readonly price: Money | null;
  /** the offering type, where it is an appointment or a rental: those who booked it can choose another time */
  readonly movable: number | null;
  /** of its entry in calendars */
  readonly revision: number;
  /** epoch ms */
  readonly startsAt: number;
  readonly endsAt: number;
  /** as it was printed */
  readonly startsAtText: string;
  readonly endsAtText: string;
  /** of the venue */
  readonly zone: string;
  readonly place: EventPlace | null;
  readonly teachers: readonly Teacher[];
  /** when booking opens and closes for everybody, and from when on a cancellation counts as late; epoch ms */
  readonly opensAt: number;
  readonly closesAt: number;
  readonly lateFrom: number;
  readonly waiting: number;
  /** free places; null: without limit */
  readonly left: number | null;
  /** null: the person who looks is no customer here */
  readonly participants: readonly Participant[] | null;
  /** where somebody cannot book this one */
  readonly otherTimes: readonly OtherTime[];
  /** it takes place at the same time in other weeks; only told to customers */
  readonly repeats: boolean;
  /** of the same offering or category, without those */
  readonly similar: readonly OtherTime[];
  /** where somebody lacks a membership that pays for it */
  readonly offers: readonly Offer[];
}
