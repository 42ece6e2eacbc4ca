/** Where a person goes on after logging in: an address of our own, never one that somebody else chose. */

/** What may be returned to: pages for people, of an account, a booking site or the dashboard, and an authorization that waits for the person. */
const OWN = [
  /^\/account\/[\w./-]*$/,
  /^\/dashboard(?:\/[\w./-]*)?$/,
  /^\/(?!(?:account|api|dashboard|log-in|log-out|set-up)(?:\/|$))[a-z0-9-]*[a-z][a-z0-9-]*(?:\/(?:timetable|memberships(?:\/\d+)?|gift-cards|events\/\d+(?:\/series)?|(?:courses|shop)(?:\/\d+)?|book(?:\/(?:\d+|time\/[\w-]+))?))?$/,
  /^\/api\/v2\/auth\/oauth\/authorize(?:\/[\w-]+)?$/,
];
const LONGEST = 2000;

/**
 * The path and query of `value` when it leads to a page of our own, else `fallback`. Only what browsers and servers
 * read in one single way passes: no backslash, no control character, no `//`, no dot segment, nothing encoded within
 * the path.
 */
export function safeReturn(value: string | null | undefined, fallback: string): string {
  if (!value || value.length > LONGEST || !/^\/[!-~]*$/.test(value) || /[\\"'<>`#]/.test(value)) return fallback;
  const [path, ...query] = value.split('?');
  if (path.includes('//') || path.split('/').some((segment) => segment === '.' || segment === '..')) return fallback;
  return OWN.some((own) => own.test(path)) ? [path, ...query].join('?') : fallback;
}
