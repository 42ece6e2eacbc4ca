/**
 * Booking. One transaction books for everybody who asks for the same event at the same moment: lock the event, gather
 * the facts, decide for each in order of arrival, write the bookings with the uses that pay for them, their feed items
 * and audit entries in one statement, commit. Two round trips, whatever their number; every answer is individual.
 */
import { Again } from '../../../kernel/db/again.ts';
import { beginning, choose, lockPayers, type Choice } from '../../memberships/customer-memberships/use/index.ts';
import { fill, instant, join, slot, sql, statement } from '../../../kernel/db/sql.ts';
import { invalid, notFound, Problem } from '../../../kernel/api/problem.ts';
import { checkTeaches } from './marking.ts';
import { may, type Viewer } from '../../../kernel/access/viewer.ts';
import { mayActForFamily } from '../../people/customers/index.ts';
import { attendanceOf } from './read-facts.ts';
import {
  askerOf,
  bookingFacts,
  customerColumns,
  customerFacts,
  eventColumns,
  eventFacts,
  type CustomerAround,
  type EventAround,
} from './facts.ts';
import { refuseBooking } from './rules/booking.ts';
import { resolveWindow } from './rules/window.ts';
import { refusedBy } from './problems.ts';
import type { Transaction } from '../../../kernel/db/database.ts';

/** Permissions that take bookings of any event. */
export const BOOKS_EVERYWHERE = ['attendances', 'manage_events', 'pos'] as const;

export interface Registration {
  readonly viewer: Viewer;
  readonly requestId: string;
  readonly customer: number;
  readonly comped: boolean;
  /** id of the membership that is to be used; null or absent: whichever is to be used first */
  readonly membership?: number | null;
}

export interface Registered {
  readonly attendance: number;
  /** id of the membership that a use was taken of, and uses that it had before; null: none, and without limit */
  readonly membership: number | null;
  readonly left: number | null;
  /** false when the customer had the booking already */
  readonly made: boolean;
}

/** One entry for each booking that is written, in order. */
interface Items {
  readonly customers: number[];
  readonly comped: boolean[];
  readonly from: string[];
  readonly actors: string[];
  readonly users: (number | null)[];
  readonly applications: (number | null)[];
  /** ids and names of the applications that the bookings came through, as far as both are known */
  readonly sources: (number | null)[];
  readonly sourceNames: (string | null)[];
  readonly modes: string[];
  readonly requests: string[];
  readonly memberships: (number | null)[];
  /** uses left after it */
  readonly left: (number | null)[];
}

interface Begins {
  readonly ids: number[];
  readonly customers: number[];
  readonly starts: string[];
  readonly ends: (string | null)[];
}

const NOBODY: Items = {
  memberships: [],
  left: [],
  customers: [],
  comped: [],
  from: [],
  actors: [],
  users: [],
  applications: [],
  sources: [],
  sourceNames: [],
  modes: [],
  requests: [],
};

interface Input {
  readonly providerId: number;
  readonly event: number;
  readonly customers: readonly number[];
  readonly now: string;
  readonly items: Items;
  readonly spots: readonly number[];
  readonly begins: Begins;
  /** offering type and day of the event, what uses count as; null while nobody is booked */
  readonly offeringType: number | null;
  readonly day: string | null;
}

const provider = slot<Input>((i) => i.providerId);
const theEvent = slot<Input>((i) => i.event);
const now = slot<Input>((i) => i.now);
const item = (name: keyof Items) => slot<Input>((i) => i.items[name]);

/** The lock that booking is about: everything that needs a seat of this event waits here, in order. */
const LOCK_EVENT = statement(
  sql`SELECT ${join(eventColumns('e'), ', ')} FROM event e WHERE e.provider_id = ${provider} AND e.id = ${theEvent} FOR NO KEY UPDATE OF e`,
);

/** After the event, the customers and all that they may use: what is read of it next stays as it is. */
const [LOCK_CUSTOMERS, LOCK_MEMBERSHIPS] = lockPayers(
  provider,
  sql`(SELECT ${slot<Input>((i) => i.customers)}::bigint[])::bigint[]`,
).map(statement);

/**
 * The list stands behind a sub-select so that the planner cannot see its length: it would plan each run anew for "one
 * customer", which costs more than the run.
 */
const READ_CUSTOMERS = statement(
  sql`SELECT ${join(customerColumns('c', sql`${theEvent}::bigint`), ', ')} FROM customer c
      WHERE c.provider_id = ${provider} AND c.id = ANY((SELECT ${slot<Input>((i) => i.customers)}::bigint[])::bigint[]) AND c.deleted_at IS NULL`,
);

/** Spots end before seats are taken: a kept seat is freed and booked in one transaction, never counted twice. */
const END_SPOTS = statement(
  sql`WITH ended AS (
        UPDATE waitlist_spot SET ended_at = ${now}::timestamptz, end_reason = CASE status WHEN 'spot_reserved' THEN 'claimed' ELSE 'registered' END
        WHERE provider_id = ${provider} AND id = ANY(${slot<Input>((i) => i.spots)}::bigint[]) RETURNING provider_id, id, event_id, customer_id, end_reason
      )
      INSERT INTO feed_item (provider_id, kind, object, object_id, payload, occurred_at)
      SELECT ${provider}::bigint, 'waitlist.ended', 'waitlist_spot', ended.id,
             jsonb_build_object('waitlist_spot', ended.id, 'attendance', ${attendanceOf('ended')}, 'event', event_id, 'customer', customer_id, 'reason', end_reason), ${now}::timestamptz
      FROM ended ORDER BY ended.id`,
);

/** Memberships begin that begin with the first event that they are used for. */
const BEGIN = statement(
  sql`WITH begun AS (
        UPDATE customer_membership cm SET start_date = b.starts, expiration_date = b.ends, updated_at = ${now}::timestamptz
        FROM unnest(${slot<Input>((i) => i.begins.ids)}::bigint[], ${slot<Input>((i) => i.begins.customers)}::bigint[], ${slot<Input>((i) => i.begins.starts)}::date[],
                    ${slot<Input>((i) => i.begins.ends)}::date[]) AS b (id, customer_id, starts, ends)
        WHERE cm.provider_id = ${provider} AND cm.id = b.id RETURNING cm.id, b.customer_id, b.starts)
      INSERT INTO feed_item (provider_id, kind, object, object_id, payload, occurred_at)
      SELECT ${provider}::bigint, 'customer_membership.activated', 'customermembership', id,
             jsonb_build_object('customer_membership', id, 'customer', customer_id, 'start_date', starts), ${now}::timestamptz FROM begun ORDER BY id`,
);

const BOOK = statement(sql`
  WITH item AS (
    SELECT * FROM unnest(${item('customers')}::bigint[], ${item('comped')}::boolean[], ${item('from')}::text[], ${item('actors')}::text[],
                         ${item('users')}::bigint[], ${item('applications')}::bigint[], ${item('modes')}::text[], ${item('requests')}::text[], ${item('memberships')}::bigint[], ${item('left')}::int[],
                         ${item('sources')}::bigint[], ${item('sourceNames')}::text[])
             WITH ORDINALITY AS i (customer_id, comped, origin, actor, user_id, application_id, mode, request_id, membership, uses_left, source_id, source_name, nth)
  ), booked AS (
    INSERT INTO attendance (provider_id, event_id, customer_id, status, comped, registered_at, created_at, updated_at, booking_application_id, booking_application_name)
    SELECT ${provider}::bigint, ${theEvent}::bigint, customer_id, 'registered', comped, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz, source_id, source_name
    FROM item ORDER BY customer_id
    ON CONFLICT (provider_id, event_id, customer_id) DO UPDATE
      SET status = 'registered', comped = excluded.comped, registered_at = excluded.registered_at, cancelled_at = NULL, updated_at = excluded.updated_at,
          booking_application_id = excluded.booking_application_id, booking_application_name = excluded.booking_application_name
    RETURNING id, event_id, customer_id
  ), used AS (
    INSERT INTO entitlement_entry (provider_id, customer_membership_id, attendance_id, customer_id, offering_type_id, event_starts_on, amount, reason, open, at)
    SELECT ${provider}::bigint, item.membership, b.id, b.customer_id, ${slot<Input>((i) => i.offeringType)}::bigint, ${slot<Input>((i) => i.day)}::date, -1, 'registered', true, ${now}::timestamptz
    FROM booked b JOIN item USING (customer_id)
    WHERE item.membership IS NOT NULL ORDER BY item.nth
  ), feed AS (
    INSERT INTO feed_item (provider_id, kind, object, object_id, payload, occurred_at)
    SELECT ${provider}::bigint, told.kind, told.object, told.object_id, told.payload, ${now}::timestamptz
    FROM booked b JOIN item USING (customer_id) CROSS JOIN LATERAL (VALUES
      (1, 'event_registration.created', 'attendance', b.id,
       jsonb_build_object('attendance', b.id, 'event', b.event_id, 'customer', b.customer_id, 'from', item.origin)),
      (2, 'customer_membership.used', 'customermembership', item.membership,
       jsonb_build_object('customer_membership', item.membership, 'attendance', b.id, 'event', b.event_id, 'customer', b.customer_id, 'uses_left', item.uses_left))
    ) AS told (place, kind, object, object_id, payload)
    WHERE told.object_id IS NOT NULL ORDER BY item.nth, told.place
  ), audit AS (
    INSERT INTO audit_entry (provider_id, at, request_id, actor, user_id, application_id, mode, action, object, object_id, after)
    SELECT ${provider}::bigint, ${now}::timestamptz, item.request_id, item.actor, item.user_id, item.application_id, item.mode, 'POST /events/{id}/register', 'attendance', b.id,
           jsonb_build_object('event_id', b.event_id, 'customer_id', b.customer_id, 'status', 'registered', 'comped', item.comped)
             || CASE WHEN item.membership IS NULL THEN '{}' ELSE jsonb_build_object('customer_membership_id', item.membership) END
    FROM booked b JOIN item USING (customer_id)
  )
  SELECT id, customer_id FROM booked`);

/** The statements of one booking, in order, for whoever measures them. */
export const BOOKING_STATEMENTS = [LOCK_EVENT, LOCK_CUSTOMERS, LOCK_MEMBERSHIPS, READ_CUSTOMERS, BOOK];

export interface RegisterOptions {
  readonly providerId: number;
  readonly event: number;
  readonly now: number;
  /** the last statement may commit */
  readonly commit: boolean;
}

/** Books the event for each, in order; a refusal is that one's own. Runs in the given transaction. */
export async function register(
  tx: Transaction,
  items: readonly Registration[],
  o: RegisterOptions,
): Promise<(Registered | Error)[]> {
  const involved = [
    ...new Set(items.flatMap((i) => (i.viewer.customerId === null ? [i.customer] : [i.customer, i.viewer.customerId]))),
  ];
  const base: Input = {
    providerId: o.providerId,
    event: o.event,
    customers: involved,
    now: instant(o.now)!,
    spots: [],
    items: NOBODY,
    begins: { ids: [], customers: [], starts: [], ends: [] },
    offeringType: null,
    day: null,
  };
  const [locked, , payers, known] = await tx.send(
    [LOCK_EVENT, LOCK_CUSTOMERS, LOCK_MEMBERSHIPS, READ_CUSTOMERS].map((s) => command(s, base)),
  );
  if (locked.rows.length === 0) return items.map(() => notFound());
  const around = eventFacts(locked.rows[0]);
  const customers = new Map(known.rows.map(customerFacts).map((c) => [c.id, c]));

  const results: (Registered | Error | { pending: number })[] = [];
  const taking: Taking[] = [];
  const lockedMemberships = new Set(payers.rows.map(([id]) => Number(id)));
  const taken = new Map<number, number>();
  let event = around.event;
  for (const i of items) {
    const who = customers.get(i.customer);
    const twin = taking.findIndex((t) => t.item.customer === i.customer);
    const unseen = refuseSight(around, who, i, customers, o.now) ?? (await refuseReach(tx, i, o));
    if (unseen) {
      results.push(unseen);
    } else if (holdsSeat(who!.attendance)) {
      results.push({ attendance: who!.attendance!.id, made: false, membership: null, left: null });
    } else if (twin >= 0) {
      // Asked before the rules are: the seat that the first call took must not refuse the second.
      results.push({ pending: twin });
    } else {
      const choice = choose(who!.entitlements, { wanted: i.membership ?? null, comped: i.comped }, taken);
      const refused =
        unknownMembership(i, who!) ??
        refuseBooking(bookingFacts({ ...around, event }, who!, i.viewer.mode === 'provider', o.now, choice));
      if (refused) results.push(refused instanceof Problem ? refused : refusedBy(refused));
      else {
        // Sold in the moment between the lock and the look: nobody holds it, so everything begins again.
        if (choice.chosen !== null && !lockedMemberships.has(choice.chosen))
          throw new Again('a membership came in between');
        results.push({ pending: taking.push({ item: i, who: who!, choice }) - 1 });
        event = afterBooking(event, who!);
        if (choice.chosen !== null) taken.set(choice.chosen, (taken.get(choice.chosen) ?? 0) + 1);
      }
    }
  }
  const ids = await write(tx, base, taking, o);
  return results.map((r) => {
    if (!('pending' in r)) return r;
    const { item: i, choice } = taking[r.pending];
    return { attendance: ids.get(i.customer)!, made: true, membership: choice.chosen, left: choice.left };
  });
}

interface Taking {
  readonly item: Registration;
  readonly who: CustomerAround;
  readonly choice: Choice;
}

/** One that the customer may not use is not there. */
export const unknownMembership = (
  { membership }: Pick<Registration, 'membership'>,
  { entitlements }: CustomerAround,
): Problem | null =>
  (membership ?? null) === null || entitlements.candidates.some((c) => c.id === membership)
    ? null
    : invalid('customer_membership', `The customer has no membership with the id ${membership}.`);

const holdsSeat = (attendance: CustomerAround['attendance']) =>
  attendance !== null && ['registered', 'attended', 'no_show'].includes(attendance.status);

/** What the caller may not see or touch, before any rule of booking is asked. */
function refuseSight(
  around: EventAround,
  who: CustomerAround | undefined,
  { viewer, customer }: Registration,
  customers: Map<number, CustomerAround>,
  at: number,
): Problem | null {
  if (viewer.mode === 'provider')
    return who ? null : invalid('customer', `There is no customer with the id ${customer}.`);
  const me = customers.get(viewer.customerId!);
  if (!me || !who || !(isShown(around, me, who, at) || isInvolved(me) || isInvolved(who))) return notFound();
  return mayActForFamily(me, who);
}

/** Costs a question only for staff who have no general permission. */
async function refuseReach(
  tx: Transaction,
  { viewer }: Registration,
  { providerId, event }: RegisterOptions,
): Promise<Problem | null> {
  if (viewer.mode !== 'provider' || may(viewer, ...BOOKS_EVERYWHERE)) return null;
  try {
    await checkTeaches({ viewer, tx, providerId }, event, ...BOOKS_EVERYWHERE);
    return null;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

const holdsForIt = ({ entitlements }: CustomerAround) =>
  entitlements.candidates.some((c) => c.covers && c.status === 'active');

/** As the policy of the event says it. */
function isShown(
  { hidden, membersOnly, windowFacts }: EventAround,
  me: CustomerAround,
  who: CustomerAround,
  at: number,
): boolean {
  const calendarOpensAt =
    resolveWindow(windowFacts, askerOf(me))?.calendarOpensAt ?? windowFacts.calendarOpensAt ?? -Infinity;
  return !hidden && (!membersOnly || holdsForIt(me) || holdsForIt(who)) && calendarOpensAt <= at;
}

const isInvolved = ({ attendance, spot }: CustomerAround) =>
  spot !== null || (attendance !== null && attendance.status !== 'not_registered');

function afterBooking(event: EventAround['event'], { spot }: CustomerAround): EventAround['event'] {
  return {
    ...event,
    attending: event.attending + 1,
    held: event.held - (spot?.status === 'spot_reserved' ? 1 : 0),
    waiting: event.waiting - (spot?.status === 'on_waitlist' ? 1 : 0),
  };
}

async function write(
  tx: Transaction,
  base: Input,
  taking: readonly Taking[],
  o: RegisterOptions,
): Promise<Map<number, number>> {
  if (taking.length === 0) return new Map();
  const input: Input = {
    ...base,
    spots: taking.flatMap(({ who }) => (who.spot ? [who.spot.id] : [])),
    items: {
      customers: taking.map(({ item: i }) => i.customer),
      comped: taking.map(({ item: i }) => i.comped),
      from: taking.map(({ who }) => (who.spot?.status === 'spot_reserved' ? 'claim' : 'registration')),
      actors: taking.map(({ item: i }) => i.viewer.actor),
      users: taking.map(({ item: i }) => i.viewer.userId),
      applications: taking.map(({ item: i }) => i.viewer.applicationId),
      sources: taking.map(({ item: i }) => sourceOf(i.viewer)?.id ?? null),
      sourceNames: taking.map(({ item: i }) => sourceOf(i.viewer)?.name ?? null),
      modes: taking.map(({ item: i }) => i.viewer.mode),
      requests: taking.map(({ item: i }) => i.requestId),
      memberships: taking.map(({ choice }) => choice.chosen),
      left: taking.map(({ choice }) => (choice.left === null ? null : choice.left - 1)),
    },
    begins: beginsOf(taking),
    offeringType: taking[0].who.entitlements.offeringType,
    day: taking[0].who.entitlements.on,
  };
  const first = [...(input.spots.length > 0 ? [END_SPOTS] : []), ...(input.begins.ids.length > 0 ? [BEGIN] : [])];
  const commands = [...first, BOOK].map((s) => command(s, input));
  const answers = o.commit ? await tx.sendAndCommit(commands) : await tx.send(commands);
  return new Map(answers.at(-1)!.rows.map(([id, customer]) => [Number(customer), Number(id)]));
}

/** Each once, also where several of its users book at the same moment: all of them the same event. */
function beginsOf(taking: readonly Taking[]): Begins {
  const begun = taking.flatMap(({ item: i, who, choice: { chosen } }) => {
    const days = chosen === null ? null : beginning(who.entitlements, chosen);
    return days ? [{ id: chosen!, customer: i.customer, ...days }] : [];
  });
  const once = begun.filter((b, i) => begun.findIndex((other) => other.id === b.id) === i);
  return {
    ids: once.map((b) => b.id),
    customers: once.map((b) => b.customer),
    starts: once.map((b) => b.start),
    ends: once.map((b) => b.end),
  };
}

/** The application that a booking comes through; null: somebody books without one. */
export const sourceOf = ({ applicationId: id, applicationName: name }: Viewer): { id: number; name: string } | null =>
  id === null || name === null ? null : { id, name };

const command = (s: typeof LOCK_EVENT, input: Input) => ({ statement: s, values: fill(s.holes, input) });
