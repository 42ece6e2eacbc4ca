/** Books a slot: creates and books its event in one transaction, or does neither. */
import { action, answer, type TogetherCall } from '../../../kernel/api/endpoint.ts';
import { auditTouched } from '../../../kernel/work/unit/audit.ts';
import { checkActsFor } from '../../people/customers/index.ts';
import { boolean, id, listOf, ref, refs } from '../../../kernel/base/fields/kinds.ts';
import { BOOKING_PROBLEMS, payers, register, SCHEDULE_PROBLEMS, whoBooks } from '../../scheduling/schedule/index.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { MEMBERSHIP_PROBLEMS } from '../../memberships/customer-memberships/index.ts';
import { MAX_PEOPLE } from './find-slots.ts';
import { offeredBy, takeSlot } from './take.ts';
import type { Database, Transaction } from '../../../kernel/base/db/database.ts';
import { sharedStanding } from '../../../kernel/base/db/standing.ts';
import { SLOT_PROBLEMS } from './problems.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { BatchByKey } from '../../../kernel/base/batch-by-key.ts';
import { VENUE_PROBLEMS } from '../../places/venues/index.ts';
import { Work } from '../../../kernel/work/unit/work.ts';
import type { Offered } from './slot-id.ts';
import type { Viewer } from '../../../kernel/work/access/viewer.ts';
import type { ValueOf } from '../../../kernel/base/fields/field.ts';

const PATH = '/slots/{id}/register';

const body = {
  customer: ref('customer').optional().describe('Customers who book for themselves can leave it out.'),
  customers: refs('customer', { min: 1, max: MAX_PEOPLE })
    .optional()
    .describe('Several people who come together, instead of `customer`. Each has a booking of their own.'),
  customer_membership: id()
    .nullable()
    .optional()
    .describe('The membership that pays, for one person. If left out or null, Rollcall chooses one for each.'),
  comped: boolean()
    .default(false)
    .describe('Only for staff and machine tokens: books without a charge, and uses no membership.'),
};

type Body = ValueOf<typeof body>;

interface Booked {
  readonly attendance: number;
  readonly attendances: readonly number[];
  readonly event: number;
}

/** Returns the customers as they were sent. */
const namedIn = (viewer: Viewer, { customer, customers }: Body): readonly number[] =>
  customers ?? [customer ?? viewer.customerId ?? 0];

/** Returns the customers who come. @throws Problem if nobody is named, or somebody twice */
function customersOf({ viewer }: Work, sent: Body): readonly number[] {
  if (sent.customer !== undefined && sent.customers !== undefined)
    throw invalid('customers', 'Name customer or customers, not both.');
  const all = namedIn(viewer, sent);
  if (all[0] === 0) throw invalid('customer', 'This field is required.');
  if (new Set(all).size < all.length) throw invalid('customers', 'Each person can be named once.');
  return all;
}

async function bookSlot(work: Work, slot: string, sent: Body): Promise<Booked> {
  const customers = customersOf(work, sent);
  if (sent.comped && work.viewer.mode !== 'provider')
    throw invalid('comped', 'Only staff and machine tokens can book without charge.');
  if (sent.customer_membership && customers.length > 1)
    throw invalid('customer_membership', 'Can be named for one person. Leave it out: each pays with what they have.');
  const named = payers.filled.named({ customer_membership: sent.customer_membership ?? null }, sent.comped);
  for (const customer of customers) await checkActsFor(work, customer);
  const before = sameBooking(await bookedBefore(work, offeredBy(work, slot), customers), customers);
  if (before) return before;
  const { event } = await takeSlot(work, { slot, people: customers.length });
  const onAccount = work.viewer.mode === 'provider';
  const items = customers.map((customer) => ({ work, customer, comped: sent.comped, named, onAccount, made: true }));
  const results = await register(work.tx, items, { event, commit: false });
  const attendances = results.map((result) => {
    if (result instanceof Error) throw result;
    return result.attendance;
  });
  return { attendance: attendances[0], attendances, event };
}

interface BookedBefore {
  readonly attendance: number;
  readonly event: number;
}

/** Returns which of these people are booked for exactly this time, by id. */
async function bookedBefore(
  { tx, providerId }: Work,
  offered: Offered,
  customers: readonly number[],
): Promise<Map<number, BookedBefore>> {
  const { offeringType, venue, instructor, anyInstructor, room, anyRoom, startsAt } = offered;
  const rows = await tx.rows<BookedBefore & { customer: number }>(
    sql`SELECT a.id AS attendance, a.event_id AS event, a.customer_id AS customer
        FROM attendance a JOIN event e ON e.provider_id = a.provider_id AND e.id = a.event_id
        WHERE a.provider_id = ${providerId} AND a.customer_id = ANY(${customers}::bigint[]) AND a.status = 'registered'
          AND e.status = 'active' AND e.offering_type_id = ${offeringType} AND e.venue_id = ${venue}
          AND e.starts_at = ${new Date(startsAt).toISOString()}
          AND (${anyRoom}::boolean OR e.venue_room_id IS NOT DISTINCT FROM ${room}::bigint)
          AND (${anyInstructor || instructor === null}::boolean OR EXISTS (SELECT FROM event_instructor i
            WHERE i.provider_id = e.provider_id AND i.event_id = e.id AND i.instructor_id = ${instructor}::bigint))`,
  );
  return new Map(rows.map(({ customer, ...row }) => [customer, row]));
}

/**
 * Returns the existing booking if the request repeats it: a request may be sent again because its response was lost.
 * Null if it is a different booking.
 */
function sameBooking(booked: ReadonlyMap<number, BookedBefore>, customers: readonly number[]): Booked | null {
  const all = customers.flatMap((customer) => booked.get(customer) ?? []);
  if (all.length !== customers.length || all.some(({ event }) => event !== all[0].event)) return null;
  const attendances = all.map(({ attendance }) => attendance);
  return { attendance: attendances[0], attendances, event: all[0].event };
}

interface Waiting {
  readonly call: TogetherCall;
}

/**
 * Requests for one time that arrive together share a transaction: the first that can have the time gets it, and all
 * others are refused with alternatives that are searched once. However many there are, they cost a few statements and
 * wait for no lock.
 */
const together = new WeakMap<Database, BatchByKey<Waiting, Booked>>();

const MAX_PER_REQUEST = 1000;

function booker(db: Database): BatchByKey<Waiting, Booked> {
  let t = together.get(db);
  if (!t) {
    t = new BatchByKey((_key, waiting) => {
      const calls = waiting.map(({ call }) => call);
      const book = () =>
        db.transaction(
          calls[0].tenant.providerId,
          (tx) => bookTogether(tx, calls),
          sharedStanding(calls.map(({ standing }) => standing)),
        );
      // A customer that was merged into another in the meantime no longer exists: the second attempt reports it by
      // name.
      return book().catch((error) => ((error as { code?: string }).code === '23503' ? book() : Promise.reject(error)));
    }, MAX_PER_REQUEST);
    together.set(db, t);
  }
  return t;
}

async function bookTogether(tx: Transaction, calls: readonly TogetherCall[]): Promise<(Booked | Error)[]> {
  const [{ now, params, registry }] = calls;
  // A request whose response was lost may be repeated when the time is no longer free: such requests continue, all
  // others need not.
  const first = new Work({ ...calls[0], tx, now });
  const everyone = calls.flatMap(({ viewer, body: sent }) => namedIn(viewer, sent));
  const booked = await bookedBefore(first, offeredBy(first, params.id), everyone);
  const results: (Booked | Error)[] = [];
  const works: Work[] = [];
  const gone = new Map<string, Problem>();
  for (const call of calls) {
    const work = new Work({ ...call, tx, now });
    try {
      // The time can't become free again within this transaction.
      const known = gone.get(call.viewer.mode);
      if (known && !sameBooking(booked, customersOf(work, call.body))) throw known;
      const result = await tx.attempt(() => bookSlot(work, call.params.id, call.body));
      for (const [i, customer] of customersOf(work, call.body).entries())
        booked.set(customer, { attendance: result.attendances[i], event: result.event });
      results.push(result);
      works.push(work);
    } catch (error) {
      const problem = refusalOf(error, call);
      if (!problem) throw error;
      if (problem.kind === SLOT_PROBLEMS.slot_taken) gone.set(call.viewer.mode, problem);
      results.push(problem);
    }
  }
  for (const work of works) await auditTouched(work, registry, `POST ${PATH}`);
  if (works.length > 0) for (const record of Work.takeRecords(works)) tx.later(record);
  return results;
}

/** Returns the refusal for one request; null if all of them have to start over, or the service failed. */
const refusalOf = (error: unknown, { registry }: TogetherCall): Problem | null => {
  if (error instanceof Problem) return error;
  const of = (error as { constraint?: string }).constraint;
  return of && registry.constraints.has(of) ? registry.constraints.get(of)!() : null;
};

/** Returns the key of a time: requests with the same key want the same time. */
function keyOf(providerId: number, o: Offered): string {
  const whom = o.anyInstructor ? 'any' : o.instructor;
  return [providerId, o.offeringType, o.venue, whom, o.anyRoom ? 'any' : o.room, o.startsAt].join(' ');
}

export const registerSlot = action({
  path: PATH,
  summary: 'Book a free time',
  description:
    'Creates the event of the slot and books it, for one person or for several who come together. Booking again returns the same attendance. ' +
    'If the time is no longer free, the error `slot_taken` lists the nearest times that are in `alternatives`.',
  who: whoBooks,
  textId: true,
  atVenue: true,
  body,
  returns: answer({
    attendance: id().describe('The booking of the first person.'),
    attendances: listOf(id()).describe('The bookings of all, in the order in which they were named.'),
    event: id(),
  }),
  problems: [
    SLOT_PROBLEMS.slot_taken,
    SLOT_PROBLEMS.slot_expired,
    SCHEDULE_PROBLEMS.instructor_taken,
    VENUE_PROBLEMS.room_taken,
    ...BOOKING_PROBLEMS,
    ...Object.values(MEMBERSHIP_PROBLEMS),
  ],
  run: ({ work, params, body: sent }) => bookSlot(work, params.id, sent),
  together: (call: TogetherCall) => {
    const offered = offeredBy(new Work({ ...call, tx: null as never }), call.params.id);
    return booker(call.db).call(keyOf(call.tenant.providerId, offered), { call });
  },
});
