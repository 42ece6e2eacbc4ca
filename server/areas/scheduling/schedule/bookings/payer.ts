/**
 * Payers of bookings, as the schedule needs them. Later areas fill the port `payers`; the schedule asks them in the
 * order of areas. Free bookings, and those that staff give away (`comped`), need none of them.
 */
import type { Item } from '../../../../kernel/base/fields/port.ts';
import type { Place } from '../rules/booking.ts';
import type { Problem, ProblemKind } from '../../../../kernel/base/problem.ts';
import type { Sql } from '../../../../kernel/base/db/sql.ts';
import type { Wordings } from '../../../../kernel/base/values/wording.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';
import type { Text } from '../../../../kernel/base/values/words.ts';

/** The reason why a payer requires a payment, although nothing of it can pay. */
export interface Objection {
  readonly code: string;
  /** message that includes the remedy */
  readonly message: Wordings;
}

/** The price of an event for customers without another payer. Amounts are minor units. */
export interface DropInPrice {
  readonly currency: string;
  /** price of the offering type for this kind of place, before fees and taxes unless it includes them */
  readonly listPrice: number;
  /** id of the venue */
  readonly venue: number;
  /** including fees and taxes; null if it was not requested, because only messages need it */
  readonly total: number | null;
}

/** A payer's decision about one booking. */
export interface Choice {
  /** id of the subject that pays; null if none of this payer does */
  readonly chosen: number | null;
  /** reason why none pays, if this payer requires a payment; null if it does not object */
  readonly refusal: Objection | null;
  /** facts behind the decision, shown by `explain` */
  readonly facts: Record<string, string | number | boolean | null>;
}

export interface Asked {
  /** id of this payer's subject that the caller requests; null to let it choose */
  readonly wanted: number | null;
  /** true if there is nothing to pay, another payer was requested, or the booking is already paid */
  readonly settled: boolean;
  /** null if a drop-in is free or not allowed */
  readonly price: DropInPrice | null;
  /** number of decided but unwritten bookings of the event that each subject pays for, by id */
  readonly taken: ReadonlyMap<number, number>;
}

/** A booking to be paid. */
export interface Debit<Known = any, Chosen extends Choice = Choice> {
  readonly work: Work;
  readonly attendance: number;
  readonly event: number;
  readonly customer: number;
  readonly known: Known;
  readonly choice: Chosen;
  /** `corrected`: it was credited for an absence that was marked by mistake */
  readonly reason: 'registered' | 'corrected';
}

/** A booking that staff made, whose price the customer owes. */
export interface Charge {
  readonly work: Work;
  readonly attendance: number;
  readonly event: number;
  readonly customer: number;
  readonly place: Place;
}

/** Reasons for which a payer credits what it debited. */
export type GivenBack =
  | 'cancelled_in_time'
  | 'event_cancelled'
  | 'no_show'
  | 'booking_dropped'
  | 'replaced'
  | 'switched';

/**
 * Bookings of events on these days, by the clock of their venue, that a subject no longer pays for; both days are
 * included.
 */
export interface CoverageLoss {
  /** id of the subject that paid */
  readonly subject: number;
  readonly from: string;
  /** null for no end */
  readonly to: string | null;
  /** only bookings of this customer */
  readonly customer?: number;
}

/** The memberships of a payer whose customers are members through it. */
interface Belonging<Known = any> {
  /** SELECT of `id` and `membership`, the product: what a customer may use on a day. Opens timelines to them. */
  readonly usable: (customer: unknown, on: Sql) => Sql;
  /** ids of the products that `usable` finds on the day of the event */
  readonly memberships: (known: Known) => readonly number[];
  /** true if a members-only event is visible to the customer */
  readonly shows: (known: Known) => boolean;
}

/**
 * A payer of bookings. `Known`: its facts about one customer for one event. Its area adds `subject` to the `inputs` of
 * a booking and of `explain`, and its refusals to the problems of these operations.
 */
export interface Payer<Known = any, Chosen extends Choice = any> extends Item {
  /** name of what pays: a property of the body of a booking, and of the effects of a dry run */
  readonly subject: string;
  /** name of the resource that pays */
  readonly resource: string;
  /** message that refuses a request with both a subject and `comped` */
  readonly notComped: string;
  /**
   * returns the problem of requesting a subject that the customer may not use, as if it did not exist; null if they may
   */
  readonly refuseUnknown: (known: Known, id: number) => Problem | null;
  /**
   * In the order in which a booking checks them; `passed`: what `explain` says where it does not refuse. `payable`: the
   * customer can pay now. That keeps nobody from waiting for a place, and comes before what others object. `owed`:
   * staff can book nevertheless, and the price is charged to the account.
   */
  readonly refusals: readonly {
    readonly kind: ProblemKind;
    readonly passed: Text;
    readonly payable?: true;
    readonly owed?: true;
  }[];

  /**
   * Locks everything that the customers (an array of bigint) may use, by id, and returns the ids. Runs after the locks
   * of the event and the customers, and before any read. Nothing else is ever chosen.
   */
  readonly lock?: (provider: unknown, customers: Sql) => Sql;
  /** one jsonb with the facts about customer `c` for an event, never null */
  readonly facts: (c: string, event: Sql) => Sql;
  readonly read: (facts: string) => Known;
  /** price with fees and taxes, for payers that charge it: requested only if it is shown to somebody */
  readonly total?: (work: Work, price: DropInPrice) => Promise<number>;
  /** charges the prices of bookings that are written to the accounts of the customers; of one payer for all */
  readonly charge?: (charges: readonly Charge[]) => Promise<void>;
  /** true if it has already paid for a booking and the payment was not credited: nobody pays again */
  readonly paid: (known: Known) => boolean;
  /**
   * Returns the reason why only this payer may pay for the booking, unless staff give it away: something that is sold
   * as a whole cannot be bought in parts. Null if others may.
   */
  readonly reserves?: (known: Known) => Objection | null;
  /** Chooses what pays. Pure. */
  readonly choose: (known: Known, asked: Asked) => Chosen;
  /**
   * Debits what was chosen: returns the statements, which run in the transaction after those that write the bookings.
   * Feed items, audit entries and effects are added to the work of each debit.
   */
  readonly debit: (debits: readonly Debit<Known, Chosen>[]) => readonly Sql[];
  /**
   * Credits what it debited for bookings, selected by `which` over attendances with the alias `a`, if its rules credit
   * it for this reason. No lock is needed. `work` is its own; other payers are asked at the same time.
   */
  readonly credit: (work: Work, which: Sql, reason: GivenBack) => Promise<void>;
  /**
   * SELECT of `attendance` and `subject`, the id of what paid: what it gave back at this moment because the event was
   * cancelled. If the event comes back, it pays for these bookings again, unless `paysOnce` says why not. Where
   * `subject` is null, the price was owed and had not been paid: it is charged again.
   */
  readonly gaveBack: (provider: unknown, event: number, at: string | null) => Sql;
  /** reason why it does not pay again for a booking whose event is restored; absent if it does */
  readonly paysOnce?: string;
  /** id of the subject that was credited for an absence, so that it pays again if there was none; null if none was */
  readonly givenBackFor: (work: Work, attendance: number) => Promise<number | null>;
  /**
   * Moves what was paid for a booking to another attendance of the same customer, if it would otherwise be refunded:
   * the price of the other event is the same. `possible`: true if there is such a payment for an attendance, by its id.
   */
  readonly carries?: {
    readonly possible: (work: Work, attendance: number) => Promise<boolean>;
    readonly carry: (work: Work, from: number, to: number) => Promise<void>;
  };
  readonly belonging?: Belonging<Known>;
}

/** A payer whose payment for future bookings may end. */
export interface UncoveringPayer<Known = any, Chosen extends Choice = any> extends Payer<Known, Chosen> {
  readonly uncovering: {
    /** SELECT of `attendance`, `subject` and `day` of those bookings that it pays for */
    readonly bookings: (provider: number, which: readonly CoverageLoss[]) => Sql;
    /** SELECT of the ids of the customers who may use any of the subjects */
    readonly users: (provider: number, subjects: readonly number[]) => Sql;
  };
}
