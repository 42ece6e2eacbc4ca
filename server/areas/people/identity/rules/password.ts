/** Which passwords are taken. What the lists say of one is asked beforehand. */

export const SHORTEST = 10;
export const LONGEST = 128;
/** of 4: so many guesses that a limit on guessing keeps it safe */
const LEAST_SCORE = 3;

export interface PasswordFacts {
  /** it is on a list of much used ones */
  readonly common: boolean;
  /** 0 to 4, by how many guesses an attacker needs who knows the person's name, address and business */
  readonly score: number;
  /** times that it was seen in known leaks; 0 where nobody was asked */
  readonly leaks: number;
}

/**
 * So many characters are scored at once: what it takes grows with the square of their number, and everybody waits
 * meanwhile.
 */
export const SCORED = 32;

/**
 * What is scored of a password: all of it, or the beginning and the end of a long one. Whoever guesses the whole
 * guesses each piece, so it is at least as good as the better of the two.
 */
export function scoredPieces(password: string): string[] {
  const letters = [...password];
  if (letters.length <= SCORED) return [password];
  return [letters.slice(0, SCORED).join(''), letters.slice(-SCORED).join('')];
}

/** The form in which passwords are hashed and compared: however a keyboard composes a letter. */
export const normalPassword = (password: string): string => password.normalize('NFC');

/** Why a password is not taken; `length` in characters. */
export type PasswordFault =
  | { readonly kind: 'short' | 'long'; readonly length: number }
  | { readonly kind: 'control' | 'common' | 'leaked' | 'weak' };

/** What is wrong with the length or the form; null: nothing. Needs no list. */
export function faultOfForm(password: string): PasswordFault | null {
  const length = [...password].length;
  if (length < SHORTEST) return { kind: 'short', length };
  if (length > LONGEST) return { kind: 'long', length };
  return /\p{Cc}/u.test(password) ? { kind: 'control' } : null;
}

/** What the lists have against it; null: nothing. */
export function faultOfFacts({ common, score, leaks }: PasswordFacts): PasswordFault | null {
  if (common) return { kind: 'common' };
  if (leaks > 0) return { kind: 'leaked' };
  return score < LEAST_SCORE ? { kind: 'weak' } : null;
}

/** Why the password is not taken, and how to mend it, in a sentence for people. */
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
