/** Booking a slot: its event is created and booked in one transaction, or neither is. */
import { action, answer, type TogetherCall } from '../../../kernel/api/endpoint.ts';
import { auditTouched } from '../../../kernel/audit.ts';
import { checkActsFor } from '../../people/customers/index.ts';
import { boolean, id, listOf, ref, refs } from '../../../kernel/api/kinds.ts';
import { BOOKING_PROBLEMS, payers, register, SCHEDULE_PROBLEMS, whoBooks } from '../../scheduling/schedule/index.ts';
import { invalid, Problem } from '../../../kernel/api/problem.ts';
import { MEMBERSHIP_PROBLEMS } from '../../memberships/customer-memberships/index.ts';
import { MOST_PEOPLE } from './find-slots.ts';
import { offeredBy, takeSlot } from './take.ts';
import { sharedStanding, type Database } from '../../../kernel/db/database.ts';
import { SLOT_PROBLEMS } from './problems.ts';
import { sql } from '../../../kernel/db/sql.ts';
import { Together } from '../../../kernel/together.ts';
import { VENUE_PROBLEMS } from '../../places/venues/index.ts';
import { Work } from '../../../kernel/work.ts';
import type { Offered } from './slot-id.ts';
import type { ValueOf } from '../../../kernel/api/field.ts';

const PATH = '/slots/{id}/register';

const body = {
  customer: ref('customer').optional().describe('Customers who book for themselves can leave it out.'),
  customers: refs('customer', { min: 1, max: MOST_PEOPLE })
    .optional()
    .describe('Several people who come together, instead of `customer`. Each has a booking of their own.'),
  customer_membership: id()
    .nullable()
    .optional()
    .describe('The membership that pays, for one person. If left out or null, Rollcall chooses one for each.'),
  comped: boolean().default(false).describe('Only for staff and machine tokens: books without charge or entitlement.'),
};

type Body = ValueOf<typeof body>;

interface Booked {
  readonly attendance: number;
  readonly attendances: readonly number[];
  readonly event: number;
}

/** Who comes. @throws Problem where nobody is named, or somebody twice */
function customersOf({ viewer }: Work, { customer, customers }: Body): number[] {
  if (customer !== undefined && customers !== undefined)
    throw invalid('customers', 'Name customer or customers, not both.');
  const all = customers ?? [customer ?? viewer.customerId ?? 0];
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
  const before = await bookedBefore(work, offeredBy(work, slot), customers);
  if (before) return before;
  const { event } = await takeSlot(work, { slot, people: customers.length });
  const items = customers.map((customer) => ({ work, customer, comped: sent.comped, named, made: true }));
  const results = await register(work.tx, items, { event, commit: false });
  const attendances = results.map((result) => {
    if (result instanceof Error) throw result;
    return result.attendance;
  });
  return { attendance: attendances[0], attendances, event };
}

/** Asking twice is the same booking: a call may be repeated although its answer was lost. */
async function bookedBefore(work: Work, offered: Offered, customers: readonly number[]): Promise<Booked | null> {
  const { offeringType, venue, instructor, anyInstructor, room, anyRoom, startsAt } = offered;
  const rows = await work.tx.rows<{ id: number; event_id: number; customer_id: number }>(
    sql`SELECT a.id, a.event_id, a.customer_id FROM attendance a JOIN event e ON e.provider_id = a.provider_id AND e.id = a.event_id
        WHERE a.provider_id = ${work.providerId} AND a.customer_id = ANY(${customers}::bigint[]) AND a.status = 'registered'
          AND e.status = 'active' AND e.offering_type_id = ${offeringType} AND e.venue_id = ${venue} AND e.starts_at = ${new Date(startsAt).toISOString()}
          AND (${anyRoom}::boolean OR e.venue_room_id IS NOT DISTINCT FROM ${room}::bigint)
          AND (${anyInstructor || instructor === null}::boolean OR EXISTS (SELECT FROM event_instructor i
            WHERE i.provider_id = e.provider_id AND i.event_id = e.id AND i.instructor_id = ${instructor}::bigint))`,
  );
  const [first] = rows;
  if (!first || rows.length !== customers.length || rows.some((row) => row.event_id !== first.event_id)) return null;
  const attendances = customers.map((customer) => rows.find((row) => row.customer_id === customer)!.id);
  return { attendance: attendances[0], attendances, event: first.event_id };
}

interface Waiting {
  readonly call: TogetherCall;
}

/**
 * Calls for one time that arrive together share a transaction: the first that can have it gets it, and the alternatives
 * are looked for once for all the others.
 */
const together = new WeakMap<Database, Together<Waiting, Booked>>();

function booker(db: Database): Together<Waiting, Booked> {
  let t = together.get(db);
  if (!t) {
    t = new Together((_key, waiting) => {
      const [{ call: first }] = waiting;
      const { registry, tenant } = first;
      const book = () =>
        db.transaction(
          tenant.providerId,
          async (tx) => {
            const results: (Booked | Error)[] = [];
            const works: Work[] = [];
            const gone = new Map<string, Problem>();
            for (const { call } of waiting) {
              const { mode } = call.viewer;
              const known = gone.get(mode);
              // The time does not become free again in this transaction.
              const work = new Work({ ...call, tx, now: first.now });
              try {
                const refuse = known && !(await isTheirs(work, call)) ? known : null;
                if (refuse) throw refuse;
                results.push(await tx.attempt(() => bookSlot(work, call.params.id, call.body)));
                works.push(work);
              } catch (error) {
                const problem = refusalOf(error, call);
                if (!problem) throw error;
                if (problem.kind === SLOT_PROBLEMS.slot_taken) gone.set(mode, problem);
                results.push(problem);
              }
            }
            for (const work of works) await auditTouched(work, registry, `POST ${PATH}`);
            if (works.length > 0) for (const record of Work.takeRecords(works)) tx.later(record);
            return results;
          },
          sharedStanding(waiting.map(({ call }) => call.standing)),
        );
      // A customer that was merged into another meanwhile is gone: the second time it is missed by name.
      return book().catch((error) => ((error as { code?: string }).code === '23503' ? book() : Promise.reject(error)));
    });
    together.set(db, t);
  }
  return t;
}

/** What one call is refused with: null where all of them have to begin again, or the service failed. */
const refusalOf = (error: unknown, { registry }: TogetherCall): Problem | null => {
  if (error instanceof Problem) return error;
  const of = (error as { constraint?: string }).constraint;
  return of && registry.constraints.has(of) ? registry.constraints.get(of)!() : null;
};

/** Whether somebody else's loss is this caller's own booking, made before. */
const isTheirs = async (work: Work, { params, body: sent }: TogetherCall): Promise<boolean> =>
  (await bookedBefore(work, offeredBy(work, params.id), customersOf(work, sent))) !== null;

/** Calls with the same key want the same time. */
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
