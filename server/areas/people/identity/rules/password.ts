/** The rules for passwords. Lists are consulted beforehand. */
import { composed } from '../../../../kernel/base/values/text/composed.ts';

export const SHORTEST = 10;
export const LONGEST = 128;
/** out of 4: enough guesses for a rate limit on guessing to keep it safe */
const MIN_SCORE = 3;

interface PasswordFacts {
  /** on a list of common passwords */
  readonly common: boolean;
  /** 0 to 4, by the number of guesses for an attacker who knows the person's name, address and business */
  readonly score: number;
  /** number of times that it was seen in known leaks; 0 if leaks weren't checked */
  readonly leaks: number;
}

/**
 * Number of characters that are scored in one piece: the cost grows with the square of the length, and everybody waits
 * meanwhile.
 */
export const SCORED = 32;

/**
 * Returns the pieces of a password that are scored: all of it, or the beginning and the end of a long one. Guessing the
 * whole requires guessing each piece, so it is at least as strong as the stronger one.
 */
export function scoredPieces(password: string): string[] {
  const letters = [...password];
  if (letters.length <= SCORED) return [password];
  return [letters.slice(0, SCORED).join(''), letters.slice(-SCORED).join('')];
}

/** Normalizes a password for hashing and comparing, however a keyboard composes letters. */
export const normalPassword = (password: string): string => composed(password, LONGEST);

/** Reason to refuse a password; `length` in characters. */
export type PasswordFault =
  | { readonly kind: 'short' | 'long'; readonly length: number }
  | { readonly kind: 'control' | 'common' | 'leaked' | 'weak' };

/** Returns what is wrong with the length or the form; null if nothing is. Needs no list. */
export function faultOfForm(password: string): PasswordFault | null {
  const length = [...password].length;
  if (length < SHORTEST) return { kind: 'short', length };
  if (length > LONGEST) return { kind: 'long', length };
  return /\p{Cc}/u.test(password) ? { kind: 'control' } : null;
}

/** Returns why the lists refuse it; null if they don't. */
export function faultOfFacts({ common, score, leaks }: PasswordFacts): PasswordFault | null {
  if (common) return { kind: 'common' };
  if (leaks > 0) return { kind: 'leaked' };
  return score < MIN_SCORE ? { kind: 'weak' } : null;
}

/** Returns a sentence for people: why the password is refused, and how to fix it. */
export function faultText(fault: PasswordFault): string {
  switch (fault.kind) {
    case 'short':
      return `That's ${fault.length} characters. Use at least ${SHORTEST}; four random words are easy to remember.`;
    case 'long':
      return `That's ${fault.length} characters. Use at most ${LONGEST}.`;
    case 'control':
      return 'It contains a character that can’t be typed, such as a line break. Leave it out.';
    case 'common':
      return 'Many people use this password, so attackers try it first. Choose your own, for example four words that have nothing to do with each other.';
    case 'leaked':
      return 'This password was found in a leak from another service, so attackers try it first. Choose one that you use nowhere else.';
    case 'weak':
      return 'This password is too easy to guess. Add a few words that have nothing to do with you or this business.';
  }
}
