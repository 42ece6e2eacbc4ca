/** What both kinds of dates have in common: those of events that are there, and those that take free times. */
import { payers } from '../../scheduling/schedule/index.ts';
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import type { DateResult, ReservationRow } from './rows.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Weekly dates of a year, and some more: what is still missing then is booked by the job. */
export const DATES_AT_ONCE = 60;

/** A date that is still to be decided. */
export interface DateToBook {
  readonly date: string;
  /** null: there is nothing that the customer could see */
  readonly book: () => Promise<DateResult | null>;
}

/** All that they need is locked. */
export interface Supply {
  /** in their order */
  readonly dates: readonly DateToBook[];
  /** there are more than are tried in one transaction */
  readonly more: boolean;
  /** epoch ms; when further dates come into reach. Null: an event that is created brings them */
  readonly nextAt: number | null;
}

/** The reservation of a customer books what the customer could book; so does a customer with that of anybody. */
export const asCustomer = ({ viewer }: Work, { by_customer }: ReservationRow): boolean =>
  by_customer || viewer.mode === 'customer';

/** How each date is booked. */
export const itemOf = (work: Work, row: ReservationRow) => ({
  work,
  customer: row.customer_id,
  comped: row.comped,
  named: payers.filled.named({ customer_membership: row.customer_membership_id }),
  asCustomer: asCustomer(work, row),
  from: 'recurring_reservation' as const,
});

/** The name of another event on which the customer is booked during what `t` has from `starts_at` to `ends_at`. */
export const bookedBeside = (t: string, customer: number): Sql =>
  sql`(SELECT o.name FROM attendance a JOIN event o ON o.provider_id = a.provider_id AND o.id = a.event_id
       WHERE a.provider_id = ${raw(t)}.provider_id AND a.customer_id = ${customer} AND a.status IN ('registered', 'attended') AND o.status = 'active'
         AND o.id IS DISTINCT FROM ${raw(t)}.id AND o.starts_at < ${raw(t)}.ends_at AND o.ends_at > ${raw(t)}.starts_at ORDER BY o.starts_at, o.id LIMIT 1)`;
