import { deskOf, type AccountPagesOptions } from '../account/index.ts';
import { INSTALLATION, ownerOf, type Entrance } from '../frame/index.ts';
import { entryRoutes } from './entry.ts';
import { setUpRoutes } from './routes.ts';
import { servePages } from '../../../kernel/pages/pages.ts';
import type { Area } from '../../../kernel/api/area.ts';
import type { FastifyInstance } from 'fastify';

export { setUpLink } from './code.ts';

/** Pages of the installation itself: its log-in, and its setup while there is no business. */
export const setUp: Area = {
  name: 'set-up',
  description: 'Pages of the installation: its set-up while there is no business, and logging in to the dashboard.',
};

/** Serves the pages at the root, next to the sites of businesses. */
export function setUpPages(http: FastifyInstance, options: AccountPagesOptions): void {
  const { door, limits, metrics, publicUrl } = options;
  const desk = deskOf(options);
  const main = publicUrl === undefined ? undefined : new URL(publicUrl).hostname;
  servePages<Entrance>(http, {
    prefix: '',
    routes: [...entryRoutes(desk), ...setUpRoutes(desk)],
    // The host name of a business has only that business's pages.
    site: async (_params, host = '') =>
      host === main || (await ownerOf(door.db, host)) === null ? INSTALLATION : null,
    limits,
    metrics,
    now: door.now,
    publicUrl,
  });
}
