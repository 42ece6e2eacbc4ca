/**
 * Booking. One transaction books for all concurrent requests for the same event: it locks the event and everything that
 * may pay, reads the facts, decides each request in order of arrival, writes the bookings, their payments, feed items
 * and audit entries, each through its owner, and commits. Two round trips for any number of requests; each has its own
 * result.
 */
import { RetryTransaction } from '../../../../kernel/base/db/retry-transaction.ts';
import { fill, join, param, sql, statement, type Sql, type Statement } from '../../../../kernel/base/db/sql.ts';
import { notFound, Problem } from '../../../../kernel/base/problem.ts';
import {
  atPlace,
  bookingFacts,
  changeCounts,
  customerColumns,
  customerFacts,
  eventColumns,
  eventFacts,
  placeFor,
  placeKinds,
  refusedAt,
  withPrice,
  type CustomerAround,
  type EventAround,
} from './facts.ts';
import { hasSeat } from '../has-seat.ts';
import { payers } from './payer-port.ts';
import { payable, refuseBooking, type Place, type Verdict } from '../rules/booking.ts';
import { byStaff, involvedIn, mustSettle, refuseReach, refuseSight } from '../sight.ts';
import { alreadyAt, alreadyPaying, noOnlinePlaces } from '../problems.ts';
import { take, type Payment, type Taken } from './payers.ts';
import { writeBookings, type Registration, type Taking } from './write-bookings.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';

export interface Registered {
  readonly attendance: number;
  /** false if the customer was already booked */
  readonly made: boolean;
}

interface Input {
  readonly providerId: number;
  readonly event: number;
  readonly customers: readonly number[];
}

const provider = param<Input>((i) => i.providerId);
const theEvent = param<Input>((i) => i.event);

/** The lock for booking: every request for a seat of this event waits here, in order. */
const LOCK_EVENT = statement(
  sql`SELECT ${join(eventColumns('e'), ', ')} FROM event e WHERE e.provider_id = ${provider} AND e.id = ${theEvent}
    FOR NO KEY UPDATE OF e`,
);

/**
 * The list is in a sub-select so that the planner cannot see its length: it would plan each execution again for "one
 * customer", which costs more than the execution.
 */
const theCustomers = sql`(SELECT ${param<Input>((i) => i.customers)}::bigint[])::bigint[]`;

/**
 * Returns the query for the facts. Its last column is an id for the attendance of a customer without one, so that all
 * statements of a booking can use it immediately.
 */
const readCustomers = (): Sql =>
  sql`SELECT ${join(customerColumns('c', sql`${theEvent}::bigint`), ', ')}, nextval('attendance_id_seq') FROM customer c
      WHERE c.provider_id = ${provider} AND c.id = ANY(${theCustomers}) AND c.deleted_at IS NULL`;

interface Opening {
  /** locks after that of the event, on everything that may pay: later reads of it stay valid */
  readonly locks: readonly Statement[];
  readonly read: Statement;
}

let made: Opening | undefined;

/** Returns the statements; created once all payers are known. */
const opening = (): Opening =>
  (made ??= {
    locks: payers.filled.locks(provider, theCustomers).map(statement),
    read: statement(readCustomers()),
  });

/** Returns the locks and reads of a booking, in order, for measurements. */
const bookingStatements = (): readonly Statement[] => [LOCK_EVENT, ...opening().locks, opening().read];

interface RegisterOptions {
  readonly event: number;
  /** true if the last statements also commit, with everything that the works have recorded */
  readonly commit: boolean;
}

/**
 * Books the event for each, in order; a refusal concerns that one only. All works have the same transaction and
 * business.
 */
export async function register(
  tx: Transaction,
  items: readonly Registration[],
  o: RegisterOptions,
): Promise<(Registered | Error)[]> {
  if (items.length === 0) return [];
  const [{ work }] = items;
  const input: Input = { providerId: work.providerId, event: o.event, customers: involvedIn(items) };
  const [locked, ...answers] = await tx.send(
    bookingStatements().map((s) => ({ statement: s, values: fill(s.holes, input) })),
  );
  if (locked.rows.length === 0) return items.map(() => notFound());
  const known = answers.pop()!.rows;
  const around = eventFacts(locked.rows[0]);
  const customers = new Map(known.map(customerFacts).map((c) => [c.id, c]));
  const newIds = new Map(known.map((row) => [Number(row[0]), Number(row.at(-1))]));

  const results: (Registered | Error | { pending: number })[] = [];
  const taking: Taking[] = [];
  const taken: Taken = new Map();
  let current = around;
  for (const i of items) {
    const who = customers.get(i.customer);
    const twin = taking.findIndex((t) => t.item.customer === i.customer);
    const unseen = refuseSight(around, who, i, customers) ?? (await refuseReach(i, o.event));
    if (unseen) {
      results.push(unseen);
    } else if (hasSeat(who!.attendance)) {
      const { id, place: booked } = who!.attendance!;
      const other = i.place !== undefined && i.place !== booked;
      results.push(other ? alreadyAt(booked).about(around.event.kind) : { attendance: id, made: false });
    } else if (twin >= 0) {
      // Checked before the rules: the seat that the first request took must not refuse the second.
      results.push({ pending: twin });
    } else {
      const place = placeFor(who!, i.place);
      if (!placeKinds(current).includes(place)) {
        results.push(noOnlinePlaces().about(around.event.kind));
        continue;
      }
      const { price } = atPlace(current, place);
      let { payment, refused } = decide(atPlace(current, place), who!, i, taken);
      if (price?.total === null && refused && refused.code === payable({ payment })) {
        // Read once for all refusals that state the price.
        current = withPrice(current, place, await payers.filled.quote(i.work, price));
        ({ payment, refused } = decide(atPlace(current, place), who!, i, taken));
      }
      if (refused) results.push(refused instanceof Problem ? refused : refusedAt(refused, around, who!, i.work.now));
      else {
        // Sold between the lock and the read: it is not locked, so the transaction is retried.
        const held = answers.map(({ rows }) => rows);
        if (!payers.filled.holds(payment, held)) throw new RetryTransaction('what pays came in between');
        const attendance = who!.attendance?.id ?? newIds.get(i.customer)!;
        results.push({ pending: taking.push({ item: i, who: who!, payment, attendance, place }) - 1 });
        current = afterBooking(current, who!, place);
        take(taken, payment);
      }
    }
  }
  if (taking.length > 0) await writeBookings(tx, taking, o);
  return results.map((r) => ('pending' in r ? { attendance: taking[r.pending].attendance, made: true } : r));
}

/** Chooses the payer of the booking, and returns its refusal; null if the customer may have it. */
function decide(
  around: EventAround,
  who: CustomerAround,
  i: Registration,
  taken: Taken,
): { payment: Payment; refused: Problem | Verdict | null } {
  const payment = payers.filled.choose({ known: who.known, price: around.price }, i, taken);
  const refused =
    payers.filled.refuseUnknown(who.known, i.named) ??
    refusePaid(i, payment) ??
    refuseOwed(who, payment) ??
    refuseBooking(bookingFacts(around, who, asStaff(i, who), i.work.now, payment, mustSettle(i)));
  return { payment, refused };
}

/**
 * Refuses a payment that is no longer needed because the use of a late cancellation pays again: the new payment must
 * not be lost.
 */
const refusePaid = ({ held, named }: Registration, { payer, refusal }: Payment): Problem | null =>
  held && named && payer === null && refusal === null
    ? new Problem('conflict', {
        staff: 'The booking has been paid for already. Book the customer without another payment.',
        customer: 'This has already been paid for. Book it without paying again.',
      })
    : null;

/** Nobody is charged for what they are just paying. */
const refuseOwed = ({ hold }: CustomerAround, { owed }: Payment): Problem | null =>
  owed && hold?.paying === true ? alreadyPaying() : null;

/**
 * Returns true if the window does not apply: a customer with a held seat was in time, and the window may close while
 * they pay.
 */
const asStaff = (i: Registration, { hold }: CustomerAround): boolean => i.part || (i.held ? hold !== null : byStaff(i));

/** Returns the event after a booking, which ends the customer's spot and their held seat, of either kind of place. */
function afterBooking(around: EventAround, { spot, hold }: CustomerAround, place: Place): EventAround {
  let after = changeCounts(around, place, { attending: 1 });
  if (spot) after = changeCounts(after, spot.place, spot.status === 'spot_reserved' ? { held: -1 } : { waiting: -1 });
  return hold?.keepsSeat ? changeCounts(after, hold.place, { held: -1 }) : after;
}
