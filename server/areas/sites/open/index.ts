import { activities, catalogPage, datasetPage } from './openactive/dataset.ts';
import { bySlug } from '../booking/index.ts';
import { businessByHost, type At, type Business, type Desk } from '../frame/index.ts';
import { deskOf, type AccountPagesOptions } from '../account/index.ts';
import { forgetPast, openReader } from './openactive/changes.ts';
import { PLAIN } from '../../../kernel/pages/layout.ts';
import { openPath } from './openactive/addresses.ts';
import { robots } from './robots.ts';
import { servePages, type PageRoute } from '../../../kernel/pages/pages.ts';
import { sessionsPage } from './openactive/page.ts';
import { sitemapIndex, sitemapOf } from './sitemap.ts';
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { TABLES } from './tables.ts';
import type { Area } from '../../../kernel/api/area.ts';
import type { Database } from '../../../kernel/base/db/database.ts';
import type { Document } from '../../../kernel/pages/document.ts';
import type { FastifyInstance } from 'fastify';
import { seeOther, type PageAnswer, type Site, type Visit } from '../../../kernel/pages/visit.ts';

/** Public data of a business for programs without an account: search engines and other services. */
export const open: Area = {
  name: 'open',
  description: 'Public data for programs: sitemaps for search engines, and open data.',
  tables: TABLES,
  readers: [openReader],
  sweep: forgetPast,
};

/** Serves /robots.txt, the sitemaps, and the open data. */
export function openDoors(http: FastifyInstance, options: AccountPagesOptions): void {
  const { door, limits, metrics, publicUrl } = options;
  const shared = { prefix: '', limits, metrics, now: door.now, publicUrl } as const;
  servePages<Site>(http, {
    ...shared,
    site: async (_params, host = '') => (await businessByHost(door.db, host, publicUrl)) ?? PLAIN,
    routes: atEveryHost(door.db, publicUrl),
  });
  const desk = deskOf(options);
  const wants = (what: Sql) => businessThat(what, door.db, publicUrl);
  servePages<Business>(http, { ...shared, site: wants(raw('is_listed')), routes: forSearch(desk, publicUrl) });
  servePages<Business>(http, { ...shared, site: wants(raw('publishes_open_data')), routes: openData(desk, publicUrl) });
}

/** Finds a business that has opted in, by this column. */
const businessThat =
  (wants: Sql, db: Database, publicUrl: string | undefined) =>
  async (params: Readonly<Record<string, string>>, host?: string): Promise<Business | null> => {
    const site = await bySlug(db, publicUrl)(params, host);
    const does =
      site &&
      (await db.transaction(site.id, (tx) =>
        tx.one(sql`SELECT FROM provider WHERE provider_id = ${site.id} AND ${wants} AND NOT is_test`),
      ));
    return does ? site : null;
  };

const route = <S extends Site>(path: string, get: (visit: Visit<S>) => Promise<PageAnswer>): PageRoute<S> => ({
  path,
  charged: 'page',
  get,
});

/**
 * Returns the document. Its addresses begin with the requested host name, unless the installation has an address or the
 * name belongs to a business. Such a document is only for its requester, so shared caches must not store it.
 */
const textPage = async (
  { ownHost }: Visit<any>,
  publicUrl: string | undefined,
  made: Promise<Document>,
): Promise<PageAnswer> => {
  const document = await made;
  if (publicUrl !== undefined || ownHost !== null) return { kind: 'document', document };
  const cached = document.headers['cache-control']?.replace('public', 'private') ?? 'no-store';
  return { kind: 'document', document: { ...document, headers: { ...document.headers, 'cache-control': cached } } };
};

/** Returns the business at its own host name; null at the address of the installation. */
const owner = ({ site }: Visit<Site>): number | null => (site === PLAIN ? null : (site as Business).id);

const atEveryHost = (db: Database, publicUrl: string | undefined): PageRoute<Site>[] => [
  route('/robots.txt', (visit) => textPage(visit, publicUrl, robots(db, visit.baseUrl, owner(visit)))),
  route('/sitemap.xml', (visit) => {
    const { baseUrl, query, now } = visit;
    return textPage(
      visit,
      publicUrl,
      sitemapIndex(db, { baseUrl, after: query.get('after') ?? '', now, business: owner(visit) }),
    );
  }),
  route('/openactive', async ({ site, baseUrl }) =>
    site === PLAIN ? catalogPage(db, baseUrl) : seeOther(openPath(site as Business)),
  ),
];

const forSearch = (desk: Desk, publicUrl: string | undefined): PageRoute<Business>[] => [
  route('/{slug}/sitemap.xml', (visit: At) => textPage(visit, publicUrl, sitemapOf(desk, visit))),
];

const openData = (desk: Desk, publicUrl: string | undefined): PageRoute<Business>[] => [
  route('/{slug}/openactive', async (visit: At) => datasetPage(visit)),
  route('/{slug}/openactive/activities', (visit: At) => textPage(visit, publicUrl, activities(desk, visit))),
  route('/{slug}/openactive/scheduled-sessions', (visit: At) => textPage(visit, publicUrl, sessionsPage(desk, visit))),
];
