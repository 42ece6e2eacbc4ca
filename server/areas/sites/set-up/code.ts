/**
 * The code that opens the setup of a new installation: only people who read the terminal of the service have it. It is
 * derived from the secret key of the installation, so every process knows it and nothing is stored.
 */
import { timingSafeEqual } from 'node:crypto';
import type { SecretBox } from '../../../kernel/base/secret-box.ts';

const CHARACTERS = 32;

const codesOf = (box: SecretBox): string[] =>
  box.fingerprints('set-up', 'the first business').map((one) => one.toString('hex').slice(0, CHARACTERS));

/** Returns the address of the setup; `base` has no trailing slash. */
export const setUpLink = (base: string, box: SecretBox): string => `${base}/set-up?code=${codesOf(box)[0]}`;

/** Returns true for a valid code, in constant time. Codes of earlier keys that are still accepted are valid too. */
export function isSetUpCode(box: SecretBox, given: string): boolean {
  const sent = Buffer.from(given.padEnd(CHARACTERS).slice(0, CHARACTERS + 1));
  return codesOf(box).some((code) => {
    const right = Buffer.from(code);
    return sent.length === right.length && timingSafeEqual(sent, right);
  });
}
