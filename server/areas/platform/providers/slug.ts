/** The name of a business in the address of its booking site. Pure. */

const MAX_LENGTH = 60;

/** First path segments of the service's own addresses. */
const RESERVED = new Set([
  'account',
  'admin',
  'api',
  'app',
  'assets',
  'check-mail',
  'dashboard',
  'dev',
  'docs',
  'domains',
  'embed',
  'feed',
  'files',
  'forgot-password',
  'health',
  'healthz',
  'help',
  'images',
  'livez',
  'login',
  'log-in',
  'log-out',
  'metrics',
  'oauth',
  'openactive',
  'readyz',
  'robots',
  'rollcall',
  'second-factor',
  'set-up',
  'sign-up',
  'sitemap',
  'static',
  'status',
  'support',
  'version',
  'well-known',
  'www',
]);

export const SLUG_HINT =
  'Must have 2 to 60 lower-case letters, digits and single hyphens between them, with at least one letter, for example harbour-lane.';

/** Returns whether it is valid in an address: `harbour-lane`. */
export const isSlug = (text: string): boolean =>
  text.length >= 2 && text.length <= MAX_LENGTH && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(text) && /[a-z]/.test(text);

/** Returns whether the service reserves it. */
export const isReserved = (slug: string): boolean => RESERVED.has(slug);

/** Returns the name of the business whose pages these are, for example `slug:harbour`. */
export function slugInPath(path: string): string | null {
  const first = path.split('/', 2)[1] ?? '';
  return isSlug(first) && !isReserved(first) ? `slug:${first}` : null;
}

/**
 * Converts the name of a business: `Café Müller & Söhne` becomes `cafe-muller-sohne`. Returns null if nothing is left.
 */
export function slugOf(name: string): string | null {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replaceAll(/^-+|-+$/g, '');
  return isSlug(plain) && !isReserved(plain) ? plain : null;
}

/** Returns the first free one: `studio`, `studio-2`, `studio-3`. */
export function freeSlug(wanted: string, taken: ReadonlySet<string>): string {
  for (let n = 1; ; n++) {
    const end = n === 1 ? '' : `-${n}`;
    const one = `${wanted.slice(0, MAX_LENGTH - end.length).replace(/-$/, '')}${end}`;
    if (!taken.has(one)) return one;
  }
}
