/**
 * Facts for the rules of booking, as SQL: written once, and read by bookings, by fields of an event and by `explain`.
 */
import { raw, sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import { ANY, type Knowledge, type Payment } from './payers.ts';
import { parsePgInstant } from '../../../../kernel/base/values/zone.ts';
import type { DropInPrice } from './payer.ts';
import { payers } from './payer-port.ts';
import { requirements } from './requirements.ts';
import {
  PLACES,
  TO_SETTLE,
  type BookingFacts,
  type CustomerFacts,
  type EventFacts,
  type Place,
  type Verdict,
} from '../rules/booking.ts';
import { refusedBy } from '../problems.ts';
import type { Problem } from '../../../../kernel/base/problem.ts';
import { resolveWindow, type Intervals, type Timeline, type Window, type WindowFacts } from '../rules/window.ts';
import type { EventKind } from '../../../../kernel/base/values/words.ts';

interface OfferingFacts {
  min_age: number | null;
  max_age: number | null;
  waitlist_max: number | null;
  kind: EventKind;
  hidden: boolean;
  membersOnly: boolean;
  onDemand: boolean;
  price: Omit<DropInPrice, 'total'> | null;
  /** list price of a place online */
  onlinePrice: number;
  offering: Intervals;
  provider: Intervals;
  timelines: Timeline[];
}

const intervals = (alias: string) =>
  `jsonb_build_object('opens', ${alias}.registrations_open_interval, 'closes', ${alias}.registrations_close_interval, 'notice', ${alias}.cancellation_notice_interval)`;

/** Returns the timelines of event `e`, or those of its offering type if it has none. */
export const timelineIds = (e: string): Sql =>
  raw(`SELECT l.registration_timeline_id FROM event_registration_timeline l
    WHERE l.provider_id = ${e}.provider_id AND l.event_id = ${e}.id
          UNION ALL
          SELECT l.registration_timeline_id FROM offering_type_registration_timeline l
          WHERE l.provider_id = ${e}.provider_id AND l.offering_type_id = ${e}.offering_type_id AND NOT EXISTS (
            SELECT FROM event_registration_timeline x
            WHERE x.provider_id = ${e}.provider_id AND x.event_id = ${e}.id)`);

/**
 * Returns one jsonb with the surroundings of event `e`: offering type and its price, timelines, the business's
 * defaults.
 */
export const surroundings = (e: string): Sql =>
  raw(`(SELECT jsonb_build_object(
      'kind', o.schedule_type, 'min_age', o.min_allowed_age, 'max_age', o.max_allowed_age,
      'waitlist_max', coalesce(${e}.waitlist_max_override, o.waitlist_max, p.waitlist_max),
      'hidden', o.status <> 'active' OR o.customer_visibility = 'private', 'membersOnly',
      o.customer_visibility = 'membership_holders',
      'onDemand', o.schedule_type IN ('appointment', 'room_rental'),
      'price', CASE WHEN o.allows_dropins THEN
        jsonb_build_object('currency', p.currency, 'listPrice', o.dropin_price_minor, 'venue', ${e}.venue_id) END,
      'onlinePrice', coalesce(o.online_dropin_price_minor, o.dropin_price_minor),
      'offering', ${intervals('o')}, 'provider', ${intervals('p')},
      'timelines', coalesce((
        SELECT jsonb_agg(jsonb_build_object('id', rt.id, 'name', rt.name, 'audience', rt.audience_type, 'calendarOpens',
          rt.calendar_opens_interval,
            'opens', rt.registrations_open_interval, 'closes', rt.registrations_close_interval, 'notice',
            rt.cancellation_notice_interval,
            'memberships',
            CASE rt.audience_type
              WHEN 'specific_memberships' THEN (SELECT jsonb_agg(l.membership_id)
                FROM registration_timeline_membership l
              WHERE l.provider_id = rt.provider_id AND l.registration_timeline_id = rt.id) END) ORDER BY rt.id)
        FROM registration_timeline rt
        WHERE rt.provider_id = ${e}.provider_id AND rt.id IN (${timelineIds(e).texts[0]})
      ), '[]'::jsonb))
    FROM offering_type o JOIN provider p ON p.provider_id = o.provider_id
    WHERE o.provider_id = ${e}.provider_id AND o.id = ${e}.offering_type_id)`);

/** Returns the columns of event `e` that `eventFacts` reads, in its order. */
export const eventColumns = (e: string): Sql[] => [
  ...[
    'status',
    'starts_at',
    'ends_at',
    'timezone',
    'max_occupancy',
    'attending_count',
    'held_count',
    'waiting_count',
    'online_max_occupancy',
    'online_attending_count',
    'online_held_count',
    'online_waiting_count',
    'calendar_opens_at',
    'created_at',
  ].map((c) => raw(`${e}.${c}`)),
  surroundings(e),
];

/** The places online of an event that also takes place at its venue. */
type OnlinePlaces = Pick<EventFacts, 'attending' | 'held' | 'waiting'> & {
  readonly maxOccupancy: number;
  /** like that of the event */
  readonly price: DropInPrice | null;
};

export interface EventAround {
  /** with the counts of the places at the venue, unless `atPlace` chose others */
  readonly event: EventFacts;
  /** null if there are none */
  readonly online: OnlinePlaces | null;
  readonly windowFacts: WindowFacts;
  /** true if customers and visitors do not see it */
  readonly hidden: boolean;
  /** true if they see it only with a membership for it */
  readonly membersOnly: boolean;
  /** true for an appointment or a rental, which is created for the customers who book it, and shown to nobody else */
  readonly onDemand: boolean;
  /** price of a drop-in, at the venue unless `atPlace` chose online; null if it is free or not allowed */
  readonly price: DropInPrice | null;
}

const number = (text: string | null) => (text === null ? null : Number(text));

export function eventFacts([
  status,
  starts,
  ends,
  zone,
  max,
  attending,
  held,
  waiting,
  onlineMax,
  onlineAttending,
  onlineHeld,
  onlineWaiting,
  calendar,
  created,
  around,
]: (string | null)[]): EventAround {
  const o: OfferingFacts = JSON.parse(around!);
  const startsAt = parsePgInstant(starts!);
  return {
    online:
      onlineMax === null
        ? null
        : {
            maxOccupancy: Number(onlineMax),
            attending: Number(onlineAttending),
            held: Number(onlineHeld),
            waiting: Number(onlineWaiting),
            price: dropInPrice(o.price && { ...o.price, listPrice: o.onlinePrice }),
          },
    event: {
      status: status as EventFacts['status'],
      kind: o.kind,
      startsAt,
      endsAt: parsePgInstant(ends!),
      zone: zone!,
      maxOccupancy: number(max),
      attending: Number(attending),
      held: Number(held),
      waiting: Number(waiting),
      place: 'venue',
      elsewhere: null,
      waitlistMax: o.waitlist_max,
      minAge: o.min_age,
      maxAge: o.max_age,
    },
    windowFacts: {
      startsAt,
      createdAt: parsePgInstant(created!),
      calendarOpensAt: calendar === null ? null : parsePgInstant(calendar),
      timelines: o.timelines,
      offeringType: o.offering,
      provider: o.provider,
    },
    hidden: o.hidden,
    membersOnly: o.membersOnly,
    onDemand: o.onDemand,
    price: dropInPrice(o.price),
  };
}

const dropInPrice = (price: OfferingFacts['price']): DropInPrice | null =>
  price && price.listPrice > 0 ? { ...price, total: null } : null;

const isFree = ({ maxOccupancy, attending, held }: Pick<EventFacts, 'maxOccupancy' | 'attending' | 'held'>): boolean =>
  maxOccupancy === null || attending + held < maxOccupancy;

/** Returns the event with the counts and the price of its places of one kind, which it must have. */
export function atPlace(around: EventAround, place: Place): EventAround {
  const { event, online } = around;
  if (place === 'venue')
    return online === null || !isFree(online) ? around : { ...around, event: { ...event, elsewhere: 'online' } };
  const { price, ...counts } = online!;
  return { ...around, price, event: { ...event, ...counts, place, elsewhere: isFree(event) ? 'venue' : null } };
}

/** Returns the event with another price for its places of one kind, for example with the total. */
export const withPrice = (around: EventAround, place: Place, price: DropInPrice | null): EventAround =>
  place === 'venue' ? { ...around, price } : { ...around, online: around.online && { ...around.online, price } };

/** Returns the kinds of places that an event has. */
export const placeKinds = ({ online }: EventAround): readonly Place[] => (online === null ? ['venue'] : PLACES);

type Counts = Partial<Record<'attending' | 'held' | 'waiting', number>>;

/** Returns the event after its counts of one kind of place have changed by these numbers. */
export function changeCounts(around: EventAround, place: Place, by: Counts): EventAround {
  const changed = <T extends Required<Counts>>(to: T): T => ({
    ...to,
    attending: to.attending + (by.attending ?? 0),
    held: to.held + (by.held ?? 0),
    waiting: to.waiting + (by.waiting ?? 0),
  });
  return place === 'venue'
    ? { ...around, event: changed(around.event) }
    : { ...around, online: around.online && changed(around.online) };
}

/** Returns the facts about a customer for event `e`, as columns over customer `c`. */
export const customerColumns = (c: string, eventId: Sql): Sql[] => [
  raw(`${c}.id`),
  raw(`${c}.provider_id`),
  requirements.filled.column(c, eventId),
  raw(`${c}.date_of_birth`),
  raw(`${c}.participating`),
  raw(`${c}.family_id`),
  raw(`${c}.family_role`),
  sql`(SELECT jsonb_build_object('id', a.id, 'status', a.status, 'comped', a.comped, 'place', a.place) FROM attendance a
    WHERE a.provider_id = ${raw(c)}.provider_id AND a.event_id = ${eventId} AND a.customer_id = ${raw(c)}.id)`,
  sql`
    (SELECT jsonb_build_object('id', s.id, 'status', s.status, 'place', s.place, 'until',
      extract(epoch FROM s.reserved_spot_expires_at) * 1000,
        'ahead', (SELECT count(*) FROM waitlist_spot w
          WHERE w.provider_id = s.provider_id AND w.event_id = s.event_id AND w.ended_at IS NULL
            AND w.status = 'on_waitlist' AND w.place = s.place AND w.id < s.id))
      FROM waitlist_spot s WHERE s.provider_id = ${raw(c)}.provider_id AND s.event_id = ${eventId}
        AND s.customer_id = ${raw(c)}.id AND s.ended_at IS NULL)`,
  sql`
    (SELECT jsonb_build_object('id', h.id, 'object', h.held_for, 'for', h.held_for_id, 'paying', h.paying, 'place',
      h.place, 'keepsSeat', h.spot_expires_at IS NULL) FROM seat_hold h
      WHERE h.provider_id = ${raw(c)}.provider_id AND h.event_id = ${eventId} AND h.customer_id = ${raw(c)}.id)`,
  sql`ARRAY(SELECT l.registration_timeline_id FROM registration_timeline_customer l
    WHERE l.provider_id = ${raw(c)}.provider_id AND l.customer_id = ${raw(c)}.id)::text`,
  sql`(SELECT jsonb_build_object('until', extract(epoch FROM b.ends_at) * 1000) FROM customer_registration_block b
    WHERE b.provider_id = ${raw(c)}.provider_id AND b.customer_id = ${raw(c)}.id AND b.lifted_at IS NULL
    ORDER BY b.ends_at DESC NULLS FIRST LIMIT 1)`,
  ...payers.filled.columns(c, eventId),
];

export interface CustomerAround {
  readonly id: number;
  readonly customer: Omit<CustomerFacts, 'reservedUntil' | 'holdsSeat'>;
  readonly familyId: number | null;
  readonly familyRole: 'manager' | 'child' | null;
  readonly attendance: {
    readonly id: number;
    readonly status: string;
    readonly comped: boolean;
    readonly place: Place;
  } | null;
  readonly spot: {
    readonly id: number;
    readonly status: string;
    readonly place: Place;
    /** end of its reservation, in epoch milliseconds; null if it has none */
    readonly until: number | null;
    /** customers who wait for the same kind of place, and come first */
    readonly ahead: number;
  } | null;
  /** seat held for the customer while they pay; `keepsSeat` is false if their reserved spot keeps it */
  readonly hold: {
    readonly id: number;
    readonly object: string;
    readonly for: number;
    readonly paying: boolean;
    readonly place: Place;
    readonly keepsSeat: boolean;
  } | null;
  /** `specific_customers` timelines that include the customer */
  readonly named: readonly number[];
  /** facts about what is required of the customer, by source */
  readonly required: readonly unknown[];
  readonly providerId: number;
  /** facts of the payers about the customer for the event */
  readonly known: Knowledge;
}

/** Returns the person for whom a customer's window is resolved. */
export const toAsker = ({ named, known }: CustomerAround, staff = false) => ({
  staff,
  named,
  memberships: payers.filled.memberships(known),
});

export function customerFacts([
  id,
  providerId,
  required,
  birth,
  participating,
  familyId,
  familyRole,
  attendance,
  spotText,
  holdText,
  named,
  block,
  ...known
]: (string | null)[]): CustomerAround {
  const spot: CustomerAround['spot'] = spotText === null ? null : JSON.parse(spotText);
  const hold: CustomerAround['hold'] = holdText === null ? null : JSON.parse(holdText);
  return {
    id: Number(id),
    providerId: Number(providerId),
    required: JSON.parse(required!),
    customer: {
      birth,
      participating: participating === 't',
      block: block === null ? null : JSON.parse(block),
    },
    familyId: number(familyId),
    familyRole: familyRole as CustomerAround['familyRole'],
    attendance: attendance === null ? null : JSON.parse(attendance),
    spot,
    hold,
    named: named === '{}' || named === null ? [] : named.slice(1, -1).split(',').map(Number),
    known: payers.filled.known(known),
  };
}

/** Returns the end of the customer's reserved spot for this kind of place; null if they have none. */
export const reservedUntil = ({ spot }: CustomerAround, place: Place): number | null =>
  spot?.status === 'spot_reserved' && spot.place === place ? spot.until : null;

/** Returns the kind of place that a request is about: the one it names, or that of what the customer has already. */
export const placeFor = ({ hold, spot }: CustomerAround, asked: Place | undefined): Place =>
  asked ?? hold?.place ?? spot?.place ?? 'venue';

/** Returns what a customer has not settled for an event. */
export const missingFor = (
  { event: { startsAt } }: EventAround,
  { id, providerId, required }: CustomerAround,
  now: number,
) => requirements.filled.missing(providerId, id, required, { now, startsAt });

/** Returns the refusal of a rule, with what the customer has to settle. */
export const refusedAt = (refused: Verdict, around: EventAround, who: CustomerAround, now: number): Problem =>
  refused.code === TO_SETTLE
    ? refusedBy(refused).requiring(missingFor(around, who, now).filter(({ before }) => before === 'booking'))
    : refusedBy(refused);

const customerAt = (who: CustomerAround, place: Place): CustomerFacts => ({
  ...who.customer,
  reservedUntil: reservedUntil(who, place),
  holdsSeat: who.hold?.place === place && (who.hold.keepsSeat || reservedUntil(who, place) !== null),
});

/**
 * Returns the facts about one customer and one event, ready for the rules. `mustSettle`: requirements refuse the
 * booking.
 */
export function bookingFacts(
  around: EventAround,
  who: CustomerAround,
  byStaff: boolean,
  now: number,
  payment: Payment = payers.filled.choose({ known: who.known, price: around.price }, ANY),
  mustSettle = !byStaff,
): BookingFacts & { window: Window | null } {
  return {
    now,
    byStaff,
    requirements: missingFor(around, who, now),
    mustSettle,
    event: around.event,
    customer: customerAt(who, around.event.place),
    window: resolveWindow(around.windowFacts, toAsker(who, byStaff)),
    payment,
  };
}
