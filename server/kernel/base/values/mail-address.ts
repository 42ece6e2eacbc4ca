/**
 * One canonical spelling for each email address, wherever it comes from: otherwise, two spellings that look alike and
 * deliver alike would be two people, and an unsubscribed person would get email under the other one. Pure.
 */
import { domainToASCII, domainToUnicode } from 'node:url';
import { composed } from './text/composed.ts';

/**
 * Characters without width that are never part of an address: zero-width spaces and joiners, direction marks, soft
 * hyphens, selectors.
 */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** Longest address, and longest domain name. */
const MAX_LENGTH = 254;
const LONGEST_DOMAIN = 253;
/**
 * Letters that the database and JavaScript write small in different ways, such as the last letter of ΟΔΟΣ: an address
 * never has them in capitals, so both find it by the same key.
 */
const BEYOND_ASCII = /[^\p{ASCII}]+/gu;
// A host name of digits would be read as an IPv4 address, so a plain one stays unchanged.
const PLAIN = /^(?!.*xn--)[\p{ASCII}]*$/iu;

/** Returns the canonical domain; `null`: no domain name can have these letters. */
function canonicalDomain(domain: string): string | null {
  // Converting takes quadratic time.
  if (domain.length > LONGEST_DOMAIN) return null;
  const name = domain.replace(/\.$/, '');
  if (PLAIN.test(name)) return name;
  return domainToUnicode(domainToASCII(name)) || null;
}

/**
 * Returns the address without invisible characters, in NFC, and with a readable domain (`müller.de`, also for
 * `xn--mller-kva.de`). Keeps ASCII capitals: addresses are compared case-insensitively. An invalid address stays
 * invalid.
 */
export function canonicalAddress(text: string): string {
  const visible = composed(text.replaceAll(INVISIBLE, '').trim(), MAX_LENGTH).replaceAll(BEYOND_ASCII, (letters) =>
    letters.toLowerCase(),
  );
  const at = visible.lastIndexOf('@');
  if (at < 0) return visible;
  const domain = canonicalDomain(visible.slice(at + 1));
  return domain === null ? visible : visible.slice(0, at + 1) + domain;
}

/** Returns the key of an address: two spellings with one key belong to one person. */
export const addressKey = (text: string): string => canonicalAddress(text).toLowerCase();

/** Returns true if the part after the last `@` can be a domain name. */
export const hasDomain = (address: string): boolean =>
  canonicalDomain(address.slice(address.lastIndexOf('@') + 1)) !== null;
