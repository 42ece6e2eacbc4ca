/**
 * What a proxy asks before it gets a certificate for a host name: whether a business has proved that the name is its own.
 * Without it, anybody could let the proxy ask for certificates until it gets none any more.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { translate } from '../../../kernel/api/refusals.ts';
import type { Limits } from '../../../kernel/limits.ts';

export interface DomainDoorOptions {
  readonly owner: (host: string) => Promise<number | null>;
  readonly limits: Limits;
}

type Asked = FastifyRequest<{ Querystring: { domain?: string | string[] } }>;

export function domainDoor(http: FastifyInstance, { owner, limits }: DomainDoorOptions): void {
  http.get('/domains/check', async ({ query: { domain }, ip, id, log }: Asked, reply) => {
    reply
      .headers({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store', 'request-id': id })
      .type('text/plain');
    try {
      limits.takePage('page', ip);
      const host = typeof domain === 'string' && domain.length <= 253 ? domain.toLowerCase() : '';
      const isOurs = host !== '' && (await owner(host)) !== null;
      return reply.code(isOurs ? 200 : 404).send(isOurs ? 'yes' : 'no');
    } catch (error) {
      const { status } = translate(error, new Map());
      if (status >= 500) log.error({ err: error, request_id: id }, 'a domain could not be checked');
      return reply.code(status).send('Try again later.');
    }
  });
}

/** The proxy asks any cell: the one whose business has the domain says yes. */
export const domainInPath = (path: string, query: URLSearchParams): string | null =>
  path === '/domains/check' && query.has('domain') ? `host:${query.get('domain')!.toLowerCase()}` : null;
