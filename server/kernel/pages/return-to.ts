/** Return addresses after a log-in: always one of our own, never one that somebody else chose. */

/**
 * Allowed targets: pages for people, of an account, a booking site or the dashboard, and an authorization that waits
 * for the person.
 */
const OWN = [
  /^\/account\/[\w./-]*$/,
  /^\/dashboard(?:\/[\w./-]*)?$/,
  /^\/(?!(?:account|api|dashboard|log-in|log-out|set-up)(?:\/|$))[a-z0-9-]*[a-z][a-z0-9-]*(?:\/(?:timetable|memberships(?:\/\d+)?|gift-cards|events\/\d+(?:\/(?:series|before))?|(?:courses|shop)(?:\/\d+)?|book(?:\/(?:\d+|time\/[\w-]+))?))?$/,
  /^\/api\/v2\/auth\/oauth\/authorize(?:\/[\w-]+)?$/,
];
const MAX_LENGTH = 2000;

/**
 * Returns the path and query of `value` if it leads to one of our pages, else `fallback`. It accepts only what browsers
 * and servers parse in a single way: no backslash, no control character, no `//`, no dot segment, nothing encoded in
 * the path.
 */
export function safeReturn(value: string | null | undefined, fallback: string): string {
  if (!value || value.length > MAX_LENGTH || !/^\/[!-~]*$/.test(value) || /[\\"'<>`#]/.test(value)) return fallback;
  const [path, ...query] = value.split('?');
  if (path.includes('//') || path.split('/').some((segment) => segment === '.' || segment === '..')) return fallback;
  return OWN.some((own) => own.test(path)) ? [path, ...query].join('?') : fallback;
}
