/**
 * Slows down guessing, for all processes together. An attempt is counted before it is judged, so that many at once get
 * no further than many in a row; one that was right is forgotten. The pause doubles up to a quarter of an hour and no
 * longer.
 */
import { chargedNetwork } from '../../../kernel/base/values/network.ts';
import { instant, raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import type { SecretBox } from '../../../kernel/base/secret-box.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';

export interface ThrottlePolicy {
  /** attempts without a pause */
  readonly free: number;
  /** without an attempt for so long, it begins anew */
  readonly forgottenMs: number;
}

const HOUR = 3_600_000;

export const LONGEST_PAUSE_SECONDS = 900;
/** Older ones are forgotten by every policy. */
export const THROTTLE_KEPT_MS = 24 * HOUR;

/** One account from one network. */
export const ON_ACCOUNT: ThrottlePolicy = { free: 5, forgottenMs: THROTTLE_KEPT_MS };
/**
 * One account from all networks that its person has not logged in from: guessing from many places at once gets no
 * further.
 */
export const ON_ACCOUNT_ANYWHERE: ThrottlePolicy = { free: 100, forgottenMs: THROTTLE_KEPT_MS };
/** An address may be a whole office. */
export const ON_ADDRESS: ThrottlePolicy = { free: 30, forgottenMs: HOUR };
/** What is asked for without proving anything, as mails; every one counts. */
export const ON_REQUEST: ThrottlePolicy = { free: 30, forgottenMs: HOUR / 4 };

/** What is counted, as `log_in` of an account; kept as a fingerprint, so the table names nobody. */
export const throttleKey = (box: SecretBox, what: string, whom: string | number): string =>
  `\\x${box.fingerprint(`throttle ${what}`, String(whom)).toString('hex')}`;
/**
 * What is counted of somebody by where it comes from: a stranger's guesses don't make the person wait somewhere else.
 */
export const placeKey = (box: SecretBox, what: string, whom: string | number, ip: string): string =>
  throttleKey(box, `${what} at`, `${whom} ${chargedNetwork(ip)}`);
export const addressKey = (box: SecretBox, what: string, ip: string): string =>
  throttleKey(box, `${what} from`, chargedNetwork(ip));

/**
 * The statement that counts an attempt, where `only` says so. Answers `failures` with this one; no row: the key is
 * blocked, and nothing was counted.
 */
export function countAttempt(
  key: string,
  { free, forgottenMs }: ThrottlePolicy,
  now: number,
  only: Sql = raw('true'),
): Sql {
  const at = instant(now);
  const failures = sql`(CASE WHEN t.last_at <= ${instant(now - forgottenMs)}::timestamptz THEN 1 ELSE t.failures + 1 END)`;
  return sql`INSERT INTO attempt_throttle AS t (key_hash, failures, blocked_until, last_at)
      SELECT ${key}::bytea, 1, to_timestamp(0), ${at}::timestamptz
      WHERE ${only}
      ON CONFLICT (key_hash) DO UPDATE SET
        failures = ${failures}, last_at = ${at}::timestamptz,
        blocked_until = CASE WHEN ${failures} <= ${free} THEN to_timestamp(0)
          ELSE ${at}::timestamptz + make_interval(secs => least(${LONGEST_PAUSE_SECONDS}, power(2, least(${failures} - ${free}, 20)))) END
      WHERE t.blocked_until <= ${at}::timestamptz
      RETURNING failures`;
}

/** The key is blocked. */
export const isBlocked = (key: string, now: number): Sql =>
  sql`EXISTS (SELECT FROM attempt_throttle b WHERE b.key_hash = ${key}::bytea AND b.blocked_until > ${instant(now)}::timestamptz)`;
/** An attempt was counted at this very moment. */
export const isCounted = (key: string, now: number): Sql =>
  sql`EXISTS (SELECT FROM attempt_throttle b WHERE b.key_hash = ${key}::bytea AND b.last_at = ${instant(now)}::timestamptz)`;

/** The statement that says until when any of the keys is blocked. */
export const blockedUntil = (keys: readonly (string | null)[]): Sql =>
  sql`SELECT max(blocked_until) AS until FROM attempt_throttle WHERE key_hash = ANY(${keys.filter((k) => k !== null)}::bytea[])`;

/** The statement that forgets what was counted: the attempt was right. */
export const forgetAttempts = (key: string): Sql => sql`DELETE FROM attempt_throttle WHERE key_hash = ${key}::bytea`;

/** The statement that takes back one of the attempts that were counted. */
export const uncountAttempt = (key: string): Sql =>
  sql`UPDATE attempt_throttle SET failures = greatest(failures - 1, 0) WHERE key_hash = ${key}::bytea`;

/** Whole seconds, at least one. */
export const secondsUntil = (until: number | null, now: number): number =>
  Math.max(1, Math.ceil(((until ?? now) - now) / 1000));

/** Counts an attempt; null: go on. */
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
 * Counts something that costs money by what is not of one business; resolves to the seconds to wait where there were `most`
 * in `windowMs` already. Null: it was counted. A refusal that undoes the transaction undoes the count.
 */
export async function countAcrossBusinesses(
  tx: Transaction,
  key: string,
  { most, windowMs }: { readonly most: number; readonly windowMs: number },
  now: number,
): Promise<number | null> {
  const row = await tx.one<{ until: number | null }>(
    sql`SELECT count_across_businesses(${key}::bytea, ${most}, ${windowMs / 1000} * interval '1 second', ${instant(now)}::timestamptz) AS until`,
  );
  return row!.until === null ? null : secondsUntil(row!.until, now);
}
