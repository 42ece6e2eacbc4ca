/**
 * Secrets that a program keeps: opaque, without dots, recognisable by their first letters, with 256 random bits. A
 * checksum in the last six characters tells a mistyped one without asking the database, which holds hashes only.
 */
import { createHash, randomBytes } from 'node:crypto';

const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const HINT_LENGTH = 8;

const checksum = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, CHECKSUM_LENGTH);

/** The hash as a bytea parameter. So many random bits need neither salt nor a slow hash. */
export const hashOf = (secret: string): string => `\\x${createHash('sha256').update(secret).digest('hex')}`;

export interface OpaqueSecret {
  /** its only appearance */
  readonly secret: string;
  readonly hash: string;
  /** its beginning, to tell one from another in a list */
  readonly hint: string;
}

/** `prefix` as `rcm_`. */
export function makeSecret(prefix: string): OpaqueSecret {
  const body = prefix + randomBytes(32).toString('base64url');
  const secret = body + checksum(body);
  return { secret, hash: hashOf(secret), hint: secret.slice(0, HINT_LENGTH) };
}

/** Whether it can be a secret of this kind at all. */
export const isWellFormed = (prefix: string, secret: string): boolean =>
  secret.startsWith(prefix) &&
  secret.length === prefix.length + SECRET_LENGTH + CHECKSUM_LENGTH &&
  checksum(secret.slice(0, -CHECKSUM_LENGTH)) === secret.slice(-CHECKSUM_LENGTH);
