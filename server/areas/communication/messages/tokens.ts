/** What a message is known by to the outside: two names that nobody can guess, kept as hashes only. */
import { hash } from 'node:crypto';
import type { SecretBox } from '../../../kernel/base/secret-box.ts';

/** 32 lower-case letters and digits: what a mail server may do to an address leaves them as they are. */
const TOKEN = /^[0-9a-f]{32}$/;

const named = (box: SecretBox, what: string, providerId: number, id: number): string =>
  box.fingerprint(what, `${providerId}:${id}`).toString('hex').slice(0, 32);

/** In its Message-ID and in the address for reports of failure. */
export const messageToken = (box: SecretBox, providerId: number, id: number): string =>
  named(box, 'message', providerId, id);

/** In the link to unsubscribe. Another one, for that link is passed on with the mail. */
export const unsubscribeToken = (box: SecretBox, providerId: number, id: number): string =>
  named(box, 'unsubscribe', providerId, id);

export const isToken = (text: string): boolean => TOKEN.test(text);

/** As the database keeps it, for a bytea parameter. */
export const tokenHash = (token: string): string => `\\x${hash('sha256', token, 'hex')}`;
