/** The icon of a business, for browsers and for home screens of phones. It is drawn at the first request. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { drawIcon, drawLetter, readLargeEnough } from '../../platform/images/index.ts';
import { FONTS } from '../../../kernel/base/pdf/fonts.ts';
import { ICON_SIZES, iconPicture, iconVersion, PLAIN_COLOR, type Look } from './brand.ts';
import { initialOf } from '../../../kernel/pages/layout.ts';
import { textOn } from '../../../kernel/base/values/color.ts';
import { translate } from '../../../kernel/api/requests/refusals.ts';
import type { Business } from './business.ts';
import type { FileStore } from '../../../kernel/base/files/file-store.ts';
import type { Limits } from '../../../kernel/api/limits/limits.ts';

/** In memory; each takes a few kilobytes. */
const MAX_CACHED_ICONS = 200;

export interface IconOptions {
  readonly site: (params: Readonly<Record<string, string>>) => Promise<Business | null>;
  readonly files: FileStore;
  readonly limits: Limits;
}

type Asked = FastifyRequest<{ Params: { provider_id: string; icon: string }; Querystring: { v?: string } }>;

export function iconDoors(http: FastifyInstance, { site, files, limits }: IconOptions): void {
  http.get('/images/:provider_id/:icon', async ({ params, query, ip, id, log }: Asked, reply) => {
    reply.headers({ 'x-content-type-options': 'nosniff', 'request-id': id });
    try {
      limits.takePage('page', ip);
      const size = ICON_SIZES.find((one) => params.icon === `icon-${one}.png`);
      const business = size === undefined ? null : await site(params);
      if (!business) return reply.header('cache-control', 'no-store').code(404).type('text/plain').send('Not found.');
      const { look } = business;
      const stays = query.v === iconVersion(look);
      return reply
        .headers({
          'cache-control': stays ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
          'cross-origin-resource-policy': 'cross-origin',
        })
        .type('image/png')
        .send(await drawnIcon(files, look, size!));
    } catch (error) {
      const { status } = translate(error, new Map());
      if (status >= 500) log.error({ err: error, request_id: id }, 'an icon could not be drawn');
      return reply.header('cache-control', 'no-store').code(status).type('text/plain').send('Try again later.');
    }
  });
}

/** Keyed by the store that holds the pictures. */
const kept = new WeakMap<FileStore, Map<string, Promise<Buffer>>>();

/** Returns a square PNG of this size in pixels; it is drawn at the first request. */
export function drawnIcon(files: FileStore, look: Look, size: number): Promise<Buffer> {
  const icons = kept.get(files) ?? new Map<string, Promise<Buffer>>();
  kept.set(files, icons);
  const name = `${look.id} ${size} ${iconVersion(look)}`;
  const known = icons.get(name);
  if (known) return known;
  if (icons.size >= MAX_CACHED_ICONS) icons.delete(icons.keys().next().value!);
  const icon = draw(files, look, size);
  icons.set(name, icon);
  // A failure is not cached, so the next request tries again.
  icon.catch(() => icons.delete(name));
  return icon;
}

async function draw(files: FileStore, look: Look, size: number): Promise<Buffer> {
  const from = iconPicture(look);
  const bytes = from && (await readLargeEnough(files, from, size));
  if (bytes) return drawIcon(bytes, size);
  const color = look.color ?? PLAIN_COLOR;
  return drawLetter({ letter: initialOf(look.name), color, on: textOn(color), font: FONTS.bold }, size);
}
