/**
 * Hebrew prepositions, the article and “and” are letters before the word. Texts write them with a hyphen before a
 * value, which is right before digits and other alphabets, but wrong before a Hebrew word: `ב-23`, and `ביום שני`.
 */
const PREFIX = /(?<![\p{L}\p{N}-])([ובכלמה]{1,2})-(?=\p{sc=Hebr})/gu;

/** Returns the text with Hebrew prefixes joined to Hebrew words. Other texts are unchanged. */
export const withJoinedPrefixes = (text: string): string => (text.includes('-') ? text.replaceAll(PREFIX, '$1') : text);
