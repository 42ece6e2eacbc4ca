/** The shapes of what this area offers; the bodies follow file by file. */
import type { Transaction } from '../../kernel/db/database.ts';
import type { AccountDoor, Whence } from './door.ts';

// passwords and log-in ------------------------------------------------------------------------------------------------

/** `wait`: guessed too often, try again in so many seconds (a right password gets this too). `busy`: too many log-ins at once, answer 503. */
export type NotNow = { outcome: 'wait'; seconds: number } | { outcome: 'busy' };
export type LogIn =
  | { outcome: 'accepted'; userId: number; secondFactor: boolean }
  /** the password was right; `pending` (a secret, 10 minutes, for a cookie or a hidden field) goes to finishLogIn with a code */
  | { outcome: 'second_factor'; userId: number; pendingId: string; pending: string; createdAt: number }
  /** unknown account, wrong password or code, account disabled: all alike */
  | { outcome: 'refused' }
  | NotNow;
/** `code`: a code of the second factor or a recovery code, where it is at hand already. */
export declare function logIn(door: AccountDoor, given: { email: string; password: string; code?: string | null }, whence: Whence): Promise<LogIn>;
/** `expired`: begin again with the password. */
export declare function finishLogIn(door: AccountDoor, given: { pending: string; code: string }, whence: Whence): Promise<LogIn | { outcome: 'expired' }>;
/** Proves the password again before something sensitive; the session's `authenticatedAt` becomes now. */
export declare function reauthenticate(door: AccountDoor, session: Session, password: string, whence: Whence): Promise<{ outcome: 'accepted' | 'refused' } | NotNow>;

/** Why a password is not taken, and how to mend it; null: it is. Lists are loaded at the first call. */
export declare function refusePassword(door: AccountDoor, password: string, about: readonly string[]): Promise<string | null>;

// sessions ------------------------------------------------------------------------------------------------------------

export interface Session {
  readonly id: number;
  readonly userId: number;
  readonly secondFactor: boolean;
  readonly createdAt: number;
  readonly seenAt: number;
  readonly authenticatedAt: number;
  readonly agent: string;
}
/** Returns the cookie's value: its only appearance. Needs a transaction across tenants, as everything below with `tx`. */
export declare function startSession(tx: Transaction, on: { userId: number; secondFactor: boolean; agent: string; now: number }): Promise<{ session: Session; token: string }>;
/** Null: unknown, over (14 days unused, 90 days in all), or the account is disabled. Notes at most once a minute that it was seen. */
export declare function findSession(tx: Transaction, token: string, now: number): Promise<Session | null>;
/** A new token for the session; the old one ends. For every change of what it may do. */
export declare function rotateSession(tx: Transaction, sessionId: number, change: { secondFactor?: boolean; authenticatedAt?: number }): Promise<string>;
export declare function listSessions(tx: Transaction, userId: number, now: number): Promise<Session[]>;
/** False: there is no such session of this person. */
export declare function endSession(tx: Transaction, userId: number, sessionId: number, whence: Whence, now: number): Promise<boolean>;
/** Ends all of the person's sessions but `keep`; returns how many. */
export declare function endOtherSessions(tx: Transaction, userId: number, keep: number | null): Promise<number>;
/** Whether the person proved who it is within the last 15 minutes. */
export declare function isFresh(session: Session, now: number): boolean;

// accounts ------------------------------------------------------------------------------------------------------------

export interface Account {
  readonly id: number;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly emailConfirmedAt: number | null;
  readonly passwordChangedAt: number | null;
  readonly secondFactor: boolean;
  readonly disabledAt: number | null;
  readonly createdAt: number;
}
export declare function readAccount(tx: Transaction, userId: number): Promise<Account | null>;
export declare function changeName(tx: Transaction, userId: number, name: { firstName: string; lastName: string }): Promise<void>;
/** `accepted` whether or not the address has an account: a mail says which. `password`: why it is not taken. */
export declare function signUp(
  door: AccountDoor,
  given: { email: string; password: string; firstName: string; lastName: string },
  whence: Whence,
): Promise<{ outcome: 'accepted' } | { outcome: 'password'; why: string } | NotNow>;
/** Sends the link to confirm the address once more. */
export declare function askToConfirmEmail(tx: Transaction, userId: number, whence: Whence): Promise<void>;
/** Always the same, whether or not there is such an account. */
export declare function askToResetPassword(door: AccountDoor, email: string, whence: Whence): Promise<{ outcome: 'accepted' } | NotNow>;
export declare function changePassword(
  door: AccountDoor,
  session: Session,
  given: { current: string; next: string },
  whence: Whence,
): Promise<{ outcome: 'accepted' } | { outcome: 'refused' } | { outcome: 'password'; why: string } | NotNow>;
/** The change takes effect when the link at the new address is followed. */
export declare function askToChangeEmail(
  door: AccountDoor,
  session: Session,
  given: { email: string; password: string },
  whence: Whence,
): Promise<{ outcome: 'accepted' } | { outcome: 'refused' } | NotNow>;
/** Ends every session; nobody gets in until `enableAccount`. */
export declare function disableAccount(tx: Transaction, userId: number, now: number): Promise<void>;
export declare function enableAccount(tx: Transaction, userId: number): Promise<void>;

// links of mails -----------------------------------------------------------------------------------------------------

export type TicketKind = 'confirm_email' | 'reset_password' | 'change_email' | 'stop_email_change' | 'invitation' | 'pending_log_in' | 'verification_code';
export interface Ticket {
  readonly id: string;
  readonly kind: TicketKind;
  readonly userId: number | null;
  readonly providerId: number;
  /** where it was sent */
  readonly email: string;
  readonly staffId: number | null;
  readonly customerId: number | null;
  readonly expiresAt: number;
}
/** Opens a link without using it up: for the page with the button. Null: unknown, used, or over. */
export declare function readTicket(tx: Transaction, secret: string, kinds: readonly TicketKind[], now: number): Promise<Ticket | null>;

/** `gone`: the link is unknown, used, or over. */
export type Gone = { outcome: 'gone' };
/** Takes a session of the account, or its password: who chose the password must be who reads the mail. Then the address is confirmed. */
export declare function confirmEmail(
  door: AccountDoor,
  given: { ticket: string; password?: string; session?: Session | null },
  whence: Whence,
): Promise<{ outcome: 'accepted'; userId: number } | { outcome: 'refused' } | Gone | NotNow>;
/** Ends every session; the address is confirmed by it. */
export declare function resetPassword(
  door: AccountDoor,
  given: { ticket: string; password: string },
  whence: Whence,
): Promise<{ outcome: 'accepted'; userId: number } | { outcome: 'password'; why: string } | Gone | NotNow>;
/** `taken`: another account has the address by now. */
export declare function confirmEmailChange(door: AccountDoor, ticket: string, whence: Whence): Promise<{ outcome: 'accepted'; userId: number } | { outcome: 'taken' } | Gone>;
/** The address before is the account's again, every session ends, and the password has to be reset by mail (which is sent). */
export declare function stopEmailChange(door: AccountDoor, ticket: string, whence: Whence): Promise<{ outcome: 'accepted' } | Gone>;

export interface Invitation {
  readonly ticket: Ticket;
  readonly kind: 'staff' | 'customer';
  readonly firstName: string;
  readonly lastName: string;
  /** an account has the invited address: log in to accept */
  readonly hasAccount: boolean;
}
export declare function readInvitation(tx: Transaction, secret: string, now: number): Promise<Invitation | null>;
/** The person of the session takes the profile. `not_possible`: has another one of the kind at this business. */
export declare function acceptInvitation(door: AccountDoor, given: { ticket: string; session: Session }, whence: Whence): Promise<{ outcome: 'accepted' } | { outcome: 'not_possible' } | Gone>;
/** Makes an account of the invited address (confirmed: the link came by mail) and takes the profile. `has_account`: log in first. */
export declare function signUpByInvitation(
  door: AccountDoor,
  given: { ticket: string; password: string; firstName: string; lastName: string },
  whence: Whence,
): Promise<{ outcome: 'accepted'; userId: number } | { outcome: 'has_account' } | { outcome: 'password'; why: string } | Gone | NotNow>;

// second factor ------------------------------------------------------------------------------------------------------

export interface Enrolment {
  /** to be typed in, base32 */
  readonly secret: string;
  /** otpauth://… */
  readonly uri: string;
  /** the same as a picture */
  readonly svg: string;
}
/** Null: a second factor is on already. `issuer` is the name that the authenticator shows. */
export declare function beginSecondFactor(door: AccountDoor, userId: number, issuer: string): Promise<Enrolment | null>;
/** The one under way, to be shown again after a wrong code. */
export declare function enrolmentUnderWay(door: AccountDoor, userId: number, issuer: string): Promise<Enrolment | null>;
/** Turns it on; `recoveryCodes` are shown once. The session counts as one with a second factor, under a new token. */
export declare function confirmSecondFactor(
  door: AccountDoor,
  session: Session,
  code: string,
  whence: Whence,
): Promise<{ outcome: 'accepted'; recoveryCodes: string[]; token: string } | { outcome: 'refused' } | NotNow>;
export declare function renewRecoveryCodes(door: AccountDoor, session: Session, code: string, whence: Whence): Promise<{ outcome: 'accepted'; recoveryCodes: string[] } | { outcome: 'refused' } | NotNow>;
export declare function recoveryCodesLeft(tx: Transaction, userId: number): Promise<number>;
export declare function removeSecondFactor(door: AccountDoor, session: Session, given: { password: string; code: string }, whence: Whence): Promise<{ outcome: 'accepted' } | { outcome: 'refused' } | NotNow>;
/** Whether the business demands a second factor of this person: only of its staff. */
export declare function secondFactorRequired(tx: Transaction, userId: number, providerId: number): Promise<boolean>;

// profiles and events ------------------------------------------------------------------------------------------------

/** Links the business's staff and customer records of the account's confirmed address to the account. Returns what was linked. */
export declare function claimProfiles(tx: Transaction, on: { userId: number; providerId: number }): Promise<{ staff: number[]; customers: number[] }>;

export interface UserEvent {
  readonly kind: string;
  readonly at: number;
  readonly providerId: number | null;
  readonly application: string | null;
  readonly network: string | null;
  readonly agent: string | null;
}
export declare function listUserEvents(tx: Transaction, userId: number, most?: number): Promise<UserEvent[]>;
/** For what other areas do to an account, as `application_connected`. */
export declare function noteUserEvent(tx: Transaction, userId: number, kind: string, whence: Whence, now: number): Promise<void>;
