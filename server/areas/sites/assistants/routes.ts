/** The endpoint for assistants on HTTP: `/mcp`, `/mcp/read`, and their descriptions. */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DOORS, metadataFor, metadataPaths, metadataUrl, scopesAt } from './metadata.ts';
import { Library } from '../reference/index.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { Session } from './session.ts';
import { translate } from '../../../kernel/api/requests/refusals.ts';
import type { Database } from '../../../kernel/base/db/database.ts';
import type { Entrance } from '../../../kernel/work/access/grant.ts';
import type { IncomingRequest } from '../../../kernel/api/requests/exchange.ts';
import type { Installation } from '../../../kernel/work/unit/installation.ts';
import type { Metrics } from '../../../kernel/base/metrics.ts';
import type { Pipeline } from '../../../kernel/api/requests/pipeline.ts';
import type { Registry } from '../../../kernel/api/registry.ts';

interface AssistantOptions {
  readonly db: Database;
  readonly registry: Registry;
  readonly pipeline: Pipeline;
  readonly installation: Pick<Installation, 'baseUrl'>;
  readonly metrics: Pick<Metrics, 'request'>;
  readonly log: { error(o: object, m: string): void };
}

/** Longer than any call of a tool. */
const BODY_LIMIT = 256 * 1024;

/** Serves the endpoint for assistants. */
export function assistantDoors(http: FastifyInstance, options: AssistantOptions): void {
  for (const entrance of DOORS) {
    for (const url of metadataPaths(entrance))
      http.get(url, (_request, reply) =>
        reply
          .headers({ 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=300' })
          .send(metadataFor(options.installation.baseUrl, entrance)),
      );
    http.route({
      method: ['GET', 'POST', 'DELETE'],
      url: `/${entrance}`,
      bodyLimit: BODY_LIMIT,
      exposeHeadRoute: false,
      handler: (request, reply) => serve(options, entrance, request, reply),
    });
  }
}

async function serve(
  options: AssistantOptions,
  entrance: Entrance,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const started = performance.now();
  try {
    return await answer(options, entrance, request, reply);
  } catch (error) {
    const problem = translate(error, options.registry.constraints);
    if (problem.status >= 500) options.log.error({ err: error, request_id: request.id }, 'request failed');
    return reply
      .code(problem.status)
      .headers({ ...problem.headers, ...challenge(options, entrance, request, problem), 'cache-control': 'no-store' })
      .send(problem.body(request.id));
  } finally {
    options.metrics.request(`${request.method} /${entrance}`, reply.statusCode, performance.now() - started);
  }
}

/** Returns the header that tells a client where to log in, for a request without a valid credential. */
function challenge(
  { installation }: AssistantOptions,
  entrance: Entrance,
  { headers }: FastifyRequest,
  { status }: Problem,
): Record<string, string> {
  if (status !== 401) return {};
  const parts = [
    ...(headers.authorization === undefined ? [] : ['error="invalid_token"']),
    `resource_metadata="${metadataUrl(installation.baseUrl, entrance)}"`,
    `scope="${scopesAt(entrance).at(-1)}"`,
  ];
  return { 'www-authenticate': `Bearer ${parts.join(', ')}` };
}

/**
 * Refuses requests of pages in a browser other than our own. A token has to come with each request, so another page
 * could do nothing; the protocol asks for it all the same.
 */
function checkOrigin({ installation }: AssistantOptions, { headers }: FastifyRequest): void {
  const { origin } = headers;
  if (origin === undefined || origin === new URL(installation.baseUrl).origin) return;
  throw new Problem('permission_denied', 'Pages of other origins can’t call this endpoint. Call it from a program.');
}

async function answer(
  options: AssistantOptions,
  entrance: Entrance,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { db, registry, pipeline, installation } = options;
  const { baseUrl } = installation;
  checkOrigin(options, request);
  const headers: Record<string, string> = {};
  const incoming: IncomingRequest = {
    method: request.method,
    url: request.url,
    headers: request.headers as Record<string, string | undefined>,
    query: {},
    params: {},
    body: Buffer.alloc(0),
    baseUrl,
    pagesUrl: baseUrl,
    ip: request.ip,
    requestId: request.id,
    seen: { caller: null },
    entrance,
    whileHere: (act) => act(new AbortController().signal),
  };
  const admitted = await pipeline.admit(incoming, headers);
  const session = new Session({ db, registry, pipeline, admitted, entrance, pagesUrl: baseUrl });
  const response = await (
    await protocol(options)
  )(
    new Request(`${baseUrl}/${entrance}`, {
      method: request.method,
      headers: Object.entries(request.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
      ...(request.method === 'POST' && { body: new Uint8Array((request.body as Buffer | undefined) ?? []) }),
    }),
    session,
  );
  reply
    .code(response.status)
    .headers({ ...headers, ...Object.fromEntries(response.headers), 'request-id': request.id });
  return response.body === null ? reply.send() : reply.send(Readable.fromWeb(response.body as never));
}

type Serve = (request: Request, session: Session) => Promise<Response>;

const loaded = new WeakMap<AssistantOptions, Promise<Serve>>();

/** Loads the library of the protocol on first use: most installations have no assistant. */
function protocol(options: AssistantOptions): Promise<Serve> {
  let serve = loaded.get(options);
  if (!serve) loaded.set(options, (serve = load(options)));
  return serve;
}

async function load({ installation, log }: AssistantOptions): Promise<Serve> {
  const { createMcpHandler } = await import('@modelcontextprotocol/server');
  const { serverFor } = await import('./server.ts');
  const library = new Library();
  const handler = createMcpHandler(
    ({ authInfo }) =>
      serverFor({ session: authInfo!.extra!.session as Session, library, baseUrl: installation.baseUrl }),
    { onerror: (err) => log.error({ err }, 'an assistant was not answered'), maxRequestBodySize: BODY_LIMIT },
  );
  return (request, session) =>
    handler.fetch(request, { authInfo: { token: '', clientId: '', scopes: [], extra: { session } } });
}
