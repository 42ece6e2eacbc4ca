/**
 * Slows down guessing, across all processes. An attempt is counted before it is checked, so that many concurrent ones
 * get no further than many in sequence; a correct one is deleted. The pause doubles up to a quarter of an hour.
 */
import { chargedNetwork } from '../../../../kernel/base/values/network.ts';
import { instant, raw, sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import type { SecretBox } from '../../../../kernel/base/secret-box.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';

export interface ThrottlePolicy {
  /** attempts without a pause */
  readonly free: number;
  /** after this long without an attempt, counting starts over */
  readonly forgottenMs: number;
}

const HOUR = 3_600_000;

const LONGEST_PAUSE_SECONDS = 900;
/** Older attempts are deleted, whatever the policy. */
export const THROTTLE_KEPT_MS = 24 * HOUR;

/** One account from one network. */
export const ON_ACCOUNT: ThrottlePolicy = { free: 5, forgottenMs: THROTTLE_KEPT_MS };
/**
 * One account from all networks that its owner has not logged in from: guessing from many places at the same time gets
 * no further.
 */
export const ON_ACCOUNT_ANYWHERE: ThrottlePolicy = { free: 100, forgottenMs: THROTTLE_KEPT_MS };
/** An IP address may be shared by a whole office. */
export const ON_ADDRESS: ThrottlePolicy = { free: 30, forgottenMs: HOUR };
/** Requests that prove nothing, such as for emails; every one counts. */
export const ON_REQUEST: ThrottlePolicy = { free: 30, forgottenMs: HOUR / 4 };

/**
 * Returns the key that is counted, for example `log_in` of an account; a fingerprint, so that the table names nobody.
 */
export const throttleKey = (box: SecretBox, what: string, whom: string | number): string =>
  `\\x${box.fingerprint(`throttle ${what}`, String(whom)).toString('hex')}`;
/** Returns the key of a person by origin: a stranger's guesses don't make the person wait elsewhere. */
export const placeKey = (box: SecretBox, what: string, whom: string | number, ip: string): string =>
  throttleKey(box, `${what} at`, `${whom} ${chargedNetwork(ip)}`);
export const addressKey = (box: SecretBox, what: string, ip: string): string =>
  throttleKey(box, `${what} from`, chargedNetwork(ip));

/**
 * Returns the statement that counts an attempt if `only` holds. It returns `failures`, including this attempt; no row:
 * the key is blocked, and nothing was counted.
 */
export function countAttempt(
  key: string,
  { free, forgottenMs }: ThrottlePolicy,
  now: number,
  only: Sql = raw('true'),
): Sql {
  const at = instant(now);
  const failures = sql`
    (CASE WHEN t.last_at <= ${instant(now - forgottenMs)}::timestamptz THEN 1 ELSE t.failures + 1 END)`;
  return sql`INSERT INTO attempt_throttle AS t (key_hash, failures, blocked_until, last_at)
      SELECT ${key}::bytea, 1, to_timestamp(0), ${at}::timestamptz
      WHERE ${only}
      ON CONFLICT (key_hash) DO UPDATE SET
        failures = ${failures}, last_at = ${at}::timestamptz,
        blocked_until = CASE WHEN ${failures} <= ${free} THEN to_timestamp(0)
          ELSE ${at}::timestamptz +
            make_interval(secs => least(${LONGEST_PAUSE_SECONDS}, power(2, least(${failures} - ${free}, 20)))) END
      WHERE t.blocked_until <= ${at}::timestamptz
      RETURNING failures`;
}

/** Matches if the key is blocked. */
export const isBlocked = (key: string, now: number): Sql =>
  sql`EXISTS (SELECT FROM attempt_throttle b
    WHERE b.key_hash = ${key}::bytea AND b.blocked_until > ${instant(now)}::timestamptz)`;
/** Matches if an attempt was counted at this very moment. */
export const isCounted = (key: string, now: number): Sql =>
  sql`EXISTS (SELECT FROM attempt_throttle b
    WHERE b.key_hash = ${key}::bytea AND b.last_at = ${instant(now)}::timestamptz)`;

/** Returns the statement that reads until when any of the keys is blocked. */
export const blockedUntil = (keys: readonly (string | null)[]): Sql =>
  sql`SELECT max(blocked_until) AS until FROM attempt_throttle
    WHERE key_hash = ANY(${keys.filter((k) => k !== null)}::bytea[])`;

/** Returns the statement that deletes counted attempts after a correct one. */
export const forgetAttempts = (key: string): Sql => sql`DELETE FROM attempt_throttle WHERE key_hash = ${key}::bytea`;

/** Returns the statement that uncounts one attempt. */
export const uncountAttempt = (key: string): Sql =>
  sql`UPDATE attempt_throttle SET failures = greatest(failures - 1, 0) WHERE key_hash = ${key}::bytea`;

/** Returns whole seconds, at least one. */
export const secondsUntil = (until: number | null, now: number): number =>
  Math.max(1, Math.ceil(((until ?? now) - now) / 1000));

/** Counts an attempt; null: continue. */
export async function takeAttempt(
  tx: Transaction,
  key: string,
  policy: ThrottlePolicy,
  now: number,
): Promise<{ outcome: 'wait'; seconds: number } | null> {
  const [taken, [{ until }]] = await tx.all([countAttempt(key, policy, now), blockedUntil([key])]);
  return taken.length > 0 ? null : { outcome: 'wait', seconds: secondsUntil(until, now) };
}

/**
 * Counts a costly action across businesses; resolves to the seconds to wait if there were `most` in `windowMs` already.
 * Null: it was counted. A refusal that rolls the transaction back also undoes the count.
 */
export async function countAcrossBusinesses(
  tx: Transaction,
  key: string,
  { most, windowMs }: { readonly most: number; readonly windowMs: number },
  now: number,
): Promise<number | null> {
  const row = await tx.one<{ until: number | null }>(
    sql`
      SELECT count_across_businesses(${key}::bytea, ${most}, ${windowMs / 1000} * interval '1 second',
        ${instant(now)}::timestamptz) AS until`,
  );
  return row!.until === null ? null : secondsUntil(row!.until, now);
}
