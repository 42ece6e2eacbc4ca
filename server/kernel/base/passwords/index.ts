/** Storage and checks of passwords: the same for every business, created once at startup. */
import { breachedBy, nobodyAsked, type Breached } from './breached.ts';
import { PasswordHasher } from './password-hash.ts';

export { hasUsualCost } from './password-hash.ts';

export interface Passwords {
  /** one per process: limits how many passwords are hashed at the same time */
  readonly hasher: PasswordHasher;
  /** returns how often a password is found in known leaks; 0 if no service is configured */
  readonly breached: Breached;
}

/** Creates the parts. `breachedUrl`: URL of the service of leaked passwords, if there is one. */
export const createPasswords = (
  breachedUrl: string | undefined,
  log: { warn(o: object, m: string): void },
): Passwords => ({
  hasher: new PasswordHasher(),
  breached: breachedUrl === undefined ? nobodyAsked : breachedBy(breachedUrl, log),
});
