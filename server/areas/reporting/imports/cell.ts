/** The text of a cell. */

/** Longer values don't help the person who corrects the file. */
const SHOWN = 80;

/** Shortens a text without leaving half a surrogate pair at the cut, which could not be stored. */
export const shortened = (text: string): string => text.slice(0, SHOWN).toWellFormed();

/** Placeholders that exports use for empty cells. */
const NOTHING = /^(?:-+|–|—|n\/?a|none|null|never)$/i;

export const isNothing = (text: string): boolean => NOTHING.test(text);
