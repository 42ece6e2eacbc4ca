/**
 * A log-in by password that waits for its second factor. It is identified by its id, its verification by a phone number
 * and a code, and its final step by the key that the code was exchanged for. Every step works once.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import type { DirectAuthApplication } from './secrets.ts';
import type { SecretBox } from '../../../kernel/base/secret-box.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';

export const TTL_MS = 10 * 60_000;
const MAX_STARTS = 3;
const MAX_CODES = 5;
/** Several people may use one phone number; at most as many log-ins are examined as are likely in a household. */
const OF_ONE_NUMBER = 5;

export interface PendingLogin {
  readonly id: string;
  readonly userId: number;
  readonly providerId: number;
  readonly createdAt: number;
}

const COLUMNS = sql`id, user_id AS "userId", provider_id AS "providerId", created_at AS "createdAt"`;
const bytea = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;
const keyHash = (key: string): string => bytea(createHash('sha256').update(key).digest());
const phoneHash = (box: SecretBox, digits: string): string => bytea(box.fingerprint('verification telephone', digits));
const codeHash = (box: SecretBox, id: string, code: string): Buffer =>
  box.fingerprint('verification code', `${id} ${code}`);

/** Matches log-ins that are valid and wait for the next step. */
const open = (now: number) => sql`expires_at > ${instant(now)} AND used_at IS NULL`;

export async function makePending(
  tx: Transaction,
  application: DirectAuthApplication,
  userId: number,
  now: number,
): Promise<PendingLogin> {
  const row = await tx.one<PendingLogin>(
    sql`INSERT INTO pending_login (provider_id, application_id, user_id, created_at, expires_at)
        VALUES (${application.providerId}, ${application.id}, ${userId}, ${instant(now)}, ${instant(now + TTL_MS)})
        RETURNING ${COLUMNS}`,
  );
  return row!;
}

/**
 * Binds the log-in to the phone number for ten more minutes; null if it is unknown, expired, verified, or was started
 * too often. Its previous code ends.
 */
export async function startPending(
  tx: Transaction,
  box: SecretBox,
  application: DirectAuthApplication,
  of: { id: string; digits: string; now: number },
): Promise<PendingLogin | null> {
  const row = await tx.one<PendingLogin>(
    sql`UPDATE pending_login SET phone_hash = ${phoneHash(box, of.digits)}, code_hash = NULL, starts = starts + 1,
      expires_at = ${instant(of.now + TTL_MS)}
        WHERE id = ${of.id} AND provider_id = ${application.providerId} AND application_id = ${application.id}
          AND verified_at IS NULL AND starts < ${MAX_STARTS} AND attempts < ${MAX_CODES} AND ${open(of.now)}
        RETURNING ${COLUMNS}`,
  );
  return row ?? null;
}

/** Stores the fingerprint of the code that is about to be emailed; null if the log-in no longer waits for one. */
export async function keepCode(
  tx: Transaction,
  box: SecretBox,
  of: { id: string; code: string; now: number },
): Promise<PendingLogin | null> {
  const row = await tx.one<PendingLogin>(
    sql`UPDATE pending_login SET code_hash = ${bytea(codeHash(box, of.id, of.code))}
      WHERE id = ${of.id} AND verified_at IS NULL AND ${open(of.now)} RETURNING ${COLUMNS}`,
  );
  return row ?? null;
}

export interface Candidate extends PendingLogin {
  /** fingerprint of the emailed code, hexadecimal; null: none was emailed */
  readonly code: string | null;
}

/**
 * Returns the log-ins that wait for a code under this number, each charged with an attempt. Locks them, so that a code
 * is accepted once.
 */
export function takeAttempts(tx: Transaction, box: SecretBox, digits: string, now: number): Promise<Candidate[]> {
  return tx.rows<Candidate>(
    sql`UPDATE pending_login SET attempts = attempts + 1 WHERE id IN (
          SELECT id FROM pending_login WHERE phone_hash = ${phoneHash(box, digits)} AND verified_at IS NULL
            AND attempts < ${MAX_CODES} AND ${open(now)}
          ORDER BY created_at DESC, id LIMIT ${OF_ONE_NUMBER} FOR UPDATE)
        RETURNING ${COLUMNS}, encode(code_hash, 'hex') AS code`,
  );
}

export const isMailedCode = (box: SecretBox, { id, code }: Candidate, given: string): boolean =>
  code !== null && timingSafeEqual(Buffer.from(code, 'hex'), codeHash(box, id, given));

/** Returns the key that finishes the log-in; it is shown only here. */
export async function verifyPending(tx: Transaction, id: string, now: number): Promise<string> {
  const key = randomBytes(24).toString('base64url');
  await tx.run(
    sql`UPDATE pending_login SET verified_at = ${instant(now)}, verification_key_hash = ${keyHash(key)},
      code_hash = NULL, phone_hash = NULL,
          expires_at = ${instant(now + TTL_MS)} WHERE id = ${id}`,
  );
  return key;
}

/**
 * Uses the key up; returns false if it belongs to another person or application, was used, or has expired. Of two
 * concurrent uses, one succeeds.
 */
export async function usePending(
  tx: Transaction,
  application: DirectAuthApplication,
  of: { userId: number; key: string; now: number },
): Promise<boolean> {
  return (
    (await tx.run(
      sql`UPDATE pending_login SET used_at = ${instant(of.now)}
        WHERE verification_key_hash = ${keyHash(of.key)} AND user_id = ${of.userId}
          AND provider_id = ${application.providerId} AND application_id = ${application.id} AND verified_at IS NOT NULL
          AND ${open(of.now)}`,
    )) > 0
  );
}

/** Deletes expired ones. */
export const sweepPending = (tx: Transaction, now: number): Promise<number> =>
  tx.run(sql`DELETE FROM pending_login WHERE expires_at < ${instant(now - TTL_MS)}`);
