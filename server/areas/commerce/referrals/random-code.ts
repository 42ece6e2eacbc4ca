import { randomInt } from 'node:crypto';

/** An alphabet without letters and digits that look alike, and without vowels, so that no code is a word. */
const ALPHABET = 'BCDFGHJKMNPQRTVWXYZ2346789';
const LENGTH = 10;

/** Returns a code for one person that can't be guessed. */
export const randomCode = (): string =>
  `HI-${Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')}`;
