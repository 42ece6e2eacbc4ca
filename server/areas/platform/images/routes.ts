/**
 * Public routes for the files of images, at addresses that can't be guessed and whose content never changes. They check
 * no credential and no database, so browsers and proxies can cache the files.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fileOf, FOLDER, TYPE_OF } from './addresses.ts';
import type { FileStore } from '../../../kernel/base/files/file-store.ts';

const HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  // Pictures of a business are embedded in its own website.
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
  'content-security-policy': "default-src 'none'; sandbox",
  'content-disposition': 'inline',
};

const COMMON_HEADERS = { 'x-content-type-options': 'nosniff' };

type Named = FastifyRequest<{ Params: { provider: string; key: string; file: string } }>;

export function imageDoors(http: FastifyInstance, files: FileStore): void {
  http.get(`/${FOLDER}/:provider/:key/:file`, async ({ params, id }: Named, reply) => {
    const found = await find(files, params);
    reply.headers({ ...COMMON_HEADERS, 'request-id': id });
    if (!found) return reply.headers({ 'cache-control': 'no-store' }).code(404).type('text/plain').send('Not found.');
    return reply.headers(HEADERS).type(found.type).send(found.bytes);
  });
}

async function find(files: FileStore, { provider, key, file }: Named['params']) {
  const [, width, ending] = /^([1-9]\d{0,4})\.(avif|webp|jpg|png)$/.exec(file) ?? [];
  if (!ending || !/^[1-9]\d{0,14}$/.test(provider) || !/^[A-Za-z0-9_-]{22}$/.test(key)) return null;
  const bytes = await files.get(fileOf({ provider: Number(provider), key }, Number(width), ending));
  return bytes && { bytes, type: TYPE_OF[ending] };
}
