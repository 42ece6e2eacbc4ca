/** Who reads a page and in which language, and where the pages of a business are. */
import { DEFAULT_WORDS } from '../../../../kernel/base/values/words.ts';
import { ENGLISH, readerOf, type Language, type Reader } from '../../../../kernel/base/languages/languages.ts';
import type { Business } from '../business.ts';
import type { Entrance } from '../entrance.ts';
import type { Catalog, Say } from '../../../../kernel/base/languages/catalog.ts';
import type { Visit } from '../../../../kernel/pages/visit.ts';

const PATHS = {
  timetable: '/timetable',
  memberships: '/memberships',
  book: '/book',
  courses: '/courses',
  shop: '/shop',
  'gift-cards': '/gift-cards',
} as const;
/** Pages that the menu names. */
export type PageName = 'home' | keyof typeof PATHS;

export type Placed = Pick<Business, 'id' | 'home'>;

/** Whether the business has an address of its own, with pages below it. */
export const hasSite = ({ home }: Pick<Business, 'home'>): boolean => !home.startsWith('/account/');

/** Where a page of the site is: `/harbour-lane/timetable`. */
export const sitePath = ({ home }: Pick<Business, 'home'>, page: PageName): string =>
  page === 'home' ? home : `${home}${PATHS[page]}`;

/** What a page is written with, for the person who reads it. */
export interface Written<Key extends string> {
  readonly say: Say<Key>;
  readonly reader: Reader;
}

/** In the language of the person who reads. One that is chosen in the address is kept for the pages that follow. */
export function writtenWith<Key extends string>(visit: Visit<Entrance>, catalog: Catalog<Key>): Written<Key> {
  const asked = visit.query.get('lang');
  const reader = readerOf(visit.accepts, asked ?? visit.language, visit.site.reader ?? ENGLISH);
  if (asked !== null && reader.language === asked) visit.keepLanguage(asked);
  return { say: catalog.for(reader, visit.site.tenant?.words ?? DEFAULT_WORDS), reader };
}

/** The address of the page in a language, with everything else that was asked. */
export function inLanguage({ path, query }: Pick<Visit, 'path' | 'query'>, language: Language | null): string {
  const asked = new URLSearchParams(query);
  asked.delete('lang');
  if (language !== null) asked.set('lang', language);
  const text = asked.toString();
  return text === '' ? path : `${path}?${text}`;
}
