/** Addresses for people, and links to maps. */

interface Located {
  readonly lat: number | null;
  readonly lng: number | null;
  readonly address: string;
}

/** Returns the street and the city of an address, on one line; empty if both are unknown. */
export const addressLine = (address: Readonly<Record<string, unknown>> | null): string =>
  [address?.street, address?.city].filter(Boolean).join(', ');

/** Returns a link to an open map; null: the location is unknown. */
export const mapOf = ({ lat, lng, address }: Located): string | null =>
  lat !== null && lng !== null
    ? `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lng}#map=17/${lat}/${lng}`
    : address
      ? `https://www.openstreetmap.org/search?query=${encodeURIComponent(address)}`
      : null;
