/** Random secrets, and the form in which they are looked up: never as they are. */
import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits behind a prefix that says what it is. */
export const newSecret = (prefix: string): string => prefix + randomBytes(32).toString('base64url');

/** For a bytea parameter. */
export const bytea = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;

/** Enough for random secrets, which nobody guesses. */
export const hashOf = (secret: string): string => bytea(createHash('sha256').update(secret).digest());
