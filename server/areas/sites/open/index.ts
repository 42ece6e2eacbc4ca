import { activities, catalogPage, datasetPage } from './openactive/dataset.ts';
import { bySlug } from '../booking/index.ts';
import { deskOf, type AccountPagesOptions, type At, type Business } from '../accounts/index.ts';
import { forgetPast, openReader } from './openactive/changes.ts';
import { PLAIN } from '../../../kernel/pages/layout.ts';
import { robots } from './robots.ts';
import { servePages, type PageRoute } from '../../../kernel/pages/pages.ts';
import { sessionsPage } from './openactive/page.ts';
import { sitemapIndex, sitemapOf } from './sitemap.ts';
import { sql } from '../../../kernel/db/sql.ts';
import { TABLES } from './tables.ts';
import type { Area } from '../../../kernel/api/area.ts';
import type { Database } from '../../../kernel/db/database.ts';
import type { Document } from '../../../kernel/api/document.ts';
import type { FastifyInstance } from 'fastify';
import type { PageAnswer, Site, Visit } from '../../../kernel/pages/visit.ts';

/** What a business tells programs that nobody has let in: search engines and other services. */
export const open: Area = {
  name: 'open',
  description: 'What everybody may read by program: sitemaps for search engines, and open data.',
  tables: TABLES,
  readers: [openReader],
  sweep: forgetPast,
};

/** Serves /robots.txt, the sitemaps, and what else is open to programs. */
export function openDoors(http: FastifyInstance, options: AccountPagesOptions): void {
  const { door, limits, metrics, publicUrl } = options;
  const shared = { prefix: '', limits, metrics, now: door.now, publicUrl } as const;
  servePages(http, { ...shared, site: async () => PLAIN, routes: ofInstallation(door.db) });
  servePages<Business>(http, { ...shared, site: listed(door.db, publicUrl), routes: ofBusiness(options) });
}

/** A business that wants to be listed. */
const listed =
  (db: Database, publicUrl?: string) => async (params: Readonly<Record<string, string>>, host?: string) => {
    const site = await bySlug(db, publicUrl)(params, host);
    const wants =
      site &&
      (await db.transaction(site.id, (tx) =>
        tx.one(sql`SELECT FROM provider WHERE provider_id = ${site.id} AND is_listed AND NOT is_test`),
      ));
    return wants ? site : null;
  };

const route = <S extends Site>(path: string, get: (visit: Visit<S>) => Promise<PageAnswer>): PageRoute<S> => ({
  path,
  charged: 'page',
  get,
});

const told = async (document: Promise<Document>): Promise<PageAnswer> => ({
  kind: 'document',
  document: await document,
});

const ofInstallation = (db: Database): PageRoute<Site>[] => [
  route('/robots.txt', ({ baseUrl }) => told(robots(db, baseUrl))),
  route('/sitemap.xml', ({ baseUrl, query, now }) => told(sitemapIndex(db, baseUrl, query.get('after') ?? '', now))),
  route('/openactive', ({ baseUrl }) => catalogPage(db, baseUrl)),
];

function ofBusiness(options: AccountPagesOptions): PageRoute<Business>[] {
  const desk = deskOf(options);
  return [
    route('/{slug}/sitemap.xml', (visit: At) => told(sitemapOf(desk, visit))),
    route('/{slug}/openactive', async (visit: At) => datasetPage(visit)),
    route('/{slug}/openactive/activities', (visit: At) => told(activities(desk, visit))),
    route('/{slug}/openactive/scheduled-sessions', (visit: At) => told(sessionsPage(desk, visit))),
  ];
}
