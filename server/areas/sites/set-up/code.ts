/**
 * The code that opens the set-up of a fresh installation: people who read the terminal of the service have it, and nobody
 * else. It follows from the secret key of the installation, so that every process knows it and nothing has to be kept.
 */
import { timingSafeEqual } from 'node:crypto';
import type { SecretBox } from '../../../kernel/base/secret-box.ts';

const CHARACTERS = 32;

const codesOf = (box: SecretBox): string[] =>
  box.fingerprints('set-up', 'the first business').map((one) => one.toString('hex').slice(0, CHARACTERS));

/** Where the set-up begins; `base` without a slash at its end. */
export const setUpLink = (base: string, box: SecretBox): string => `${base}/set-up?code=${codesOf(box)[0]}`;

/** Takes the same time whatever is wrong with it. Codes of earlier keys that still open count too. */
export function isSetUpCode(box: SecretBox, given: string): boolean {
  const sent = Buffer.from(given.padEnd(CHARACTERS).slice(0, CHARACTERS + 1));
  return codesOf(box).some((code) => {
    const right = Buffer.from(code);
    return sent.length === right.length && timingSafeEqual(sent, right);
  });
}
