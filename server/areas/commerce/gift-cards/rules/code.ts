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

/** Shorter codes of other products could be guessed, although guessing slows down. */
export const SHORTEST_CODE = 8;
export const LONGEST_CODE = 64;

/** Cells that don't contain a code any more: a spreadsheet rounded it, or only its end is shown. */
const ROUNDED = /^\d(?:[.,]\d+)?E\+?\d+$/i;
const MASKED = /[*•●·…]|^X{4,}/iu;

export type CodeFault = 'rounded' | 'masked' | 'characters' | 'short' | 'long';

/**
 * Returns the code of another product for comparison: its letters and digits, in capital letters, without spaces and
 * dashes, and without the sign that keeps a spreadsheet from reading it as a number.
 */
export function codeElsewhere(entered: string): { readonly code: string } | { readonly fault: CodeFault } {
  const text = entered.trim().replace(/^['’#]/u, '');
  if (ROUNDED.test(text)) return { fault: 'rounded' };
  if (MASKED.test(text)) return { fault: 'masked' };
  const code = text
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[\s\p{Pd}]/gu, '');
  if (!/^[\p{L}\p{N}]*$/u.test(code)) return { fault: 'characters' };
  if (code.length < SHORTEST_CODE) return { fault: 'short' };
  return code.length > LONGEST_CODE ? { fault: 'long' } : { code };
}

/** Returns what a code is compared as: one of ours, or one of another product; null if it can't be a code. */
export function comparedCode(entered: string): string | null {
  const own = normalCode(entered);
  if (own !== null) return own;
  const other = codeElsewhere(entered);
  return 'code' in other ? other.code : null;
}

/** Formats a code in groups of four, as in the email. */
export const spelled = (code: string): string => code.match(/.{4}/g)!.join('-');
