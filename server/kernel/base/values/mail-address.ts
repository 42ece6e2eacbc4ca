/**
 * One spelling for each email address, wherever it comes from: two that look and arrive alike would be two people, and a mail
 * that somebody no longer wants would go to the other one. Pure.
 */
import { domainToASCII, domainToUnicode } from 'node:url';

/** Takes no room and is no part of a name: zero-width spaces and joiners, marks of direction, soft hyphens, selectors. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
// A host name of digits would be read as an address of IPv4, so a plain one is left alone.
const PLAIN = /^(?!.*xn--)[\p{ASCII}]*$/iu;

/** `null`: no name in the domain name system has these letters. */
function canonicalDomain(domain: string): string | null {
  const name = domain.replace(/\.$/, '');
  if (PLAIN.test(name)) return name;
  return domainToUnicode(domainToASCII(name)) || null;
}

/**
 * Without what can't be seen, in NFC, and with the domain as people read it (`müller.de`, also of `xn--mller-kva.de`). Capital
 * letters stay: addresses are compared without their case. What is no address stays one that isn't.
 */
export function canonicalAddress(text: string): string {
  const visible = text.replaceAll(INVISIBLE, '').trim().normalize('NFC');
  const at = visible.lastIndexOf('@');
  if (at < 0) return visible;
  const domain = canonicalDomain(visible.slice(at + 1));
  return domain === null ? visible : visible.slice(0, at + 1) + domain;
}

/** What an address is known by: two spellings with one key are one person's. */
export const addressKey = (text: string): string => canonicalAddress(text).toLowerCase();

/** Whether the part after the last `@` can be a name in the domain name system. */
export const hasDomain = (address: string): boolean =>
  canonicalDomain(address.slice(address.lastIndexOf('@') + 1)) !== null;
