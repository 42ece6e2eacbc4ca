/**
 * What can pay for a booking, as the schedule sees it. Areas after it fill the port `payers`; the schedule asks them in
 * the order of areas. What is free, and what staff give away (`comped`), needs none of them.
 */
import { Port, type Item } from '../../../kernel/base/fields/port.ts';
import { Payers } from './payers.ts';
import type { Problem, ProblemKind } from '../../../kernel/base/problem.ts';
import type { Sql } from '../../../kernel/base/db/sql.ts';
import type { Wordings } from '../../../kernel/base/values/wording.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';
import type { Text } from '../../../kernel/base/values/words.ts';

/** Why a payer finds that something has to pay, and nothing does. */
export interface Objection {
  readonly code: string;
  /** with the remedy */
  readonly message: Wordings;
}

/** What an event costs whoever books it and has nothing else that pays. Amounts are minor units. */
export interface DropInPrice {
  readonly currency: string;
  /** of the offering type, before fees and taxes unless it contains them */
  readonly listPrice: number;
  /** id */
  readonly venue: number;
  /** with fees and taxes; null: nobody has asked for it, for only words need it */
  readonly total: number | null;
}

/** What a payer says of one booking. */
export interface Choice {
  /** id of what pays; null: nothing of this payer does */
  readonly chosen: number | null;
  /** why nothing of it does, where it finds that something has to; null: it does not object */
  readonly refusal: Objection | null;
  /** what it went by, shown by `explain` */
  readonly facts: Record<string, string | number | boolean | null>;
}

export interface Asked {
  /** id that the caller names of what this payer has; null: it chooses */
  readonly wanted: number | null;
  /** nothing is to be paid, or another payer was named, or it has been paid */
  readonly settled: boolean;
  /** null: a drop-in is free, or not allowed */
  readonly price: DropInPrice | null;
  /** how often each of what it has pays for bookings of the event that are decided and not written yet, by id */
  readonly taken: ReadonlyMap<number, number>;
}

/** A booking that is to be paid. */
export interface Debit<Known = any, Chosen extends Choice = Choice> {
  readonly work: Work;
  readonly attendance: number;
  readonly event: number;
  readonly customer: number;
  readonly known: Known;
  readonly choice: Chosen;
  /** `corrected`: it was given back for an absence that was none */
  readonly reason: 'registered' | 'corrected';
}

/** A booking that staff made, whose price the customer owes. */
export interface Charge {
  readonly work: Work;
  readonly attendance: number;
  readonly event: number;
  readonly customer: number;
}

/** Why a payer gives back what it took. */
export type GivenBack = 'cancelled_in_time' | 'event_cancelled' | 'no_show' | 'booking_dropped' | 'replaced';

/**
 * Bookings of events on these days, by the clock of their venue, that something does not pay for any more; both days
 * are within.
 */
export interface Displacing {
  /** id of what has paid */
  readonly subject: number;
  readonly from: string;
  /** null: for good */
  readonly to: string | null;
  /** bookings of this customer alone */
  readonly customer?: number;
}

/** For payers whose customers become members by them. */
export interface Belonging<Known = any> {
  /** SELECT of `id` and `membership`, the kind: what a customer may use on a day. Opens timelines to them. */
  readonly usable: (customer: unknown, on: Sql) => Sql;
  /** ids of the kinds that `usable` finds on the day of the event */
  readonly memberships: (known: Known) => readonly number[];
  /** whether an event that is for members alone is shown to the customer */
  readonly shows: (known: Known) => boolean;
}

/**
 * `Known`: what it knows of one customer for one event. Its area adds `subject` to the `inputs` of a booking and of
 * `explain`, and its refusals to what these operations refuse with.
 */
export interface Payer<Known = any, Chosen extends Choice = any> extends Item {
  /** what pays, as callers name it: a property of the body of a booking, and of the effects of a dry run */
  readonly subject: string;
  /** name of the resource that pays */
  readonly resource: string;
  /** refuses a name together with `comped` in these words */
  readonly notComped: string;
  /** refuses the id of something that the customer may not use: it is not there; null: they may */
  readonly refuseUnknown: (known: Known, id: number) => Problem | null;
  /**
   * In the order in which a booking checks them; `passed`: what `explain` says where it does not refuse. `payable`: the
   * customer can pay now. That keeps nobody from waiting for a place, and comes before what others object. `owed`: staff
   * can book nevertheless, and the price is charged to the account.
   */
  readonly refusals: readonly {
    readonly kind: ProblemKind;
    readonly passed: Text;
    readonly payable?: true;
    readonly owed?: true;
  }[];

  /**
   * Locks, after the event and the customers (an array of bigint) and before anything is read, what these may use, by
   * id, and answers the ids. Nothing else is ever chosen.
   */
  readonly lock?: (provider: unknown, customers: Sql) => Sql;
  /** one jsonb of what is known of customer `c` for an event, never null */
  readonly facts: (c: string, event: Sql) => Sql;
  readonly read: (facts: string) => Known;
  /** the price with fees and taxes, of a payer that asks for it: wanted only where it is told to somebody */
  readonly total?: (work: Work, price: DropInPrice) => Promise<number>;
  /** charges the prices of bookings that are written to the accounts of the customers; of one payer for all */
  readonly charge?: (charges: readonly Charge[]) => Promise<void>;
  /** a booking was paid by it already, and what paid was not given back: nobody pays again */
  readonly paid: (known: Known) => boolean;
  /**
   * Why nothing but this payer may pay for the booking, unless staff give it away: what is sold as a whole cannot be had in
   * parts. Null: others may.
   */
  readonly reserves?: (known: Known) => Objection | null;
  /** pure */
  readonly choose: (known: Known, asked: Asked) => Chosen;
  /**
   * Takes what was chosen: the statements that write it, to run in the transaction after those that write the bookings.
   * What it records, audits and shows is in the work of each.
   */
  readonly debit: (debits: readonly Debit<Known, Chosen>[]) => readonly Sql[];
  /**
   * Gives back what it took for bookings, `which` of the attendances under alias `a`, where its rules give it back for
   * this reason. Nothing has to be locked. `work` is its own; other payers are asked at the same time.
   */
  readonly credit: (work: Work, which: Sql, reason: GivenBack) => Promise<void>;
  /**
   * SELECT of `attendance` and `subject`, the id of what paid: what it gave back at this moment because the event was
   * cancelled. If the event comes back, it pays for these bookings again, unless `paysOnce` says why not. Where `subject` is
   * null, the price was owed and had not been paid: it is charged again.
   */
  readonly gaveBack: (provider: unknown, event: number, at: string | null) => Sql;
  /** why nothing of it pays again for a booking whose event comes back; absent: it does */
  readonly paysOnce?: string;
  /** id of what it gave back for an absence, so that it pays again if there was none; null: nothing */
  readonly givenBackFor: (work: Work, attendance: number) => Promise<number | null>;
  readonly belonging?: Belonging<Known>;
}

/** A payer whose payments may stop to hold for bookings that are to come. */
export interface UncoveringPayer<Known = any, Chosen extends Choice = any> extends Payer<Known, Chosen> {
  readonly uncovering: {
    /** SELECT of `attendance`, `subject` and `day` of what it pays for among these */
    readonly bookings: (provider: number, which: readonly Displacing[]) => Sql;
    /** SELECT of the ids of the customers who may use any of the subjects */
    readonly users: (provider: number, subjects: readonly number[]) => Sql;
  };
}

export const payers = new Port<Payer, Payers>(
  'payer',
  ({ resource }) => resource,
  (all) => new Payers(all),
);
