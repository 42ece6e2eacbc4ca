/** Signed links to the page on which a customer signs without a log-in. */
import { readSignedIds, signIds } from '../../../kernel/base/signed-ids.ts';
import type { SecretBox } from '../../../kernel/base/secret-box.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const PURPOSE = 'signing_link_1';
const HOUR_MS = 3_600_000;
const TTL_MS = 48 * HOUR_MS;

export interface SigningLink {
  readonly path: string;
  /** epoch ms */
  readonly expiresAt: number;
}

/** Returns a link for one customer, valid for `ttlMs`, rounded up to the hour. */
export function signingLink(
  { installation, providerId, now }: Pick<Work, 'installation' | 'providerId' | 'now'>,
  customer: number,
  ttlMs = TTL_MS,
): SigningLink {
  const hour = Math.ceil((now + ttlMs) / HOUR_MS);
  const ticket = signIds(installation.box, PURPOSE, providerId, [customer, hour]);
  return { path: `/account/${providerId}/sign/${ticket}`, expiresAt: hour * HOUR_MS };
}

/** Returns the customer of a link; null if it wasn't issued for this business or has expired. */
export function readSigningLink(
  box: Pick<SecretBox, 'fingerprints'>,
  providerId: number,
  ticket: string,
  now: number,
): number | null {
  const [customer, hour, ...more] = readSignedIds(box, PURPOSE, providerId, ticket) ?? [];
  return hour === undefined || more.length > 0 || now >= hour * HOUR_MS ? null : customer;
}
