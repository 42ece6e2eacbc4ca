/**
 * Addresses and lines of mail headers: what is none cannot get in, so nobody adds a header or a recipient by a value.
 */

/** One plain address: no name, no list, no quotes, no blanks. */
export const isMailAddress = (text: string): boolean =>
  text.length <= 254 && /^[^\s@<>()[\]\\,;:"\p{Cc}]{1,64}@[^\s@<>()[\]\\,;:"\p{Cc}]+$/u.test(text);

/** Text as one line of a header: without control characters, of bounded length. */
export const headerLine = (text: string, most = 200): string =>
  text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, most);

export interface Sender {
  readonly name: string;
  readonly address: string;
}

/** `me@example.org` or `Name <me@example.org>`; null when it is neither. */
export function readSender(text: string): Sender | null {
  const [, name = '', address = text.trim()] = /^(.*?)<([^<>]+)>$/.exec(text.trim()) ?? [];
  return isMailAddress(address) ? { name: headerLine(name.replaceAll('"', '')), address } : null;
}
