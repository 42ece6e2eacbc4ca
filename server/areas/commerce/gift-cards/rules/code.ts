/** Codes of gift cards, as people write them. Pure. */

/** Letters and digits that don't look alike. */
export const ALPHABET = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';
/** 78 random bits: too many to guess, and few enough to type. */
export const CODE_LENGTH = 16;

/** Returns the code for comparison: without spaces and dashes, in capital letters; null if it isn't a code. */
export function normalCode(entered: string): string | null {
  const code = entered.toUpperCase().replaceAll(/[\s\p{Pd}]/gu, '');
  return code.length === CODE_LENGTH && [...code].every((letter) => ALPHABET.includes(letter)) ? code : null;
}

/** Formats a code in groups of four, as in the email. */
export const spelled = (code: string): string => code.match(/.{4}/g)!.join('-');
