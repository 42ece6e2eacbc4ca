/** Booking platforms: they book, cancel and mark places by the same rules as everybody else. */
import { cancelBooking, lockEvents, markAttendance, register } from '../../scheduling/schedule/index.ts';
import { createCustomer } from '../../people/customers/index.ts';
import { instant, raw, sql } from '../../../kernel/base/db/sql.ts';
import { invalid, notFound, Problem } from '../../../kernel/base/problem.ts';
import { PARTNER_PROBLEMS } from './problems.ts';
import { say } from '../../../kernel/base/values/words.ts';
import { viewer, type Viewer } from '../../../kernel/work/access/viewer.ts';
import type { PlatformPerson } from './message-body.ts';
import type { Handled } from './handled.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

interface Platform {
  readonly id: number;
  readonly venue_id: number | null;
  readonly places_per_event: number | null;
}

/**
 * Books a place for a person of the platform, who becomes a customer with the first booking. The platform pays the
 * business, so the booking is without charge. The caller has locked the platform, so its bookings wait for each other.
 */
export async function bookFor(
  work: Work,
  platform: Platform,
  { event, person }: { readonly event?: number; readonly person?: PlatformPerson },
): Promise<Handled> {
  if (event === undefined) throw invalid('event', 'Send the id of the event to book.');
  if (person === undefined) throw invalid('person', 'Send the person who is booked.');
  await checkBookable(work, platform, event);
  const customer = await customerFor(work, platform.id, person);
  // In their place, so that the rules for customers apply, and not those for staff.
  const theirs = work.actingAs(customerViewer(work, customer));
  const [booked] = await register(work.tx, [{ work: theirs, customer, comped: true, named: null, from: 'partner' }], {
    event,
    commit: false,
  });
  if (booked instanceof Error) throw booked;
  work.take(theirs);
  if (booked.made)
    await work.tx.run(sql`
      INSERT INTO partner_booking (provider_id, attendance_id, partner_id, registered_at)
      VALUES (${work.providerId}, ${booked.attendance}, ${platform.id}, ${instant(work.now)})
      ON CONFLICT (provider_id, attendance_id) DO UPDATE
        SET partner_id = excluded.partner_id, registered_at = excluded.registered_at`);
  return { customer, event, attendance: booked.attendance, reason: null };
}

const customerViewer = ({ providerId, viewer: { actor } }: Work, customerId: number): Viewer =>
  viewer({
    mode: 'customer',
    providerId,
    actor,
    permissions: new Set(),
    staffId: null,
    customerId,
    venues: null,
  });

/** Bookings `b` of platforms that are still theirs, with their attendances `a`. */
const BOOKED_BY_PLATFORM = raw(`partner_booking b JOIN attendance a ON a.provider_id = b.provider_id
  AND a.id = b.attendance_id AND a.registered_at = b.registered_at`);

/** Refuses events at other venues, and those at which the platform has used its places. */
async function checkBookable(work: Work, { id, venue_id, places_per_event }: Platform, event: number): Promise<void> {
  const row = await work.tx.one<{ booked: number }>(sql`
    SELECT (SELECT count(*) FROM ${BOOKED_BY_PLATFORM}
      WHERE b.provider_id = e.provider_id AND b.partner_id = ${id} AND a.event_id = e.id
        AND a.status IN ('registered', 'attended', 'no_show'))::int AS booked
    FROM event e WHERE e.provider_id = ${work.providerId} AND e.id = ${event}
      AND (${venue_id}::bigint IS NULL OR e.venue_id = ${venue_id})`);
  if (!row) throw notFound();
  if (places_per_event !== null && row.booked >= places_per_event)
    throw new Problem(
      PARTNER_PROBLEMS.places_used,
      say`All ${places_per_event} places for this platform are taken. Choose another time.`,
    );
}

/** Returns the customer whom the platform knows by this id; a new one if it hasn't booked for them before. */
async function customerFor(work: Work, partner: number, person: PlatformPerson): Promise<number> {
  const known = await work.tx.one<{ id: number }>(sql`
    SELECT c.id FROM partner_person p JOIN customer c ON c.provider_id = p.provider_id AND c.id = p.customer_id
    WHERE p.provider_id = ${work.providerId} AND p.partner_id = ${partner} AND p.external_id = ${person.id}
      AND c.deleted_at IS NULL`);
  if (known) return known.id;
  // The platform has confirmed the address, not the person to us: nobody's record is found by it.
  const customer = await createCustomer(work, {
    first_name: person.first_name,
    last_name: person.last_name ?? '',
    email: person.email ?? null,
    is_guest: true,
  });
  await work.tx.run(sql`
    INSERT INTO partner_person (provider_id, partner_id, external_id, customer_id, created_at)
    VALUES (${work.providerId}, ${partner}, ${person.id}, ${customer}, ${instant(work.now)})
    ON CONFLICT (provider_id, partner_id, external_id) DO UPDATE SET customer_id = excluded.customer_id`);
  return customer;
}

interface Booked {
  readonly event: number;
  readonly customer: number;
}

/** Returns the booking, if the platform made it. @throws Problem `not_found` */
async function bookingOf(work: Work, partner: number, attendance: number | undefined): Promise<Booked> {
  if (attendance === undefined) throw invalid('attendance', 'Send the id of the attendance that the booking returned.');
  const row = await work.tx.one<{ event: number; customer: number }>(sql`
    SELECT a.event_id AS event, a.customer_id AS customer FROM ${BOOKED_BY_PLATFORM}
    WHERE b.provider_id = ${work.providerId} AND b.partner_id = ${partner} AND b.attendance_id = ${attendance}`);
  if (!row) throw notFound();
  return row;
}

/** Cancels a booking of the platform, late or in time by the event's own window. */
export async function cancelFor(work: Work, { id }: Platform, attendance: number | undefined): Promise<Handled> {
  const { event, customer } = await bookingOf(work, id, attendance);
  await lockEvents(work, [event]);
  const { late } = await cancelBooking(work, event, customer);
  return { customer, event, attendance: attendance!, reason: late ? 'late' : null };
}

/** Marks a booking of the platform as attended. */
export async function attendFor(work: Work, { id }: Platform, attendance: number | undefined): Promise<Handled> {
  const { event, customer } = await bookingOf(work, id, attendance);
  await markAttendance(work, { event, customer }, 'attended');
  return { customer, event, attendance: attendance!, reason: null };
}
