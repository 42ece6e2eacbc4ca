/**
 * Opaque secrets: 256 random bits behind a prefix that scanners recognise, and a checksum in the last six characters, so
 * that a mistyped one is refused without asking the database. Without dots, so that none is taken for a JWT.
 */
import { createHash, randomBytes } from 'node:crypto';

const LENGTH = 43;
const CHECKSUM = 6;

const sha256 = (text: string) => createHash('sha256').update(text);
const checksum = (text: string): string => sha256(text).digest('base64url').slice(0, CHECKSUM);

export function newOpaque(prefix: string): string {
  const body = prefix + randomBytes(32).toString('base64url');
  return body + checksum(body);
}

export const isOpaque = (prefix: string, text: string): boolean =>
  text.startsWith(prefix) && text.length === prefix.length + LENGTH + CHECKSUM && checksum(text.slice(0, -CHECKSUM)) === text.slice(-CHECKSUM);

/** As a `bytea` parameter. A hash without a salt is enough: there is nothing to guess in 256 random bits. */
export const hashOf = (secret: string): string => `\\x${sha256(secret).digest('hex')}`;

/** What is kept of a secret to tell it from others. */
export const hintOf = (secret: string): string => secret.slice(0, 8);
