/** Addresses of the network, as coarse as they are needed. */

const parts = (text: string | undefined): string[] => (text ? text.split(':') : []);

/** The eight groups of an IPv6 address, in hexadecimal without leading zeros; null when it is none. */
function groups(ip: string): string[] | null {
  const [head, tail, ...more] = ip.split('%')[0].split('::');
  if (!ip.includes(':') || more.length > 0) return null;
  const [left, right] = [parts(head), parts(tail)];
  const missing = 8 - left.length - right.length;
  const all = tail === undefined ? left : [...left, ...Array.from({ length: Math.max(missing, 0) }, () => '0'), ...right];
  return all.length === 8 && all.every((g) => /^[0-9a-f]{1,4}$/i.test(g)) ? all.map((g) => Number.parseInt(g, 16).toString(16)) : null;
}

const ipv4 = (ip: string): string | null => /^(?:::ffff:)?(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(ip)?.[1] ?? null;

/** Whom attempts are charged to: an IPv4 address, or the /64 that one household has of IPv6. */
export const chargedNetwork = (ip: string): string => ipv4(ip) ?? groups(ip)?.slice(0, 4).join(':') ?? 'unknown';

/** Enough for a person to recognise where it was, too little to find anybody: /24 or /48. */
export function coarseNetwork(ip: string): string | null {
  const four = ipv4(ip);
  if (four) return `${four.split('.').slice(0, 3).join('.')}.0/24`;
  const six = groups(ip);
  return six && `${six.slice(0, 3).join(':')}::/48`;
}
