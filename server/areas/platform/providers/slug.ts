/** The name of a business in the address of its booking site. Pure. */

const MAX_LENGTH = 60;

/** What stands first in addresses of the service itself. */
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

/** Whether it can stand in an address: `harbour-lane`. */
export const isSlug = (text: string): boolean =>
  text.length >= 2 && text.length <= MAX_LENGTH && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(text) && /[a-z]/.test(text);

/** Whether the service keeps it for itself. */
export const isReserved = (slug: string): boolean => RESERVED.has(slug);

/** The name of the business whose pages these are, for example `slug:harbour`. */
export function slugInPath(path: string): string | null {
  const first = path.split('/', 2)[1] ?? '';
  return isSlug(first) && !isReserved(first) ? `slug:${first}` : null;
}

/** From the name of a business: `Café Müller & Söhne` becomes `cafe-muller-sohne`. Null: nothing of it can be written so. */
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

/** The first that is free: `studio`, `studio-2`, `studio-3`. */
export function freeSlug(wanted: string, taken: ReadonlySet<string>): string {
  for (let n = 1; ; n++) {
    const end = n === 1 ? '' : `-${n}`;
    const one = `${wanted.slice(0, MAX_LENGTH - end.length).replace(/-$/, '')}${end}`;
    if (!taken.has(one)) return one;
  }
}
