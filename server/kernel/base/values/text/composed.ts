/**
 * Unicode's composed form of texts that people send. Normalizing sorts the marks of each letter, in quadratic time: one
 * letter with 40,000 marks takes five seconds. So the length is checked first.
 */

/** A letter and its marks are this many characters at most in any script, and become one or more. */
const MARKS = 4;

/**
 * Returns the text in NFC. `most`: number of characters that the caller accepts afterwards; a text that is too long
 * for that in any form is returned unchanged.
 */
export const composed = (text: string, most: number): string =>
  text.length > most * MARKS ? text : text.normalize('NFC');
