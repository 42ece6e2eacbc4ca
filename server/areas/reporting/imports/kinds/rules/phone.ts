/** Phone numbers as they appear in a cell: marked as text, or several of them. Pure. */
import { withoutMark } from './text-mark.ts';

/** Separators between numbers. A single slash or hyphen is part of a number: `030/23125001`. */
const BETWEEN = /\s*(?::::|[;,|\n]|\s\/\s)\s*/u;
/** Fewer digits are an extension, or a note. */
const FEWEST_DIGITS = 6;

const digitsIn = (text: string): number => text.replaceAll(/\P{Nd}/gu, '').length;

/** Returns the numbers of a cell, in order. A text that isn't several whole numbers is returned as it is. */
export function numbersIn(text: string): string[] {
  const whole = withoutMark(text.trim());
  const parts = whole.split(BETWEEN).filter(Boolean).map(withoutMark);
  return parts.length > 1 && parts.every((part) => digitsIn(part) >= FEWEST_DIGITS) ? [...new Set(parts)] : [whole];
}
