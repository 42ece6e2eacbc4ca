/**
 * `Idempotency-Key`: the response is stored in the transaction of the change, so a crash loses both or none. A lock on
 * the key for the duration of the transaction distinguishes a request that is still running from one that is done.
 */
import { createHash } from 'node:crypto';
import { json, sql } from '../../base/db/sql.ts';
import { Problem } from '../../base/problem.ts';
import type { SecretBox } from '../../base/secret-box.ts';
import type { Transaction } from '../../base/db/database.ts';

export interface StoredAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

export interface IdempotentRequest {
  readonly providerId: number;
  readonly credential: string;
  readonly key: string;
  /** hash of method, URL and body */
  readonly hash: string;
}

/** Longer than any retry that a client may still be making. */
export const RETENTION_HOURS = 24;

export function checkKey(key: string): string {
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new Problem('parameter_invalid', 'The header Idempotency-Key must be 1 to 255 visible ASCII characters.', {
      'Idempotency-Key': ['Must be 1 to 255 visible ASCII characters.'],
    });
  }
  return key;
}

/**
 * Returns the hash that distinguishes requests. It is keyed, because bodies may contain values that can be guessed,
 * such as a password.
 */
export const requestHash = (box: SecretBox, method: string, url: string, body: string | Buffer): string =>
  box
    .fingerprint('request', createHash('sha256').update(`${method} ${url}\n`).update(body).digest('base64url'))
    .toString('base64url');

/** Returns the stored response, or null if this request is the first. Locks the key until the transaction ends. */
export async function claim(
  tx: Transaction,
  { providerId, credential, key, hash }: IdempotentRequest,
): Promise<StoredAnswer | null> {
  const [[{ claimed }], [stored]] = await tx.all([
    sql`SELECT pg_try_advisory_xact_lock(hashtextextended(${`${providerId}|${credential}|${key}`}, 7)) AS claimed`,
    sql`SELECT request_hash, status, headers, body,
      created_at < now() - make_interval(hours => ${RETENTION_HOURS}) AS stale
      FROM idempotency_key
        WHERE provider_id = ${providerId} AND credential = ${credential} AND key = ${key}`,
  ]);
  if (!claimed)
    throw new Problem(
      'idempotency_key_in_use',
      'A request with this Idempotency-Key is still in progress.',
      {},
      { 'retry-after': '1' },
    );
  if (!stored || stored.stale) return null;
  if (stored.request_hash !== hash) {
    throw new Problem('idempotency_key_reused', 'This Idempotency-Key was already used with a different request.');
  }
  return stored as unknown as StoredAnswer;
}

export async function store(
  tx: Transaction,
  request: IdempotentRequest,
  answer: StoredAnswer,
  now: number,
): Promise<void> {
  const { providerId, credential, key, hash } = request;
  await tx.run(
    sql`INSERT INTO idempotency_key (provider_id, credential, key, request_hash, status, headers, body, created_at)
        VALUES (${providerId}, ${credential}, ${key}, ${hash}, ${answer.status}, ${json(answer.headers)},
          ${answer.body}, ${new Date(now).toISOString()})
        ON CONFLICT (provider_id, credential, key)
        DO UPDATE SET request_hash = excluded.request_hash, status = excluded.status,
          headers = excluded.headers, body = excluded.body, created_at = excluded.created_at`,
  );
}

/** Deletes the key, so that the request may be made again with it. */
export const forget = (tx: Transaction, { providerId, credential, key }: IdempotentRequest): Promise<unknown> =>
  tx.run(
    sql`DELETE FROM idempotency_key WHERE provider_id = ${providerId} AND credential = ${credential} AND key = ${key}`,
  );

/** Returns false for responses that are only temporary: such requests run again instead of being replayed. */
export const isStored = (status: number): boolean => status < 500 && status !== 409 && status !== 429;
