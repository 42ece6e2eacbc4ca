/** How passwords are kept and judged: the same for every business, and made once at the start. */
import { breachedBy, nobodyAsked, type Breached } from './breached.ts';
import { PasswordHasher } from './password-hash.ts';

export { hasUsualCost } from './password-hash.ts';

export interface Passwords {
  /** one for a process: it bounds how many passwords are hashed at once */
  readonly hasher: PasswordHasher;
  /** how often a password is found in known leaks; 0 where nobody is asked */
  readonly breached: Breached;
}

/** `breachedUrl`: of the service that is asked for leaked passwords, if one is. */
export const createPasswords = (
  breachedUrl: string | undefined,
  log: { warn(o: object, m: string): void },
): Passwords => ({
  hasher: new PasswordHasher(),
  breached: breachedUrl === undefined ? nobodyAsked : breachedBy(breachedUrl, log),
});
