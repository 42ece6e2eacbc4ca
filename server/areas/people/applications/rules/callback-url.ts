/** Decides which callback URLs an application may have. Pure; explained in docs/algorithms/callback-urls.md. */

export const MAX_CALLBACK_URLS = 20;
export const CALLBACK_URL_LENGTH = 2000;

/**
 * Matched against the text itself: a parser would turn `http://127.1` and `https:\\example.com` into URLs that nobody
 * wrote.
 */
const HTTPS = /^https:\/\/[^/?]+/i;
const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?([/?]|$)/i;
/** A scheme that is a reversed domain name, for example com.example.app; `javascript:` and `data:` have no dot. */
const OWN_SCHEME = /^[a-z][a-z0-9+-]*(\.[a-z0-9][a-z0-9+-]*)+:/i;

/** Returns what is wrong with a URL; null if nothing is. `isPublic`: the application has no secret. */
export function callbackUrlProblem(url: string, isPublic: boolean): string | null {
  if (url.length > CALLBACK_URL_LENGTH) return `Must be at most ${CALLBACK_URL_LENGTH} characters long.`;
  if (!/^[\x21-\x7e]+$/.test(url) || /[\\<>"`{}|^]/.test(url))
    return 'Contains characters that a URL can’t have. Encode them with %.';
  if (url.includes('#')) return 'A callback URL can’t have a fragment (#).';
  if (url.includes('*')) return 'A wildcard (*) is not possible: name each address whole.';
  const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?]*)/i.exec(url)?.[1] ?? '';
  if (authority.includes('@')) return 'A callback URL can’t have a user name or password.';
  if (!URL.canParse(url)) return 'A whole address is required, as https://app.example.com/callback.';
  if (HTTPS.test(url) || LOOPBACK.test(url)) return null;
  if (/^http:/i.test(url)) return 'Must start with https://. http:// is only for localhost, 127.0.0.1 and [::1].';
  if (/^https:/i.test(url)) return 'A whole address is required, as https://app.example.com/callback.';
  if (!OWN_SCHEME.test(url))
    return 'Must start with https://, or with the application’s own scheme with a dot in it, for example com.example.app:/callback.';
  return isPublic
    ? null
    : 'A scheme of its own is for public applications (is_public): one with a secret is called back at https://.';
}
