/**
 * Slows down guessing, for all processes together. An attempt is counted before it is judged, so that many at once get no
 * further than many in a row; one that was right is forgotten. The pause doubles up to a quarter of an hour and no longer:
 * nobody is locked out for good by somebody else's guesses.
 */
import { chargedNetwork } from './rules/network.ts';
import { instant, sql, type Sql } from '../../kernel/db/sql.ts';
import type { SecretBox } from '../../kernel/secret-box.ts';
import type { Transaction } from '../../kernel/db/database.ts';

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

export const ON_ACCOUNT: ThrottlePolicy = { free: 5, forgottenMs: THROTTLE_KEPT_MS };
/** An address may be a whole office. */
export const ON_ADDRESS: ThrottlePolicy = { free: 30, forgottenMs: HOUR };
/** What is asked for without proving anything, as mails; every one counts. */
export const ON_REQUEST: ThrottlePolicy = { free: 30, forgottenMs: HOUR / 4 };

/** What is counted, as `log_in` of an account; kept as a fingerprint, so the table names nobody. */
export const throttleKey = (box: SecretBox, what: string, whom: string | number): string => `\\x${box.fingerprint(`throttle ${what}`, String(whom)).toString('hex')}`;
export const addressKey = (box: SecretBox, what: string, ip: string): string => throttleKey(box, `${what} from`, chargedNetwork(ip));

/**
 * The statement that counts an attempt. Answers `failures` with this one; no row: the key is blocked, or `beside` is, and
 * nothing was counted.
 */
export function countAttempt(key: string, { free, forgottenMs }: ThrottlePolicy, now: number, beside: string | null = null): Sql {
  const at = instant(now);
  const failures = sql`(CASE WHEN t.last_at <= ${instant(now - forgottenMs)}::timestamptz THEN 1 ELSE t.failures + 1 END)`;
  return sql`INSERT INTO attempt_throttle AS t (key_hash, failures, blocked_until, last_at)
      SELECT ${key}::bytea, 1, to_timestamp(0), ${at}::timestamptz
      WHERE NOT EXISTS (SELECT FROM attempt_throttle b WHERE b.key_hash = ${beside}::bytea AND b.blocked_until > ${at}::timestamptz)
      ON CONFLICT (key_hash) DO UPDATE SET
        failures = ${failures}, last_at = ${at}::timestamptz,
        blocked_until = CASE WHEN ${failures} <= ${free} THEN to_timestamp(0)
          ELSE ${at}::timestamptz + make_interval(secs => least(${LONGEST_PAUSE_SECONDS}, power(2, least(${failures} - ${free}, 20)))) END
      WHERE t.blocked_until <= ${at}::timestamptz
      RETURNING failures`;
}

/** The statement that says until when any of the keys is blocked. */
export const blockedUntil = (keys: readonly (string | null)[]): Sql =>
  sql`SELECT max(blocked_until) AS until FROM attempt_throttle WHERE key_hash = ANY(${keys.filter((k) => k !== null)}::bytea[])`;

/** The statement that forgets what was counted: the attempt was right. */
export const forgetAttempts = (key: string): Sql => sql`DELETE FROM attempt_throttle WHERE key_hash = ${key}::bytea`;

/** Whole seconds, at least one. */
export const secondsUntil = (until: number | null, now: number): number => Math.max(1, Math.ceil(((until ?? now) - now) / 1000));

/** Counts an attempt; null: go on. */
export async function takeAttempt(tx: Transaction, key: string, policy: ThrottlePolicy, now: number): Promise<{ outcome: 'wait'; seconds: number } | null> {
  const [taken, [{ until }]] = await tx.all([countAttempt(key, policy, now), blockedUntil([key])]);
  return taken.length > 0 ? null : { outcome: 'wait', seconds: secondsUntil(until, now) };
}
