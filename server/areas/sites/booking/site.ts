/** The booking site of a business: whose it is, who reads it and in which language, and where its pages are. */
import { businessBySlug, type Business } from '../accounts/index.ts';
import { CATALOG, type Say } from './messages.ts';
import { readerIn, readerOf, type Language, type Reader } from '../../../kernel/languages/languages.ts';
import { isSlug } from '../../platform/providers/index.ts';
import type { Database } from '../../../kernel/db/database.ts';
import type { Visit } from '../../../kernel/pages/visit.ts';

export type At = Visit<Business>;

const PATHS = { timetable: '/timetable', memberships: '/memberships' } as const;
export type PageName = 'home' | keyof typeof PATHS;

/** Where a page of the site is: `/harbour-lane/timetable`. */
export const sitePath = ({ home }: Pick<Business, 'home'>, page: PageName): string =>
  page === 'home' ? home : `${home}${PATHS[page]}`;

/** Finds a business by the name in a path. */
export const bySlug =
  (db: Database) =>
  async ({ slug = '' }: Readonly<Record<string, string>>): Promise<Business | null> =>
    isSlug(slug) ? businessBySlug(db, slug) : null;

/** What a page is written with, for the person who reads it. */
export interface Written {
  readonly say: Say;
  readonly reader: Reader;
}

/** A language that is chosen in the address is kept for the pages that follow. */
export function writtenFor(visit: At): Written {
  const asked = visit.query.get('lang');
  const reader = readerOf(visit.accepts, asked ?? visit.language, readerIn(visit.site.country));
  if (asked !== null && reader.language === asked) visit.keepLanguage(asked);
  return { say: CATALOG.for(reader, visit.site.tenant.words), reader };
}

/** The address of the page in a language, with everything else that was asked. */
export function inLanguage({ path, query }: Pick<At, 'path' | 'query'>, language: Language | null): string {
  const asked = new URLSearchParams(query);
  asked.delete('lang');
  if (language !== null) asked.set('lang', language);
  const text = asked.toString();
  return text === '' ? path : `${path}?${text}`;
}
