/** The common part of both kinds of dates: existing events, and free times. */
import { payers } from '../../scheduling/schedule/index.ts';
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import type { DateResult, ReservationRow } from './rows.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Weekly dates of a year, and a few more: the job books those that remain. */
export const DATES_AT_ONCE = 60;

/** A date that is not decided yet. */
export interface DateToBook {
  readonly date: string;
  /** null: there is nothing that the customer could see */
  readonly book: () => Promise<DateResult | null>;
}

/** The dates to book, with everything that they need locked. */
export interface Supply {
  /** in order */
  readonly dates: readonly DateToBook[];
  /** there are more dates than one transaction tries */
  readonly more: boolean;
  /** epoch milliseconds of the moment when further dates come within reach; null: a new event brings them */
  readonly nextAt: number | null;
}

/**
 * Returns true if the rules for customers apply: to a customer's reservation, and to any reservation while a customer
 * acts on it.
 */
export const asCustomer = ({ viewer }: Work, { by_customer }: ReservationRow): boolean =>
  by_customer || viewer.mode === 'customer';

/** Returns the item with which each date is booked. */
export const itemOf = (work: Work, row: ReservationRow) => ({
  work,
  customer: row.customer_id,
  comped: row.comped,
  named: payers.filled.named({ customer_membership: row.customer_membership_id }),
  asCustomer: asCustomer(work, row),
  from: 'recurring_reservation' as const,
});

/** Selects the name of another event that the customer has booked between `starts_at` and `ends_at` of `t`. */
export const bookedBeside = (t: string, customer: number): Sql =>
  sql`(SELECT o.name FROM attendance a JOIN event o ON o.provider_id = a.provider_id AND o.id = a.event_id
       WHERE a.provider_id = ${raw(t)}.provider_id AND a.customer_id = ${customer}
         AND a.status IN ('registered', 'attended') AND o.status = 'active'
         AND o.id IS DISTINCT FROM ${raw(t)}.id AND o.starts_at < ${raw(t)}.ends_at AND o.ends_at > ${raw(t)}.starts_at
       ORDER BY o.starts_at, o.id LIMIT 1)`;
