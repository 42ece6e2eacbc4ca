/** Serves files of the library at their signed addresses, whole or in the parts that a player asks for. */
import { businessTime } from '../../../kernel/work/unit/work.ts';
import { fileOf, PATH, readLink } from './links.ts';
import { rangeIn } from './rules/byte-range.ts';
import type { EngineContext } from '../../../kernel/work/unit/engine.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Limits } from '../../../kernel/api/limits/limits.ts';

interface DoorOptions extends Pick<EngineContext, 'tenants' | 'installation' | 'now'> {
  readonly limits: Limits;
}

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
  'referrer-policy': 'no-referrer',
  'cache-control': 'private, no-store',
  'accept-ranges': 'bytes',
};

type Named = FastifyRequest<{ Params: { provider: string; token: string } }>;

/** Returns the header that names the file, for any name. */
const disposition = (name: string): string =>
  `inline; filename="${name.replaceAll(/[^\x20-\x7E]|["\\]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(name)}`;

export function contentDoors(http: FastifyInstance, { tenants, installation, now, limits }: DoorOptions): void {
  http.get(`/${PATH}/:provider/:token`, async ({ params, headers, ip, id }: Named, reply) => {
    limits.takePage('page', ip);
    reply.headers({ ...HEADERS, 'request-id': id });
    const refuse = (status: number, text: string) => reply.code(status).type('text/plain; charset=utf-8').send(text);
    const provider = /^[1-9]\d{0,14}$/.test(params.provider) ? Number(params.provider) : 0;
    const tenant = provider === 0 ? null : await tenants.of(provider);
    const link = tenant && readLink(installation.box, provider, params.token, businessTime(tenant, now()));
    if (!link) return refuse(404, 'This link has expired. Open the page again.');
    const bytes = await installation.files.get(fileOf({ provider, key: link.key }));
    if (!bytes) return refuse(404, 'This file was removed.');
    const range = rangeIn(headers.range, bytes.length);
    if (range === 'unsatisfiable')
      return refuse(416, 'The file is shorter.').header('content-range', `bytes */${bytes.length}`);
    reply.type(link.type).header('content-disposition', disposition(link.name));
    if (range === null) return reply.send(bytes);
    return reply
      .code(206)
      .header('content-range', `bytes ${range.first}-${range.last}/${bytes.length}`)
      .send(bytes.subarray(range.first, range.last + 1));
  });
}
