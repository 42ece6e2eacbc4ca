/** An event for search engines, in the schema.org vocabulary. */
import { eventPageOf, type At } from '../../frame/index.ts';
import { formatDecimal } from '../../../../kernel/base/values/money.ts';
import type { EventPlace, EventView } from '../event-view.ts';

export function eventData(visit: At, view: EventView): object {
  const { site, baseUrl } = visit;
  const { id, name, description, cancelled, place, both, teachers, picture } = view;
  const url = `${baseUrl}${eventPageOf(site, id)}`;
  return {
    '@type': 'https://schema.org/Event',
    '@id': url,
    name,
    url,
    ...(description && { description }),
    ...(picture && { image: `${baseUrl}${picture.url}` }),
    startDate: view.startsAtText,
    endDate: view.endsAtText,
    eventStatus: `https://schema.org/${cancelled ? 'EventCancelled' : 'EventScheduled'}`,
    eventAttendanceMode: `https://schema.org/${both ? 'Mixed' : place?.online ? 'Online' : 'Offline'}EventAttendanceMode`,
    ...(place && { location: both ? [locationData(place, url), CALL(url)] : locationData(place, url) }),
    organizer: {
      '@type': 'Organization',
      '@id': `${baseUrl}${site.home}`,
      name: site.name,
      url: `${baseUrl}${site.home}`,
    },
    ...(teachers.length > 0 && { performer: teachers.map((one) => ({ '@type': 'Person', name: one.name })) }),
    ...offersData(view, url),
  };
}

const CALL = (url: string) => ({ '@type': 'VirtualLocation', url });

const locationData = ({ online, name, address, lat, lng }: EventPlace, url: string): object =>
  online
    ? CALL(url)
    : {
        '@type': 'Place',
        name,
        ...(address && { address }),
        ...(lat !== null && lng !== null && { geo: { '@type': 'GeoCoordinates', latitude: lat, longitude: lng } }),
      };

/** Returns the price of one visit. An event that only memberships pay for has none. */
const offersData = ({ price, left, opensAt, closesAt, cancelled }: EventView, url: string): object =>
  price === null || cancelled
    ? {}
    : {
        offers: {
          '@type': 'Offer',
          url,
          price: formatDecimal(price),
          priceCurrency: price.currency,
          availability: `https://schema.org/${left === 0 ? 'SoldOut' : 'InStock'}`,
          ...(Number.isFinite(opensAt) && { validFrom: new Date(opensAt).toISOString() }),
          validThrough: new Date(closesAt).toISOString(),
        },
      };
