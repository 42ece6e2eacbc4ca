/**
 * Signed ids in links of emails: anyone who has the email may use the link, nothing is stored, and nobody can guess
 * another one.
 */
import { timingSafeEqual } from 'node:crypto';
import type { SecretBox } from './secret-box.ts';

const MARK_BYTES = 18;
const IDS = /^[1-9]\d{0,15}(-[1-9]\d{0,15})*$/;

const printMark = (fingerprint: Buffer): string => fingerprint.subarray(0, MARK_BYTES).toString('base64url');

const signed = (providerId: number, body: string): string => `${providerId}:${body}`;

/** Returns a part of a path that names these ids of a business. `purpose`: of the link, and its version. */
export function signIds(
  box: Pick<SecretBox, 'fingerprint'>,
  purpose: string,
  providerId: number,
  ids: readonly number[],
): string {
  const body = ids.join('-');
  return `${body}_${printMark(box.fingerprint(purpose, signed(providerId, body)))}`;
}

/** Returns the ids that a part of a path names; null if it was not signed for this purpose and business. */
export function readSignedIds(
  box: Pick<SecretBox, 'fingerprints'>,
  purpose: string,
  providerId: number,
  ticket: string,
): readonly number[] | null {
  const cut = ticket.indexOf('_');
  const body = ticket.slice(0, cut);
  if (cut < 0 || !IDS.test(body)) return null;
  // Compared as text: several texts decode to the same bytes.
  const given = Buffer.from(ticket.slice(cut + 1));
  const matches = box.fingerprints(purpose, signed(providerId, body)).some((fingerprint) => {
    const right = Buffer.from(printMark(fingerprint));
    return right.length === given.length && timingSafeEqual(right, given);
  });
  return matches ? body.split('-').map(Number) : null;
}
