/**
 * Asks a service of leaked passwords. It hears the first five letters of the hash and answers all hashes that begin so;
 * it never learns which was meant. When it does not answer, the password is taken: a service elsewhere must not stop
 * people here.
 */
import { createHash } from 'node:crypto';

const WITHIN_MS = 2000;
const MOST_BYTES = 2_000_000;

export type Breached = (password: string) => Promise<number>;

export const nobodyAsked: Breached = async () => 0;

/** `url` is what the five letters are added to, behind a slash. */
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
      if (text.length > MOST_BYTES) throw new Error('its answer is too long');
      return countOf(text, hash.slice(5));
    } catch (err) {
      log.warn({ err }, 'the service of leaked passwords did not answer; the password was taken without it');
      return 0;
    }
  };
}

/** Lines are the rest of a hash, a colon, and how often it was seen; those with 0 only make every answer as long. */
function countOf(text: string, rest: string): number {
  for (const line of text.split('\n')) {
    const [suffix, count] = line.trim().split(':');
    if (suffix.toUpperCase() === rest) return Number(count) || 0;
  }
  return 0;
}
