/**
 * Against forms that another site sends in a person's name: each form holds a token that only our own pages can know,
 * for it is made from a cookie that no script and no other site can read. It is bound to the session, and before there
 * is one to a cookie that exists for nothing else; so a token of before the log-in is worth nothing after it.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const SIZE = 32;

const bound = (secret: string): Buffer => createHash('sha256').update(`form token of ${secret}`).digest();
const xor = (a: Buffer, b: Buffer): Buffer => Buffer.from(a.map((byte, i) => byte ^ b[i]));

/**
 * A token for one page. No two look alike, so that a compressing proxy tells nothing of it by the length of its
 * answers.
 */
export function formToken(secret: string): string {
  const mask = randomBytes(SIZE);
  return Buffer.concat([mask, xor(mask, bound(secret))]).toString('base64url');
}

/** Does the token belong to the secret? Takes the same time whatever is wrong. */
export function isFormToken(token: string | null, secret: string | null): boolean {
  if (token === null || secret === null || !/^[\w-]{86}$/.test(token)) return false;
  const bytes = Buffer.from(token, 'base64url');
  return timingSafeEqual(xor(bytes.subarray(0, SIZE), bytes.subarray(SIZE)), bound(secret));
}

/** What a browser says about where a request comes from. */
export interface Origin {
  readonly fetchSite: string | undefined;
  readonly origin: string | undefined;
}

/**
 * Was a form sent from a page of ours? Browsers say it themselves: `Sec-Fetch-Site`, else `Origin`. One that says
 * neither is let through, for the token decides. `none` is a person who sends a form again after restoring the window.
 */
export function isOwnOrigin({ fetchSite, origin }: Origin, own: string): boolean {
  if (fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none') return false;
  return origin === undefined || origin === own;
}
