/** The reader of a page and its language, and the addresses of a business's pages. */
import { DEFAULT_WORDS } from '../../../kernel/base/values/words.ts';
import { ENGLISH, readerOf, type Language, type Reader } from '../../../kernel/base/languages/languages.ts';
import type { Business } from './business.ts';
import type { Entrance } from './entrance.ts';
import type { Catalog, Say } from '../../../kernel/base/languages/catalog.ts';
import type { Visit } from '../../../kernel/pages/visit.ts';

const PATHS = {
  timetable: '/timetable',
  memberships: '/memberships',
  book: '/book',
  courses: '/courses',
  shop: '/shop',
  'gift-cards': '/gift-cards',
  library: '/library',
} as const;
/** Pages in the menu. */
export type PageName = 'home' | keyof typeof PATHS;

export type Placed = Pick<Business, 'id' | 'home'>;

/** Returns true if the business has a site of its own, with pages below it. */
export const hasSite = ({ home }: Pick<Business, 'home'>): boolean => !home.startsWith('/account/');

/** Returns the path of a page of the site: `/harbour-lane/timetable`. */
export const sitePath = ({ home }: Pick<Business, 'home'>, page: PageName): string =>
  page === 'home' ? home : `${home}${PATHS[page]}`;

/** The texts of a page for the person who reads it. */
export interface Written<Key extends string> {
  readonly say: Say<Key>;
  readonly reader: Reader;
}

/** Returns the texts in the reader's language. A language chosen in the address is remembered for the next pages. */
export function writtenWith<Key extends string>(visit: Visit<Entrance>, catalog: Catalog<Key>): Written<Key> {
  const asked = visit.query.get('lang');
  const reader = readerOf(visit.accepts, asked ?? visit.language, visit.site.reader ?? ENGLISH);
  if (asked !== null && reader.language === asked) visit.keepLanguage(asked);
  return { say: catalog.for(reader, visit.site.tenant?.words ?? DEFAULT_WORDS), reader };
}

/** Returns the address of the page in a language, with the rest of the query. */
export function inLanguage({ path, query }: Pick<Visit, 'path' | 'query'>, language: Language | null): string {
  const asked = new URLSearchParams(query);
  asked.delete('lang');
  if (language !== null) asked.set('lang', language);
  const text = asked.toString();
  return text === '' ? path : `${path}?${text}`;
}
