/**
 * Allowed addresses for requests that a business causes: those of the public internet, and ranges that the operator
 * allows in addition. The lists are those of the special-purpose address registries (RFC 6890 and its successors).
 */
import { BlockList, isIPv4, isIPv6 } from 'node:net';

type Subnet = readonly [network: string, prefix: number];

/** Not on the internet, or not a single machine on it. */
const FORBIDDEN_V4: readonly Subnet[] = [
  ['0.0.0.0', 8], // this network; connecting to 0.0.0.0 reaches this machine
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carrier-grade NAT; contains a cloud's metadata too
  ['127.0.0.0', 8], // this machine
  ['169.254.0.0', 16], // this link; metadata of most clouds
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments; contains a cloud's metadata too
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // network benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, and broadcast
  ['168.63.129.16', 32], // metadata of a cloud, at an address that looks public
];

/**
 * Only the IPv6 range of the internet is allowed, which excludes loopback, private, link-local, multicast, and every
 * form that contains an IPv4 address (mapped, compatible, NAT64).
 */
const INTERNET_V6: Subnet = ['2000::', 3];
const FORBIDDEN_V6: readonly Subnet[] = [
  ['2001::', 23], // protocol assignments: Teredo, ORCHID, benchmarks
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4, which contains an IPv4 address
  ['3fff::', 20], // documentation
];

const listOf = (subnets: readonly Subnet[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList();
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, family);
  return list;
};

const forbiddenV4 = listOf(FORBIDDEN_V4, 'ipv4');
const forbiddenV6 = listOf(FORBIDDEN_V6, 'ipv6');
const internetV6 = listOf([INTERNET_V6], 'ipv6');

/**
 * Returns true if the address is that of one machine on the public internet. Returns false for anything but a plain
 * address.
 */
export function isPublic(address: string): boolean {
  if (isIPv4(address)) return !forbiddenV4.check(address, 'ipv4');
  // An address with a zone is link-local.
  if (!isIPv6(address) || address.includes('%')) return false;
  return internetV6.check(address, 'ipv6') && !forbiddenV6.check(address, 'ipv6');
}

interface Range {
  readonly network: string;
  readonly length: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** Reads a range such as `10.0.0.0/8` or `fd00::/8`, or one address; null: the text is neither. */
export function readRange(text: string): Range | null {
  const [network, prefix, ...more] = text.split('/');
  const family = isIPv4(network) ? 'ipv4' : isIPv6(network) && !network.includes('%') ? 'ipv6' : null;
  const longest = family === 'ipv4' ? 32 : 128;
  const length = prefix === undefined ? longest : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1;
  return family === null || length < 0 || length > longest || more.length > 0 ? null : { network, length, family };
}

/** Ranges that the operator allows. */
export class AllowedRanges {
  readonly #list = new BlockList();
  readonly #any: boolean;

  /** @throws Error that names the invalid range */
  constructor(ranges: readonly string[] = []) {
    this.#any = ranges.length > 0;
    for (const text of ranges) {
      const range = readRange(text);
      if (!range) throw new Error(`"${text}" is not an address range such as 10.0.0.0/8 or fd00::/8`);
      this.#list.addSubnet(range.network, range.length, range.family);
    }
  }

  has(address: string): boolean {
    if (!this.#any || address.includes('%')) return false;
    return isIPv4(address) ? this.#list.check(address, 'ipv4') : isIPv6(address) && this.#list.check(address, 'ipv6');
  }
}
