/**
 * Protection against cross-site request forgery. Each form carries a token that only our own pages can know, because it
 * is derived from a cookie that no script and no other site can read. It is bound to the session, or, before there is
 * one, to a cookie that exists for nothing else; so a token from before the log-in is invalid after it.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const SIZE = 32;

const bound = (secret: string): Buffer => createHash('sha256').update(`form token of ${secret}`).digest();
const xor = (a: Buffer, b: Buffer): Buffer => Buffer.from(a.map((byte, i) => byte ^ b[i]));

/**
 * Returns a token for one page. Every token looks different, so a compressing proxy can't leak it through the length of
 * its responses.
 */
export function formToken(secret: string): string {
  const mask = randomBytes(SIZE);
  return Buffer.concat([mask, xor(mask, bound(secret))]).toString('base64url');
}

/** Returns true if the token belongs to the secret. Takes constant time for every kind of mismatch. */
export function isFormToken(token: string | null, secret: string | null): boolean {
  if (token === null || secret === null || !/^[\w-]{86}$/.test(token)) return false;
  const bytes = Buffer.from(token, 'base64url');
  return timingSafeEqual(xor(bytes.subarray(0, SIZE), bytes.subarray(SIZE)), bound(secret));
}

/** The request's origin as the browser reports it. */
interface Origin {
  readonly fetchSite: string | undefined;
  readonly origin: string | undefined;
}

/**
 * Returns true if a form was sent from one of our pages. Browsers say so themselves: in `Sec-Fetch-Site`, else in
 * `Origin`. A browser that sends neither passes, because the token decides. `none` is a person who submits a form again
 * after restoring the window.
 */
export function isOwnOrigin({ fetchSite, origin }: Origin, own: string): boolean {
  if (fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none') return false;
  return origin === undefined || origin === own;
}
