/** Links to maps. */

interface Located {
  readonly lat: number | null;
  readonly lng: number | null;
  readonly address: string;
}

/** Returns a link to an open map; null: the location is unknown. */
export const mapOf = ({ lat, lng, address }: Located): string | null =>
  lat !== null && lng !== null
    ? `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lng}#map=17/${lat}/${lng}`
    : address
      ? `https://www.openstreetmap.org/search?query=${encodeURIComponent(address)}`
      : null;
