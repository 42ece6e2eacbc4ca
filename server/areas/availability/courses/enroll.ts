/** Enrollments: all remaining sessions are booked in one transaction, or none. */
import { chargeEnrollment } from './charge.ts';
import { many, one, say } from '../../../kernel/base/values/words.ts';
import { amountText } from '../../../kernel/base/values/money.ts';
import { bookParts, lockToBook, SCHEDULE_PROBLEMS } from '../../scheduling/schedule/index.ts';
import { COURSE_NOTICES, notifyCustomers } from './notices.ts';
import { COURSE_PROBLEMS } from './problems.ts';
import {
  daysIn,
  daysOf,
  offerOf,
  saidDays,
  oneSeries,
  timesIn,
  type Offer,
  type Series,
  type Session,
} from './facts.ts';
import { addressLine } from '../../places/venues/index.ts';
import { endWaiting } from './waitlist.ts';
import { courseEnrollmentFeed } from './feed.ts';
import { insertRow } from '../../../kernel/work/unit/row.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import type { PAID_BY } from './course-enrollment.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

type PaidBy = (typeof PAID_BY)[number];

/** A request for a place in the series, for one customer. */
interface Wanting {
  readonly series: number;
  readonly customer: number;
  /** the object for which seats are held, also at sessions that have begun in the meantime */
  readonly held?: { readonly object: string; readonly id: number };
  /** id of the event of the first session that the customer wants; absent: the next session */
  readonly from?: number;
}

export interface Enrolling extends Wanting {
  readonly paidBy: PaidBy;
  /** id of the customer membership, if `membership` pays */
  readonly membership?: number;
  /** price that the customer agreed to, in minor units; absent: any price */
  readonly price?: number;
}

/** Returns the events at which seats are held for the object. */
async function heldAt({ tx, providerId }: Work, { held, customer }: Wanting): Promise<number[]> {
  if (!held) return [];
  const rows = await tx.rows<{ id: number }>(
    sql`SELECT event_id AS id FROM seat_hold
      WHERE provider_id = ${providerId} AND held_for = ${held.object} AND held_for_id = ${held.id}
        AND customer_id = ${customer}`,
  );
  return rows.map((row) => row.id);
}

/** Returns what a customer would get who joins now, whether or not they may. Locks nothing. */
export async function quoteSeries(work: Work, wanting: Wanting): Promise<{ series: Series; offer: Offer }> {
  const [series, held] = await Promise.all([oneSeries(work, wanting.series), heldAt(work, wanting)]);
  return { series, offer: offerOf(series, work.now, { also: held, from: wanting.from }) };
}

/** Refuses customers who can't join, for any reason but payment. Reliable only while the events are locked. */
export async function checkJoins(work: Work, wanting: Wanting): Promise<{ series: Series; offer: Offer }> {
  const quoted = await quoteSeries(work, wanting);
  const { offer, series } = quoted;
  if (offer.refusal) throw new Problem(COURSE_PROBLEMS.course_not_open, offer.refusal);
  await checkNotYet(work, wanting, offer.left);
  await checkRoom(work, wanting.customer, series, offer.left);
  return quoted;
}

async function checkNotYet(work: Work, { series, customer }: Wanting, left: readonly Session[]): Promise<void> {
  const { tx, providerId } = work;
  const [enrollments, booked] = await tx.all([
    sql`SELECT id FROM course_enrollment WHERE provider_id = ${providerId} AND course_date_series_id = ${series}
      AND customer_id = ${customer} AND status = 'active'`,
    sql`SELECT event_id AS event FROM attendance WHERE provider_id = ${providerId} AND customer_id = ${customer}
          AND event_id = ANY(${left.map(({ event }) => event)}::bigint[])
          AND status IN ('registered', 'attended', 'no_show')`,
  ]);
  if (enrollments.length > 0) throw alreadyEnrolled();
  if (booked.length === 0) return;
  const both = left.filter(({ event }) => booked.some((b) => b.event === event));
  throw new Problem(COURSE_PROBLEMS.course_sessions_booked, {
    staff: `The customer has booked single sessions: ${daysOf(both)}. Cancel those bookings first.`,
    customer: say`You have booked single ${many.session} already: ${saidDays(both)}. Cancel those ${many.booking} first.`,
  });
}

export const alreadyEnrolled = (): Problem =>
  new Problem(COURSE_PROBLEMS.already_enrolled, {
    staff: 'The customer is already enrolled in this series.',
    customer: say`You are already enrolled in these ${one.course} dates.`,
  });

/** Refuses if sessions are full, and names all of them. A seat that is held for the customer is theirs. */
async function checkRoom(
  { tx, providerId }: Work,
  customer: number,
  series: Series,
  left: readonly Session[],
): Promise<void> {
  const taken = left.filter(({ max, taken: n }) => max !== null && n >= max);
  if (taken.length === 0) return;
  const own = await tx.rows<{ event: number }>(
    sql`SELECT event_id AS event FROM seat_hold
      WHERE provider_id = ${providerId} AND customer_id = ${customer}
        AND event_id = ANY(${taken.map(({ event }) => event)}::bigint[])
        UNION SELECT event_id FROM waitlist_spot
        WHERE provider_id = ${providerId} AND customer_id = ${customer} AND ended_at IS NULL
          AND status = 'spot_reserved' AND event_id = ANY(${taken.map(({ event }) => event)}::bigint[])`,
  );
  const full = taken.filter(({ event }) => !own.some((o) => o.event === event));
  if (full.length === 0) return;
  const nowhere = full.length === left.length;
  throw new Problem(COURSE_PROBLEMS.course_full, {
    staff: `“${series.name}” has no free place ${nowhere ? 'at any session' : `on ${daysOf(full)}`}. Raise max_occupancy, or put the customer on its waitlist.`,
    customer: nowhere
      ? say`“${series.name}” is full. You can join the ${one.waitlist}.`
      : say`“${series.name}” has no free ${one.spot} on ${saidDays(full)}. You can join the ${one.waitlist}.`,
  });
}

/** Enrolls the customer and returns the id of the enrollment. */
export async function enroll(work: Work, asked: Enrolling): Promise<number> {
  const before = await quoteSeries(work, asked);
  const seats = before.offer.left.map(({ event }) => ({ event, customer: asked.customer }));
  if (seats.length > 0) await lockToBook(work, seats);
  const { series, offer } = await checkJoins(work, asked);
  if (asked.price !== undefined && asked.price !== offer.price) throw changed(work, offer);
  // Sessions that began in the meantime can make the rest free.
  const paidBy = asked.paidBy === 'account' && offer.price === 0 ? 'nothing' : asked.paidBy;
  const id = await insertRow(work, 'course_enrollment', {
    course_date_series_id: series.id,
    customer_id: asked.customer,
    paid_by: paidBy,
    customer_membership_id: asked.membership ?? null,
    price_minor: offer.price,
    enrolled_at: instant(work.now),
  });
  const events = offer.left.map(({ event }) => event).toSorted((a, b) => a - b);
  await work.tx.run(sql`
    INSERT INTO course_enrollment_date (provider_id, course_enrollment_id, event_id)
    SELECT ${work.providerId}::bigint, ${id}::bigint, e FROM unnest(${events}::bigint[]) e`);
  await bookParts(work, {
    events,
    customer: asked.customer,
    comped: asked.paidBy === 'comped',
    payer: asked.paidBy === 'membership' ? { subject: 'customer_membership', id: asked.membership! } : null,
    held: asked.held !== undefined,
  });
  await endWaiting(work, { series: series.id, customer: asked.customer });
  if (paidBy === 'account')
    await chargeEnrollment(work, {
      enrollment: id,
      customer: asked.customer,
      series,
      sessions: offer.left,
      price: offer.price,
    });
  work.record(courseEnrollmentFeed.created, id, {
    course_enrollment: id,
    course_date_series: series.id,
    customer: asked.customer,
  });
  work.effect('enrolled', 'course_enrollment', id, {
    customer: asked.customer,
    sessions: events.length,
    price_minor: offer.price,
  });
  const venue = await readVenue(work, series.venue);
  await notifyCustomers(work, {
    type: COURSE_NOTICES.enrolled,
    customers: [asked.customer],
    key: String(id),
    values: (reader) => ({
      'course.name': series.name,
      'course.dates': daysIn(reader, offer.left),
      'course.times': timesIn(reader, offer.left),
      'venue.name': venue.name,
      'venue.address': venue.address,
    }),
  });
  return id;
}

/** A session began, or was cancelled, while the customer was paying without a held seat: the payment is refunded. */
const changed = (work: Work, { price }: Offer): Problem =>
  new Problem('conflict', {
    staff: `The sessions that are left cost ${amountText({ minor: price, currency: work.tenant.currency })} now. Begin again with a new checkout.`,
    customer: say`The ${many.session} that are left have changed, and so has the price. Please start again.`,
  });

/** Records the invoice that billed enrollments: refunds are credited on it. */
export const noteInvoice = (work: Work, ids: readonly number[], invoice: number): Promise<number> =>
  work.tx.run(
    sql`UPDATE course_enrollment SET invoice_id = ${invoice}, updated_at = ${instant(work.now)}
      WHERE provider_id = ${work.providerId} AND id = ANY(${[...ids]}::bigint[])`,
  );

/** Problems that joining is refused with, in addition to those of the schedule for each session. */
export const JOINS = [
  COURSE_PROBLEMS.course_not_open,
  COURSE_PROBLEMS.course_full,
  COURSE_PROBLEMS.already_enrolled,
  COURSE_PROBLEMS.course_sessions_booked,
  SCHEDULE_PROBLEMS.already_registered,
];

/** Returns the name and the address of a venue, on one line each. */
async function readVenue({ tx, providerId }: Work, id: number): Promise<{ name: string; address: string }> {
  const row = await tx.one<{ name: string; address: Record<string, unknown> | null }>(
    sql`SELECT name, physical_address AS address FROM venue WHERE provider_id = ${providerId} AND id = ${id}`,
  );
  return { name: row!.name, address: addressLine(row!.address) };
}
