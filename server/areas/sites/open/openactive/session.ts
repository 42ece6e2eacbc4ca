/** Events in the OpenActive models: https://openactive.io/modelling-opportunity-data/ */
import { eventPath } from '../../../scheduling/schedule/index.ts';
import { sitePath, type At, type Entry } from '../../frame/index.ts';
import { LICENSE, openPath } from './addresses.ts';

/** Properties of an event to read, with the access of a stranger. */
export const SHOWN =
  'id,name,status,starts_at,ends_at,max_occupancy,attending_count,online_venue,online_max_occupancy,online_attending_count,description,schedule_type,venue.id,venue.name,venue.description,venue.is_online,venue.physical_address,offering_type.id,offering_type.name,offering_type.description,offering_type.allows_dropins,offering_type.dropin_price,offering_type.online_dropin_price,offering_type.min_allowed_age,offering_type.max_allowed_age';
export const EXPANDED = 'venue,offering_type';

type Shown = Entry<'GET /events', typeof SHOWN, typeof EXPANDED>;
type Offering = NonNullable<Shown['offering_type']>;
type Venue = NonNullable<Shown['venue']>;
export type Event = Shown & { readonly offering_type: Offering; readonly venue: Venue };

/** Returns true if strangers may see the event's venue and offering type: without these, it can't be published. */
export const isWhole = (event: Shown): event is Event => event.offering_type !== null && event.venue !== null;

type Model = Readonly<Record<string, unknown>>;

/** Formats a duration in ISO 8601: `PT1H30M`. */
export function durationOf(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return `PT${hours > 0 ? `${hours}H` : ''}${rest > 0 || hours === 0 ? `${rest}M` : ''}`;
}

/** Returns the property, or nothing if its value is unknown: the models don't allow empty values. */
const known = (name: string, value: unknown): Model =>
  value === null || value === undefined || value === '' ? {} : { [name]: value };

export const organizerOf = ({ site, baseUrl }: At): Model => ({
  '@type': 'Organization',
  '@id': `${baseUrl}${openPath(site)}#organizer`,
  name: site.name,
  url: `${baseUrl}${site.home}`,
  ...known('telephone', site.contact.phone),
  ...known('email', site.contact.email),
});

/**
 * Returns the session without its instructors: their names are on the timetable, but this data may be stored and passed
 * on by anybody.
 */
export function sessionOf(visit: At, event: Event): Model {
  const { site, baseUrl } = visit;
  const page = `${baseUrl}${eventPath(site.id, event.id)}`;
  const { max_occupancy: there, online_max_occupancy: online } = event;
  const most = there === null ? null : there + (online ?? 0);
  const attending = event.attending_count + (online === null ? 0 : event.online_attending_count);
  return {
    '@context': 'https://openactive.io/',
    '@type': 'ScheduledSession',
    '@id': `${page}#session`,
    identifier: event.id,
    ...(event.name !== event.offering_type.name && { name: event.name }),
    url: page,
    startDate: event.starts_at,
    endDate: event.ends_at,
    duration: durationOf(Date.parse(event.ends_at) - Date.parse(event.starts_at)),
    eventStatus: `https://schema.org/${event.status === 'cancelled' ? 'EventCancelled' : 'EventScheduled'}`,
    ...(most !== null && {
      maximumAttendeeCapacity: most,
      remainingAttendeeCapacity: Math.max(0, most - attending),
    }),
    superEvent: seriesOf(visit, event),
  };
}

/**
 * Returns the properties that all sessions of one offering type at one venue share. Sessions with places online too are
 * a series of their own: the models have one way to attend for each series, and two prices are two offers.
 */
function seriesOf(
  visit: At,
  { offering_type: offering, venue, online_venue: online, description, schedule_type: kind }: Event,
): Model {
  const { site, baseUrl } = visit;
  const timetable = `${baseUrl}${sitePath(site, 'timetable')}?what=${offering.id}&place=${venue.id}`;
  const id = `${baseUrl}${openPath(site)}/series/${offering.id}-${venue.id}${online === null ? '' : `-${online}`}`;
  const mode = online !== null ? 'Mixed' : venue.is_online ? 'Online' : 'Offline';
  return {
    '@type': 'SessionSeries',
    '@id': id,
    name: offering.name,
    ...known('description', offering.description || description),
    url: timetable,
    organizer: organizerOf(visit),
    activity: [conceptOf(visit, offering)],
    location: placeOf(visit, venue),
    eventAttendanceMode: `https://schema.org/${mode}EventAttendanceMode`,
    ...ages(offering),
    // Sessions of a course are sold at the price of the course.
    ...(offering.allows_dropins && kind === 'class' && { offers: offersOf(visit, id, offering, online !== null) }),
  };
}

function offersOf(
  visit: At,
  series: string,
  { dropin_price: price, online_dropin_price: online }: Offering,
  hasOnline: boolean,
): Model[] {
  const offer = offerOf(visit, `${series}#drop-in`, price);
  return hasOnline && online !== null && online !== price
    ? [offer, { ...offerOf(visit, `${series}#drop-in-online`, online), name: 'Online' }]
    : [offer];
}

const offerOf = ({ site }: At, id: string, price: string): Model => ({
  '@type': 'Offer',
  '@id': id,
  price: Number(price),
  priceCurrency: site.tenant.currency,
});

function ages({ min_allowed_age: min, max_allowed_age: max }: Offering): Model {
  if (min === null && max === null) return {};
  return { ageRange: { '@type': 'QuantitativeValue', ...known('minValue', min), ...known('maxValue', max) } };
}

function placeOf({ site, baseUrl }: At, venue: Venue): Model {
  const address = venue.physical_address;
  const [lat, lng] = [address?.lat, address?.lng];
  return {
    '@type': 'Place',
    '@id': `${baseUrl}${openPath(site)}/places/${venue.id}`,
    name: venue.name,
    ...known('description', venue.description),
    ...(address?.street && {
      address: {
        '@type': 'PostalAddress',
        streetAddress: address.street,
        ...known('addressLocality', address.city),
        ...known('addressRegion', address.region),
        ...known('postalCode', address.postal_code),
        addressCountry: site.country,
      },
    }),
    ...(typeof lat === 'number' &&
      typeof lng === 'number' && { geo: { '@type': 'GeoCoordinates', latitude: lat, longitude: lng } }),
  };
}

/** Returns the address of the business's list of activities (a concept scheme in the models). */
const schemeOf = ({ site, baseUrl }: At): string => `${baseUrl}${openPath(site)}/activities`;

const conceptOf = (visit: At, { id, name }: Pick<Offering, 'id' | 'name'>): Model => ({
  '@type': 'Concept',
  '@id': `${schemeOf(visit)}#${id}`,
  prefLabel: name,
  inScheme: schemeOf(visit),
});

export const conceptScheme = (visit: At, offerings: readonly Pick<Offering, 'id' | 'name'>[]): Model => ({
  '@context': 'https://openactive.io/',
  '@type': 'ConceptScheme',
  '@id': schemeOf(visit),
  title: visit.site.name,
  license: LICENSE,
  concept: offerings.map((one) => conceptOf(visit, one)),
});
