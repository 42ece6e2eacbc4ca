import type { PasswordFault } from '../rules/password.ts';
/** The link is unknown, used or expired. */
export interface Gone {
  readonly outcome: 'gone';
}

/** The password is refused. */
export interface NotTaken {
  readonly outcome: 'password';
  readonly fault: PasswordFault;
}
