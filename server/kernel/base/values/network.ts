/** IP addresses, reduced to the precision that is needed. */

const parts = (text: string | undefined): string[] => (text ? text.split(':') : []);

/** Returns the eight groups of an IPv6 address, in hexadecimal without leading zeros; null if it is none. */
function groups(ip: string): string[] | null {
  const [head, tail, ...more] = ip.split('%')[0].split('::');
  if (!ip.includes(':') || more.length > 0) return null;
  const [left, right] = [parts(head), parts(tail)];
  const missing = 8 - left.length - right.length;
  const all =
    tail === undefined ? left : [...left, ...Array.from({ length: Math.max(missing, 0) }, () => '0'), ...right];
  return all.length === 8 && all.every((g) => /^[0-9a-f]{1,4}$/i.test(g))
    ? all.map((g) => Number.parseInt(g, 16).toString(16))
    : null;
}

/** Returns an IPv4 address, even if it is written as IPv6: `::ffff:203.0.113.9`, `::ffff:cb00:7109`. */
function ipv4(ip: string): string | null {
  const dotted = /^(?:::ffff:)?(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(ip)?.[1];
  if (dotted) return dotted;
  const six = groups(ip);
  if (!six || six.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return null;
  return six
    .slice(6)
    .flatMap((g) => [Number.parseInt(g, 16) >> 8, Number.parseInt(g, 16) & 255])
    .join('.');
}

/**
 * Returns the network that requests and attempts count against: one IPv6 /64 for each household, because counting its
 * single addresses would limit nothing.
 */
export const chargedNetwork = (ip: string): string => ipv4(ip) ?? groups(ip)?.slice(0, 4).join(':') ?? 'unknown';

/** Returns a network that lets a person recognise where they were, but locates nobody: /24 or /48. */
export function coarseNetwork(ip: string): string | null {
  const four = ipv4(ip);
  if (four) return `${four.split('.').slice(0, 3).join('.')}.0/24`;
  const six = groups(ip);
  return six && `${six.slice(0, 3).join(':')}::/48`;
}
