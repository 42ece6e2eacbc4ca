/**
 * Secrets for programs: opaque, without dots, recognizable by their prefix, with 256 random bits. A checksum in the
 * last six characters detects mistyped ones without the database, which holds hashes only.
 */
import { createHash, randomBytes } from 'node:crypto';

const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const HINT_LENGTH = 8;

const checksum = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, CHECKSUM_LENGTH);

/** Returns the hash as a bytea parameter. So many random bits need neither a salt nor a slow hash. */
export const hashOf = (secret: string): string => `\\x${createHash('sha256').update(secret).digest('hex')}`;

interface OpaqueSecret {
  /** the secret; shown only here */
  readonly secret: string;
  readonly hash: string;
  /** its beginning, to tell secrets apart in a list */
  readonly hint: string;
}

/** Creates a secret. `prefix` is for example `rcm_`. */
export function makeSecret(prefix: string): OpaqueSecret {
  const body = prefix + randomBytes(32).toString('base64url');
  const secret = body + checksum(body);
  return { secret, hash: hashOf(secret), hint: secret.slice(0, HINT_LENGTH) };
}

/** Returns true if the text can be a secret of this kind. */
export const isWellFormed = (prefix: string, secret: string): boolean =>
  secret.startsWith(prefix) &&
  secret.length === prefix.length + SECRET_LENGTH + CHECKSUM_LENGTH &&
  checksum(secret.slice(0, -CHECKSUM_LENGTH)) === secret.slice(-CHECKSUM_LENGTH);
