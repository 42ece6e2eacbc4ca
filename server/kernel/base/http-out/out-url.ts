/** Rules for a URL before any name in it is resolved. */

/**
 * Ports below 1024 belong to services of a machine, and only the two web ports are allowed. Above that, the ports that
 * browsers refuse are blocked, and those of stores that execute any line they receive.
 */
const WEB_PORTS = [80, 443];
const REFUSED_PORTS = new Set([
  1433, 1521, 1719, 1720, 1723, 2049, 2375, 2376, 2379, 2380, 3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432, 5900,
  5984, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 9042, 9200, 9300, 10080, 10250, 11211, 27017,
]);

const portOf = (url: URL): number => (url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port));

/** Returns why requests may not go to the URL, whatever its name resolves to; null: nothing in its form forbids it. */
export function urlProblem(text: string): string | null {
  if (!URL.canParse(text)) return 'Must be a URL that starts with https://.';
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'The URL must start with https://.';
  if (url.username !== '' || url.password !== '')
    return 'The URL can’t contain a user name or password. Requests are signed instead.';
  if (url.hash !== '' || text.includes('#')) return 'The URL can’t contain a fragment (#…): it would never be sent.';
  const port = portOf(url);
  if (port < 1024 ? !WEB_PORTS.includes(port) : REFUSED_PORTS.has(port))
    return `Requests can’t be sent to port ${port}. Use 443, or a port from 1024 that no other protocol is known for.`;
  return null;
}

/** Returns the host without the brackets of an IPv6 address. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');
