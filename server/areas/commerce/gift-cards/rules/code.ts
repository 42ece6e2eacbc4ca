/** Codes of gift cards, as people write them. Pure. */

/** Letters and digits that nobody takes for each other. */
export const ALPHABET = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';
/** 78 random bits: too many to guess, and few enough to type. */
export const CODE_LENGTH = 16;

/** What is compared: without spaces and dashes, in capital letters. Null: it is no code. */
export function normalCode(entered: string): string | null {
  const code = entered.toUpperCase().replaceAll(/[\s\p{Pd}]/gu, '');
  return code.length === CODE_LENGTH && [...code].every((letter) => ALPHABET.includes(letter)) ? code : null;
}

/** In groups of four, as it stands in the email. */
export const spelled = (code: string): string => code.match(/.{4}/g)!.join('-');
