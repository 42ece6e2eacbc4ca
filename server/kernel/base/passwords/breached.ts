/**
 * Checks a service of leaked passwords. The service receives the first five letters of the hash and returns all hashes
 * with that prefix; it never learns which one was meant. If it does not respond, the password is accepted: an external
 * service must not block people here.
 */
import { createHash } from 'node:crypto';

const WITHIN_MS = 2000;
const MAX_BYTES = 2_000_000;

export type Breached = (password: string) => Promise<number>;

export const nobodyAsked: Breached = async () => 0;

/** Returns a check with a service. `url` is the prefix to which a slash and the five letters are added. */
export function breachedBy(url: string, log: { warn(o: object, m: string): void }): Breached {
  return async (password) => {
    const hash = createHash('sha1').update(password).digest('hex').toUpperCase();
    try {
      const answer = await fetch(`${url}/${hash.slice(0, 5)}`, {
        headers: { 'add-padding': 'true', 'user-agent': 'Rollcall' },
        redirect: 'error',
        signal: AbortSignal.timeout(WITHIN_MS),
      });
      if (!answer.ok) throw new Error(`it answered ${answer.status}`);
      const text = await answer.text();
      if (text.length > MAX_BYTES) throw new Error('its answer is too long');
      return countOf(text, hash.slice(5));
    } catch (err) {
      log.warn({ err }, 'the service of leaked passwords did not answer; the password was taken without it');
      return 0;
    }
  };
}

/**
 * Returns the count of a hash. Each line is the rest of a hash, a colon, and its count; lines with 0 only pad the
 * response.
 */
function countOf(text: string, rest: string): number {
  for (const line of text.split('\n')) {
    const [suffix, count] = line.trim().split(':');
    if (suffix.toUpperCase() === rest) return Number(count) || 0;
  }
  return 0;
}
