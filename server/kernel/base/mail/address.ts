/**
 * Addresses and lines of mail headers: what is none cannot get in, so nobody adds a header or a recipient by a value.
 */

import { hasDomain } from '../values/mail-address.ts';

/** One plain address: no name, no list, no quotes, no blanks. */
export const isMailAddress = (text: string): boolean =>
  text.length <= 254 &&
  hasDomain(text) &&
  /^[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}]{1,64}@[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}]+$/u.test(text);

/** Text as one line of a header: without control characters, of bounded length. */
export const headerLine = (text: string, most = 200): string =>
  text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, most);

/** Where failures of one mail are reported: the address for reports with its token, or the sender's if there is none. */
export function reportAddress(bounces: string | null, sender: Sender, token: string): string {
  if (bounces === null) return sender.address;
  const at = bounces.lastIndexOf('@');
  return `${bounces.slice(0, at)}+${token}${bounces.slice(at)}`;
}

/** What names one mail in reports of its failure (RFC 5322, 3.6.4). */
export const messageIdOf = ({ address }: Sender, token: string): string =>
  `<${token}@${address.slice(address.lastIndexOf('@') + 1)}>`;

export interface Sender {
  readonly name: string;
  readonly address: string;
}

/** `me@example.org` or `Name <me@example.org>`; null when it is neither. */
export function readSender(text: string): Sender | null {
  const [, name = '', address = text.trim()] = /^(.*?)<([^<>]+)>$/.exec(text.trim()) ?? [];
  return isMailAddress(address) ? { name: headerLine(name.replaceAll('"', '')), address } : null;
}
