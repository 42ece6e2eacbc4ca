/**
 * Addresses and header lines of emails: invalid values are refused, so that no value can add a header or a recipient.
 */

import { hasDomain } from '../values/mail-address.ts';

/** Returns true for one plain address: no name, list, quotes or blanks. */
export const isMailAddress = (text: string): boolean =>
  text.length <= 254 &&
  hasDomain(text) &&
  /^[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}]{1,64}@[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}]+$/u.test(text);

/** Returns text as one header line: without control characters, of bounded length. */
export const headerLine = (text: string, most = 200): string =>
  text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, most);

/**
 * Returns the address for failure reports of one email: the reports address with its token, or the sender's if there is
 * none.
 */
export function reportAddress(bounces: string | null, sender: Sender, token: string): string {
  if (bounces === null) return sender.address;
  const at = bounces.lastIndexOf('@');
  return `${bounces.slice(0, at)}+${token}${bounces.slice(at)}`;
}

/** Returns the Message-ID that identifies an email in failure reports (RFC 5322, 3.6.4). */
export const messageIdOf = ({ address }: Sender, token: string): string =>
  `<${token}@${address.slice(address.lastIndexOf('@') + 1)}>`;

export interface Sender {
  readonly name: string;
  readonly address: string;
}

/** Reads `me@example.org` or `Name <me@example.org>`; null if the text is neither. */
export function readSender(text: string): Sender | null {
  const [, name = '', address = text.trim()] = /^(.*?)<([^<>]+)>$/.exec(text.trim()) ?? [];
  return isMailAddress(address) ? { name: headerLine(name.replaceAll('"', '')), address } : null;
}
