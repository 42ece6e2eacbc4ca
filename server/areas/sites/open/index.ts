import { bySlug } from '../booking/index.ts';
import { deskOf, type AccountPagesOptions, type Business } from '../accounts/index.ts';
import { PLAIN } from '../../../kernel/pages/layout.ts';
import { robots } from './robots.ts';
import { servePages } from '../../../kernel/pages/pages.ts';
import { sitemapIndex, sitemapOf } from './sitemap.ts';
import type { Area } from '../../../kernel/api/area.ts';
import type { FastifyInstance } from 'fastify';

/** What a business tells programs that nobody has let in: search engines and other services. */
export const open: Area = {
  name: 'open',
  description: 'What everybody may read by program: maps for search engines.',
};

/** Serves /robots.txt, the sitemaps, and what else is open to programs. */
export function openDoors(http: FastifyInstance, options: AccountPagesOptions): void {
  const { door, limits, metrics, publicUrl } = options;
  const desk = deskOf(options);
  const shared = { prefix: '', limits, metrics, now: door.now, publicUrl } as const;
  servePages(http, {
    ...shared,
    site: async () => PLAIN,
    routes: [
      {
        path: '/robots.txt',
        charged: 'page',
        get: async ({ baseUrl }) => ({ kind: 'document', document: await robots(door.db, baseUrl) }),
      },
      {
        path: '/sitemap.xml',
        charged: 'page',
        get: async ({ baseUrl, query, now }) => ({
          kind: 'document',
          document: await sitemapIndex(door.db, baseUrl, query.get('after') ?? '', now),
        }),
      },
    ],
  });
  servePages<Business>(http, {
    ...shared,
    site: bySlug(door.db),
    routes: [
      {
        path: '/{slug}/sitemap.xml',
        charged: 'page',
        get: async (visit) => ({ kind: 'document', document: await sitemapOf(desk, visit) }),
      },
    ],
  });
}
