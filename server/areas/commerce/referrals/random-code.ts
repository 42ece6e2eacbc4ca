import { randomInt } from 'node:crypto';

/** Without letters and digits that are mistaken for each other, and without vowels: no code is a word. */
const ALPHABET = 'BCDFGHJKMNPQRTVWXYZ2346789';
const LENGTH = 10;

/** A code for one person, which nobody guesses. */
export const randomCode = (): string =>
  `HI-${Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')}`;
