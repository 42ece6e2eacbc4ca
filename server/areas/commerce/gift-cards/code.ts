/** Makes codes of gift cards. A code exists in one email, and here only as a hash. */
import { randomInt } from 'node:crypto';
import { ALPHABET, CODE_LENGTH } from './rules/code.ts';

export const makeCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
