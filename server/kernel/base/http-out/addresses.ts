/**
 * Which addresses a request that a business causes may go to: those of the public internet, and what the operator
 * allows besides. The lists are those of the registries of special purpose addresses (RFC 6890 and what followed it).
 */
import { BlockList, isIPv4, isIPv6 } from 'node:net';

type Subnet = readonly [network: string, prefix: number];

/** Not the internet, or not one machine on it. */
const FORBIDDEN_V4: readonly Subnet[] = [
  ['0.0.0.0', 8], // this network; connecting to 0.0.0.0 reaches this machine
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // shared by a carrier's customers; holds a cloud's metadata too
  ['127.0.0.0', 8], // this machine
  ['169.254.0.0', 16], // this link; metadata of most clouds
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments; holds a cloud's metadata too
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // relays of 6to4
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarks of networks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, and broadcast
  ['168.63.129.16', 32], // metadata of a cloud, at an address that looks public
];

/**
 * Of IPv6 only what is assigned to the internet is let through, so that loopback, private, link-local, multicast, and
 * every form that carries an IPv4 address (mapped, compatible, NAT64) is out by itself.
 */
const INTERNET_V6: Subnet = ['2000::', 3];
const FORBIDDEN_V6: readonly Subnet[] = [
  ['2001::', 23], // protocol assignments: Teredo, ORCHID, benchmarks
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4, which carries an IPv4 address
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

/** Whether the address is one machine of the public internet. Anything that is no plain address is not. */
export function isPublic(address: string): boolean {
  if (isIPv4(address)) return !forbiddenV4.check(address, 'ipv4');
  // An address with a zone is one of a link.
  if (!isIPv6(address) || address.includes('%')) return false;
  return internetV6.check(address, 'ipv6') && !forbiddenV6.check(address, 'ipv6');
}

interface Range {
  readonly network: string;
  readonly length: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** A range as `10.0.0.0/8` or `fd00::/8`, or one address; null: it is none. */
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

  /** @throws Error that names the range which is none */
  constructor(ranges: readonly string[] = []) {
    this.#any = ranges.length > 0;
    for (const text of ranges) {
      const range = readRange(text);
      if (!range) throw new Error(`"${text}" is no range of addresses such as 10.0.0.0/8 or fd00::/8`);
      this.#list.addSubnet(range.network, range.length, range.family);
    }
  }

  has(address: string): boolean {
    if (!this.#any || address.includes('%')) return false;
    return isIPv4(address) ? this.#list.check(address, 'ipv4') : isIPv6(address) && this.#list.check(address, 'ipv6');
  }
}
