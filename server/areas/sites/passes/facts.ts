/** Content of a pass: the person, and for a booking the event. Read as the person who reads the page. */
import {
  askAs,
  nowAt,
  type At,
  type Desk,
  type Member,
  eventPageOf,
  loadStaffViewer,
  type Ask,
  type Business,
} from '../frame/index.ts';
import { entryCodes } from '../../people/customers/index.ts';
import { notFound } from '../../../kernel/base/problem.ts';

export interface PassEvent {
  readonly id: number;
  readonly name: string;
  /** in the venue's local time with its offset: `2027-10-30T18:00:00+01:00` */
  readonly startsAt: string;
  readonly endsAt: string;
  readonly venue: string;
  readonly address: string;
  /** null: unknown */
  readonly position: { readonly lat: number; readonly lng: number } | null;
  readonly page: string;
}

export interface PassFacts {
  readonly business: Business;
  readonly customer: number;
  /** the customer's name at the business */
  readonly name: string;
  /** code that the desk scans */
  readonly code: string;
  /** opaque, and the same each time the pass is issued, so that a newer pass replaces the older one */
  readonly serial: string;
  /** null: the pass is valid for everything that they come to */
  readonly event: PassEvent | null;
}

/**
 * Returns the pass of one of the people whom the member acts for. @throws Problem 404 for anybody else, and for an
 * event that they haven't booked
 */
export function readPass(
  desk: Desk,
  visit: At,
  member: Member,
  { customer, event }: { readonly customer: number; readonly event: number | null },
): Promise<PassFacts> {
  const { site } = visit;
  return desk.door.db.looking(site.id, async (tx) => {
    const { viewer, people } = await loadStaffViewer(tx, visit, member);
    const one = people?.find(({ id }) => id === customer);
    if (!one || (event === null && !one.participating)) throw notFound();
    const ask = askAs(desk, visit, viewer, tx);
    const { first_name: first, last_name: last } = await ask('GET /customers/{id}', {
      params: { id: customer },
      query: { fields: 'first_name,last_name' },
    });
    return {
      business: site,
      customer,
      name: [first, last].filter(Boolean).join(' '),
      code: (await entryCodes({ tx, providerId: site.id }, desk.installation.box, [customer])).get(customer)!,
      serial: opaque(desk, 'wallet pass', [site.id, customer, event]),
      event: event === null ? null : await bookedEvent(ask, visit, { customer, event }),
    };
  });
}

/** Returns an id that reveals nothing about its input and can't be guessed. */
export const opaque = ({ installation }: Desk, purpose: string, what: readonly (number | null)[]): string =>
  installation.box.fingerprint(purpose, what.join(' ')).toString('base64url');

async function bookedEvent(
  ask: Ask,
  visit: At,
  { customer, event }: { readonly customer: number; readonly event: number },
): Promise<PassEvent> {
  const booked = await bookedBy(ask, event, [customer]);
  if (booked.length === 0) throw notFound();
  const found = await ask('GET /events/{id}', {
    params: { id: event },
    query: {
      fields: 'name,starts_at,ends_at,venue.name,venue.address,venue.lat,venue.lng,venue.is_online,online_venue.name',
      expand: 'venue,online_venue',
    },
  });
  if (Date.parse(found.ends_at) <= nowAt(visit)) throw notFound();
  const away = booked[0].place === 'online' ? found.online_venue : null;
  const { venue } = found;
  const there = venue && !venue.is_online && away === null;
  return {
    id: event,
    name: found.name,
    startsAt: found.starts_at,
    endsAt: found.ends_at,
    venue: (away ?? venue)?.name ?? '',
    address: (there && venue.address) || '',
    position: there && venue.lat !== null && venue.lng !== null ? { lat: venue.lat, lng: venue.lng } : null,
    page: `${visit.baseUrl}${eventPageOf(visit.site, event)}`,
  };
}

/** Returns the customers who have booked the event, and where each takes part. */
export async function bookedBy(
  ask: Ask,
  event: number,
  customers: readonly number[],
): Promise<{ readonly customer: number; readonly place: 'venue' | 'online' }[]> {
  const { results } = await ask('GET /attendances', {
    query: { event, customer: customers.join(), status: 'registered', fields: 'customer,place', page_size: 50 },
  });
  return results.flatMap(({ customer, place }) => (customer === null ? [] : { customer, place }));
}
