/** New gift card codes. A code exists only in one email; here, only its hash is stored. */
import { randomInt } from 'node:crypto';
import { ALPHABET, CODE_LENGTH } from './rules/code.ts';

export const makeCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
