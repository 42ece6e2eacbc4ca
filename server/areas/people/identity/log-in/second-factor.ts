/**
 * The second factor: authenticator codes (TOTP, RFC 6238), and ten recovery codes in case the authenticator is lost.
 */
import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { renderSVG } from 'uqr';
import { mailTo } from '../mail/account-mail.ts';
import {
  blockedUntil,
  countAttempt,
  forgetAttempts,
  isBlocked,
  isCounted,
  ON_ACCOUNT,
  ON_ACCOUNT_ANYWHERE,
  placeKey,
  secondsUntil,
  throttleKey,
  uncountAttempt,
} from './throttle.ts';
import { hashOf } from '../tokens/opaque-secret.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { NotOpened } from '../../../../kernel/base/secret-box.ts';
import { loggedInFrom, noteUserEvent } from '../accounts/events.ts';
import { provePassword } from '../passwords/prove-password.ts';
import { endSessionsElsewhere, renewSession } from './any-session.ts';
import type { Session } from './sessions.ts';
import { findStep } from '../rules/totp.ts';
import type { AccountDoor, NotNow, Whence } from '../door.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';

interface Enrolment {
  /** base32, to be typed in */
  readonly secret: string;
  /** otpauth://totp/… */
  readonly uri: string;
  /** the URI as a QR code */
  readonly svg: string;
}

export const RECOVERY_CODES = 10;
/** Without letters and digits that are easily confused. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';
const SECRET_BYTES = 20;

export const purposeOfTotp = (userId: number): string => `totp:${userId}`;
const totp = (secret: string, issuer = '', label = ''): TOTP =>
  new TOTP({ issuer, label, secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 });

function enrolment(secret: string, issuer: string, label: string): Enrolment {
  // A colon would end the issuer when the authenticator reads it.
  const uri = totp(secret, issuer.replaceAll(':', ' '), label).toString();
  return { secret, uri, svg: renderSVG(uri, { border: 2 }) };
}

/**
 * Begins to set up a second factor. Null if one is on already, or the address is not confirmed. `issuer` is the name
 * that the authenticator shows.
 */
export function beginSecondFactor(door: AccountDoor, userId: number, issuer: string): Promise<Enrolment | null> {
  return door.changing('a person enrols a second factor', async (tx) => {
    const secret = new Secret({ size: SECRET_BYTES }).base32;
    const row = await tx.one<{ email: string }>(
      sql`UPDATE user_account SET totp_secret = ${door.box.seal(purposeOfTotp(userId), secret)}, totp_last_step = NULL
          WHERE id = ${userId} AND totp_confirmed_at IS NULL AND email_confirmed_at IS NOT NULL RETURNING email`,
    );
    return row ? enrolment(secret, issuer, row.email) : null;
  });
}

/** Returns the setup that was begun and is not confirmed, to be shown again after a wrong code. */
export function enrolmentUnderWay(door: AccountDoor, userId: number, issuer: string): Promise<Enrolment | null> {
  return door.db.acrossTenants('a person goes on enrolling a second factor', async (tx) => {
    const row = await tx.one<{ email: string; totp_secret: string }>(
      sql`SELECT email, totp_secret FROM user_account
        WHERE id = ${userId} AND totp_secret IS NOT NULL AND totp_confirmed_at IS NULL`,
    );
    const secret = row && opened(door, userId, row.totp_secret);
    return secret ? enrolment(secret, issuer, row.email) : null;
  });
}

/**
 * Returns the secret; null if the installation's secret key has changed since it was sealed, so that no code can ever
 * be right.
 */
function opened(door: AccountDoor, userId: number, sealed: string): string | null {
  try {
    return door.box.open(purposeOfTotp(userId), sealed);
  } catch (error) {
    if (error instanceof NotOpened) return null;
    throw error;
  }
}

/**
 * Removes a second factor that can no longer be used, for a person who proved the password: otherwise, a lost secret
 * key would lock everybody out for good. The person is notified by email, and sets it up again. Returns false if it can
 * be used, or there is none.
 */
export async function dropLostSecondFactor(
  tx: Transaction,
  door: AccountDoor,
  userId: number,
  whence: Whence,
): Promise<boolean> {
  const row = await tx.one<{ totp_secret: string }>(
    sql`SELECT totp_secret FROM user_account WHERE id = ${userId} AND totp_confirmed_at IS NOT NULL FOR UPDATE`,
  );
  if (!row || opened(door, userId, row.totp_secret) !== null) return false;
  await takeAwaySecondFactor(tx, userId);
  await noteUserEvent(tx, userId, 'second_factor_lost', whence, door.now());
  await mailTo(tx, { kind: 'second_factor_lost', user: userId }, whence);
  return true;
}

type Taken = { outcome: 'accepted' } | { outcome: 'refused' } | { outcome: 'wait'; seconds: number };

/** Accepts an authenticator code, once. */
async function takeTotp(tx: Transaction, door: AccountDoor, userId: number, code: string): Promise<boolean> {
  const row = await tx.one<{ totp_secret: string | null }>(
    sql`SELECT totp_secret FROM user_account WHERE id = ${userId}`,
  );
  if (!row?.totp_secret) return false;
  const base32 = opened(door, userId, row.totp_secret);
  if (base32 === null) return false;
  const secret = totp(base32);
  const step = findStep((timestamp) => secret.generate({ timestamp }), code, door.now());
  if (step === null) return false;
  const resealed = door.box.isCurrent(row.totp_secret)
    ? row.totp_secret
    : door.box.seal(purposeOfTotp(userId), secret.secret.base32);
  // If two requests send one code at the same moment, the later finds the step used.
  return (
    (await tx.run(
      sql`UPDATE user_account SET totp_last_step = ${step}, totp_secret = ${resealed}
          WHERE id = ${userId} AND totp_secret = ${row.totp_secret}
            AND (totp_last_step IS NULL OR totp_last_step < ${step})`,
    )) > 0
  );
}

const normalRecovery = (code: string): string => code.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');

const useRecovery = async (tx: Transaction, userId: number, code: string, now: number): Promise<boolean> =>
  (await tx.run(
    sql`UPDATE recovery_code SET used_at = ${instant(now)}
      WHERE user_id = ${userId} AND code_hash = ${hashOf(normalRecovery(code))} AND used_at IS NULL`,
  )) > 0;

const keysOf = ({ box }: AccountDoor, userId: number, { address }: Pick<Whence, 'address'>) => ({
  here: placeKey(box, 'second_factor', userId, address),
  anywhere: throttleKey(box, 'second_factor', userId),
});

/**
 * Counts an attempt at a code of any kind, in the same way as passwords: by account and network together, so that
 * somebody who knows the password doesn't lock its owner out. Attempts from many networks together delay everybody
 * except people at a network that they have logged in from before. Null: continue.
 */
export async function takeCodeAttempt(
  tx: Transaction,
  door: AccountDoor,
  userId: number,
  whence: Whence,
): Promise<{ outcome: 'wait'; seconds: number } | null> {
  const now = door.now();
  const { here, anywhere } = keysOf(door, userId, whence);
  const atHome = sql`EXISTS (SELECT FROM user_account u WHERE u.id = ${userId} AND ${loggedInFrom('u', whence, now)})`;
  const [[counted], [countedAnywhere], [{ until }], [{ home }]] = await tx.all([
    countAttempt(here, ON_ACCOUNT, now, sql`NOT ${isBlocked(anywhere, now)} OR ${atHome}`),
    countAttempt(anywhere, ON_ACCOUNT_ANYWHERE, now, isCounted(here, now)),
    blockedUntil([here, anywhere]),
    sql`SELECT ${atHome} AS home`,
  ]);
  return counted && (countedAnywhere || home) ? null : { outcome: 'wait', seconds: secondsUntil(until, now) };
}

/** Deletes the counted attempts after a correct code. */
export async function forgetCodeAttempts(
  tx: Transaction,
  door: AccountDoor,
  userId: number,
  whence: Whence,
): Promise<void> {
  const { here, anywhere } = keysOf(door, userId, whence);
  await tx.all([forgetAttempts(here), uncountAttempt(anywhere)]);
}

/**
 * Checks a code of the second factor, or a recovery code; each is accepted once. Wrong ones are slowed down like
 * passwords.
 */
export async function takeCode(
  tx: Transaction,
  door: AccountDoor,
  userId: number,
  code: string,
  whence: Whence,
): Promise<Taken> {
  const now = door.now();
  const blocked = await takeCodeAttempt(tx, door, userId, whence);
  if (blocked) return blocked;
  const digits = code.replaceAll(/\s/g, '');
  const byTotp = /^\d{6}$/.test(digits);
  const right = byTotp
    ? await takeTotp(tx, door, userId, digits)
    : code.length <= 40 && (await useRecovery(tx, userId, code, now));
  if (!right) return { outcome: 'refused' };
  await forgetCodeAttempts(tx, door, userId, whence);
  if (!byTotp) await noteUserEvent(tx, userId, 'recovery_code_used', whence, now);
  return { outcome: 'accepted' };
}

function newRecoveryCode(): string {
  const letters: string[] = [];
  // Bytes of 240 and above would make the first letters likelier.
  while (letters.length < 16)
    letters.push(...[...randomBytes(16)].filter((b) => b < 240).map((b) => ALPHABET[b % ALPHABET.length]));
  return letters
    .slice(0, 16)
    .join('')
    .replaceAll(/(.{4})(?=.)/g, '$1-');
}

async function replaceRecoveryCodes(tx: Transaction, userId: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  await tx.run(sql`DELETE FROM recovery_code WHERE user_id = ${userId}`);
  await tx.run(
    sql`INSERT INTO recovery_code (user_id, code_hash) SELECT ${userId}::bigint, h
      FROM unnest(${codes.map((c) => hashOf(normalRecovery(c)))}::bytea[]) h`,
  );
  return codes;
}

/**
 * Turns the second factor on. `recoveryCodes` are shown once; the session counts as one with a second factor, under a
 * new token; all others end.
 */
export function confirmSecondFactor(
  door: AccountDoor,
  session: Session,
  code: string,
  whence: Whence,
): Promise<
  | { outcome: 'accepted'; recoveryCodes: string[]; token: string }
  | { outcome: 'refused' }
  | { outcome: 'wait'; seconds: number }
> {
  const { userId } = session;
  return door.changing('a person confirms a second factor', async (tx) => {
    const now = door.now();
    const begun = await tx.one(
      sql`SELECT FROM user_account WHERE id = ${userId} AND totp_secret IS NOT NULL AND totp_confirmed_at IS NULL
        FOR UPDATE`,
    );
    if (!begun || !/^\s*\d/.test(code)) return { outcome: 'refused' };
    const taken = await takeCode(tx, door, userId, code, whence);
    if (taken.outcome !== 'accepted') return taken;
    const renewed = await renewSession(tx, door.cells, session, { secondFactor: true, authenticatedAt: now }, whence);
    if (renewed === null) return { outcome: 'refused' };
    await tx.run(sql`UPDATE user_account SET totp_confirmed_at = ${instant(now)} WHERE id = ${userId}`);
    await endOthers(tx, door, userId, renewed.id);
    const recoveryCodes = await replaceRecoveryCodes(tx, userId);
    await noteUserEvent(tx, userId, 'second_factor_on', whence, now);
    await mailTo(tx, { kind: 'second_factor_on', user: userId }, whence);
    return { outcome: 'accepted', recoveryCodes, token: renewed.token };
  });
}

async function endOthers(tx: Transaction, door: AccountDoor, userId: number, keep: number): Promise<void> {
  await tx.run(sql`DELETE FROM user_session WHERE user_id = ${userId} AND id <> ${keep}`);
  if (door.cells !== null) await endSessionsElsewhere(tx, userId, keep, door.now());
}

/** Creates ten new recovery codes and ends the old ones. Requires an authenticator code or the last recovery code. */
export function renewRecoveryCodes(
  door: AccountDoor,
  session: Session,
  code: string,
  whence: Whence,
): Promise<{ outcome: 'accepted'; recoveryCodes: string[] } | Exclude<Taken, { outcome: 'accepted' }>> {
  return door.changing('a person renews recovery codes', async (tx) => {
    const on = await tx.one(
      sql`SELECT FROM user_account WHERE id = ${session.userId} AND totp_confirmed_at IS NOT NULL FOR UPDATE`,
    );
    if (!on) return { outcome: 'refused' };
    const taken = await takeCode(tx, door, session.userId, code, whence);
    if (taken.outcome !== 'accepted') return taken;
    await noteUserEvent(tx, session.userId, 'recovery_codes_renewed', whence, door.now());
    return { outcome: 'accepted', recoveryCodes: await replaceRecoveryCodes(tx, session.userId) };
  });
}

export async function recoveryCodesLeft(tx: Transaction, userId: number): Promise<number> {
  return (await tx.one<{ n: number }>(
    sql`SELECT count(*) AS n FROM recovery_code WHERE user_id = ${userId} AND used_at IS NULL`,
  ))!.n;
}

/** Restores the state before any setup: no secret, no codes. */
export async function takeAwaySecondFactor(tx: Transaction, userId: number): Promise<void> {
  await tx.run(
    sql`UPDATE user_account SET totp_secret = NULL, totp_confirmed_at = NULL, totp_last_step = NULL
      WHERE id = ${userId}`,
  );
  await tx.run(sql`DELETE FROM recovery_code WHERE user_id = ${userId}`);
}

/**
 * Removes the second factor. Requires the password and a code, so that somebody who finds a browser logged in can't do
 * it. Every other session ends.
 */
export async function removeSecondFactor(
  door: AccountDoor,
  session: Session,
  given: { password: string; code: string },
  whence: Whence,
): Promise<{ outcome: 'accepted' } | { outcome: 'refused' } | NotNow> {
  const { userId } = session;
  const proof = await provePassword(door, { userId }, given.password, whence);
  if (proof.outcome !== 'right') return proof;
  return door.changing('a person removes the second factor', async (tx) => {
    const now = door.now();
    if (await dropLostSecondFactor(tx, door, userId, whence)) return { outcome: 'accepted' };
    const taken = await takeCode(tx, door, userId, given.code, whence);
    if (taken.outcome !== 'accepted') return taken;
    await takeAwaySecondFactor(tx, userId);
    // A session of another cell is changed there, together with the account.
    if (session.cell === undefined)
      await tx.run(sql`UPDATE user_session SET second_factor = false WHERE id = ${session.id}`);
    await endOthers(tx, door, userId, session.id);
    await noteUserEvent(tx, userId, 'second_factor_off', whence, now);
    await mailTo(tx, { kind: 'second_factor_off', user: userId }, whence);
    return { outcome: 'accepted' };
  });
}

/** Returns true if the business requires a second factor of this person: it does so only for staff. */
export async function secondFactorRequired(tx: Transaction, userId: number, providerId: number): Promise<boolean> {
  const row = await tx.one(
    sql`SELECT FROM provider p JOIN profile s ON s.provider_id = p.provider_id
        WHERE p.provider_id = ${providerId} AND p.second_factor_required AND s.kind = 'staff' AND s.user_id = ${userId}
          AND NOT s.gone`,
  );
  return row !== undefined;
}
