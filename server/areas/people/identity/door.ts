/**
 * What the functions of accounts that prove something enter by: they hash outside of transactions, so they open their
 * own.
 */
import { breachedBy, nobodyAsked, type Breached } from './breached.ts';
import { PasswordHasher } from './password-hash.ts';
import type { Installation } from '../../../kernel/installation.ts';
import type { Database } from '../../../kernel/db/database.ts';
import type { SecretBox } from '../../../kernel/secret-box.ts';

export interface AccountDoor {
  readonly db: Database;
  readonly box: SecretBox;
  readonly hasher: PasswordHasher;
  /** epoch ms */
  readonly now: () => number;
  /** how often a password is found in known leaks; 0 where nobody is asked */
  readonly breached: Breached;
}

export interface DoorOptions {
  db: Database;
  installation: Installation;
  now: () => number;
  log: { warn(o: object, m: string): void };
  breachedPasswordsUrl?: string | undefined;
}

/** One for a process: its hasher bounds how many passwords are checked at once. */
export function accountDoor({ db, installation, now, log, breachedPasswordsUrl }: DoorOptions): AccountDoor {
  const breached = breachedPasswordsUrl === undefined ? nobodyAsked : breachedBy(breachedPasswordsUrl, log);
  const door = { db, box: installation.box, now, hasher: new PasswordHasher(), breached };
  doors.set(installation, door);
  return door;
}

const doors = new WeakMap<Installation, AccountDoor>();

/** The one of the installation, for endpoints, which know the installation alone. */
export function doorOf(installation: Installation): AccountDoor {
  const door = doors.get(installation);
  if (!door) throw new Error('the installation has no door to its accounts');
  return door;
}

/** Where somebody is, as far as it is noted. */
export interface Whence {
  /** IP address */
  readonly address: string;
  /** what the browser calls itself */
  readonly agent: string;
  /** the business whose page or application it is */
  readonly providerId: number;
  /** name of the application, where one acts */
  readonly application?: string | null;
}

/**
 * `wait`: guessed too often; a right password gets this too. `busy`: too many passwords at once, to be answered as 503.
 */
export type NotNow = { readonly outcome: 'wait'; readonly seconds: number } | { readonly outcome: 'busy' };
