/**
 * The check that a proxy makes before it requests a certificate for a host name: has a business proved that it owns the
 * name? Without it, anybody could make the proxy request certificates until the issuer's limit is reached.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hostOf, NO_CONSTRAINTS, wantsPage, writtenPage } from '../../../kernel/pages/failing.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { translate } from '../../../kernel/api/requests/refusals.ts';
import type { Limits } from '../../../kernel/api/limits/limits.ts';

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
      const { status } = translate(error, NO_CONSTRAINTS);
      if (status >= 500) log.error({ err: error, request_id: id }, 'a domain could not be checked');
      return reply.code(status).send('Try again later.');
    }
  });
}

/**
 * Addresses that accept a log-in, a password or a staff token: the dashboard, the reference, and log-in for
 * applications.
 */
const OF_INSTALLATION = /^\/(?:dashboard|docs|api\/v2\/(?:auth|providers\/\d+\/register_customer))(?:[/?]|$)/;

/**
 * Keeps these addresses off the host names of businesses: browsers are redirected to the installation, and programs are
 * refused. The owner of such a name can read everything that is sent there.
 */
export function onlyAtInstallation(
  http: FastifyInstance,
  {
    owner,
    installation,
    publicUrl,
  }: Pick<DomainDoorOptions, 'owner'> & {
    readonly installation: { readonly baseUrl: string };
    readonly publicUrl: string | undefined;
  },
): void {
  const main = publicUrl === undefined ? undefined : new URL(publicUrl).hostname;
  http.addHook('onRequest', async (request, reply) => {
    if (!OF_INSTALLATION.test(request.url)) return;
    const host = hostOf(request);
    if (host === main) return;
    try {
      if ((await owner(host)) === null) return;
    } catch (error) {
      return unknownYet(request, reply, translate(error, NO_CONSTRAINTS));
    }
    if (request.method === 'GET' && wantsPage(request))
      return reply.code(303).header('location', `${installation.baseUrl}${request.url}`).send();
    const problem = new Problem('permission_denied', `Send this request to ${installation.baseUrl}.`);
    return reply.code(problem.status).send(problem.body(request.id));
  });
}

/**
 * Asks the caller to try again while the owner of the host name can't be determined, in the format of the requested
 * address.
 */
function unknownYet(request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply {
  if (wantsPage(request)) {
    const { status, headers, body } = writtenPage(request, problem, request.protocol === 'https');
    return reply.code(status).headers(headers).send(body);
  }
  const body = request.url.startsWith('/api/v2/auth')
    ? { error: 'temporarily_unavailable', error_description: problem.message }
    : problem.body(request.id);
  return reply
    .code(problem.status)
    .headers({ ...problem.headers, 'cache-control': 'no-store' })
    .send(body);
}

/**
 * Returns the key of the domain that the proxy asks about. The proxy may ask any cell: the one whose business has the
 * domain confirms it.
 */
export const domainInPath = (path: string, query: URLSearchParams): string | null =>
  path === '/domains/check' && query.has('domain') ? `host:${query.get('domain')!.toLowerCase()}` : null;
