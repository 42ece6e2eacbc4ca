/** Names of callers in the reports that processes exchange about rate limits. */
import { hash } from 'node:crypto';
import type { Buckets } from '../../kernel/api/limits/rate-limit-store.ts';
import type { SecretBox } from '../../kernel/base/secret-box.ts';

/**
 * Returns a function for names of callers in shared reports: the same in every process, and meaningless without the
 * secret key.
 */
export function callerNames(box: SecretBox): (caller: string) => string {
  const key = box.fingerprint('limits', '').toString('base64url');
  return (caller) => hash('sha256', `${key}\n${caller}`, 'base64url').slice(0, NAME_LENGTH);
}

const NAME_LENGTH = 16;

/** Returns the buckets under these names: a caller may be an address, which no report contains. */
export const underNames = (buckets: Buckets, named: (caller: string) => string): Buckets => ({
  take: (key, policy, now) => buckets.take(named(key), policy, now),
});
