/** The kinds of files that the library takes, by their first bytes: names and declared types aren't trusted. */

export type MediaType = 'application/pdf' | 'video/mp4' | 'audio/mpeg';

const startsWith = (bytes: Uint8Array, text: string, at = 0): boolean =>
  [...text].every((letter, i) => bytes[at + i] === letter.charCodeAt(0));

/** An MPEG audio frame begins with eleven set bits; layer III has the bits 01. */
const isFrame = (bytes: Uint8Array): boolean => bytes[0] === 0xff && (bytes[1]! & 0xe6) === 0xe2;

/** Returns the media type of a file, or null if the library doesn't take it. */
export function mediaTypeIn(bytes: Uint8Array): MediaType | null {
  if (bytes.length < 12) return null;
  if (startsWith(bytes, '%PDF-')) return 'application/pdf';
  if (startsWith(bytes, 'ftyp', 4) && !startsWith(bytes, 'avif', 8) && !startsWith(bytes, 'hei', 8)) return 'video/mp4';
  return startsWith(bytes, 'ID3') || isFrame(bytes) ? 'audio/mpeg' : null;
}
