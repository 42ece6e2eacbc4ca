/** Public names of a message: two tokens that nobody can guess, stored as hashes only. */
import { hash } from 'node:crypto';
import type { SecretBox } from '../../../kernel/base/secret-box.ts';

/** 32 lower-case letters and digits: mail servers don't change these in an address. */
const TOKEN = /^[0-9a-f]{32}$/;

const named = (box: SecretBox, what: string, providerId: number, id: number): string =>
  box.fingerprint(what, `${providerId}:${id}`).toString('hex').slice(0, 32);

/** Returns the token in its Message-ID and in the address for failure reports. */
export const messageToken = (box: SecretBox, providerId: number, id: number): string =>
  named(box, 'message', providerId, id);

/**
 * Returns the token in the link to unsubscribe. It differs from the other, because that link is passed on when the
 * email is forwarded.
 */
export const unsubscribeToken = (box: SecretBox, providerId: number, id: number): string =>
  named(box, 'unsubscribe', providerId, id);

export const isToken = (text: string): boolean => TOKEN.test(text);

/** Returns the hash, as stored, for a bytea parameter. */
export const tokenHash = (token: string): string => `\\x${hash('sha256', token, 'hex')}`;
