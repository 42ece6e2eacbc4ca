/** The pipeline on HTTP: routes from the registry, the refusals that belong to HTTP itself, logs and metrics. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Duplex } from 'node:stream';
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { BODY_LIMIT } from './input.ts';
import { Failure } from './refusals.ts';
import { Pipeline, type PipelineOptions } from './pipeline.ts';
import { refusal, wantsXml, type IncomingRequest, type Outgoing } from './exchange.ts';
import { notFound, Problem } from './problem.ts';
import { Streams, STREAM_DEFAULTS, type StreamOptions } from './streams.ts';
import type { Endpoint } from './endpoint.ts';
import type { Metrics } from '../metrics.ts';

export const PREFIX = '/api/v2';

export interface HttpOptions extends PipelineOptions {
  log: FastifyBaseLogger;
  metrics: Metrics;
  /** the address that the world calls the service by; absent: each caller is answered with the one that it called */
  publicUrl: string | undefined;
  /** answers a browser that asks for what is not there; null: like everybody else, by a refusal */
  strayed?: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> | null;
  /** believe X-Forwarded-* of a proxy in front */
  trustProxy: boolean;
  /** how long a connection without a request may still bring one when the server ends, ms */
  drainMs: number;
  streams?: Partial<Pick<StreamOptions, 'heartbeatMs' | 'slowMs' | 'perCaller' | 'perProcess'>>;
}

/** `/events/external_id:{external_id}` → the router's form. */
const routePath = (path: string): string => PREFIX + path.replaceAll(':', '::').replaceAll(/\{([^}]*)\}/g, ':$1');

export function createHttp(options: HttpOptions): FastifyInstance {
  const { registry, log, metrics, publicUrl, trustProxy, drainMs } = options;
  const pipeline = new Pipeline(options);
  const streams = new Streams({ ...STREAM_DEFAULTS, ...options.streams, log, catchUp: () => options.credentials.catchUp() });
  metrics.watchStreams(() => streams.open);
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy,
    bodyLimit: BODY_LIMIT,
    genReqId: () => randomUUID(),
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    exposeHeadRoutes: true,
    // An address that no route could even be looked up for.
    frameworkErrors: (error, request, reply) => void send(reply, refusal(httpProblem(error), request.id, false, {})),
    clientErrorHandler: refuseConnection,
  });

  app.addHook('preClose', () => {
    streams.close();
    return drain(app.server, drainMs);
  });

  // Bodies are read as they are: what they must be is said by the endpoint, and idempotency hashes them.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  app.setErrorHandler((error: { statusCode?: number; message: string }, request, reply) => {
    send(reply, refusal(httpProblem(error), request.id, false, {}));
    if ((error.statusCode ?? 500) >= 500) request.log.error({ err: error, request_id: request.id }, 'request failed');
  });
  app.setNotFoundHandler((request, reply) => options.strayed?.(request, reply) ?? send(reply, refusal(notFound(), request.id, false, {})));

  const methods = new Map<string, Set<string>>();
  for (const endpoint of registry.endpoints) {
    const url = routePath(endpoint.path);
    const at = methods.get(url) ?? new Set();
    methods.set(url, at.add(endpoint.method));
    const name = `${endpoint.method} ${endpoint.path}`;
    app.route({
      method: endpoint.method,
      url,
      handler: async (request, reply) => {
        const started = performance.now();
        const answer = endpoint.stream ? await begin(pipeline, streams, endpoint, request, reply) : await pipeline.handle(endpoint, incomingOf(endpoint, request, publicUrl));
        if (!reply.sent) send(reply, answer);
        const ms = performance.now() - started;
        metrics.request(name, answer.status, ms);
        logRequest(request, name, answer, ms);
        return reply;
      },
    });
  }
  for (const [url, allowed] of methods) {
    const allow = [...allowed, ...(allowed.has('GET') ? ['HEAD'] : [])].toSorted().join(', ');
    const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((m) => !allowed.has(m));
    app.route({
      method: [...others, 'OPTIONS'],
      url,
      exposeHeadRoute: false,
      handler: (request, reply) => {
        if (request.method === 'OPTIONS') return send(reply, { status: 204, headers: { allow }, body: '' });
        return send(reply, refusal(new Problem('method_not_allowed', `Use ${allow}.`, {}, { allow }), request.id, false, {}));
      },
    });
  }
  return app;
}

/**
 * Takes no more connections and lets those that are open bring what is on its way; every answer tells them to close by now.
 * To close them at once would lose a request that was sent in this very moment.
 */
async function drain(server: net.Server, ms: number): Promise<void> {
  if (!server.listening) return;
  const gone = once(server, 'close');
  // Not the close of an HTTP server: that one ends the idle connections first.
  net.Server.prototype.close.call(server);
  await Promise.race([gone, delay(ms, undefined, { ref: false })]);
}

/** Begins the stream and answers at once: how it goes on is between it and the client. HEAD gets the head of it. */
async function begin(pipeline: Pipeline, streams: Streams, endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply): Promise<Outgoing> {
  const headers: Record<string, string> = {};
  const incoming = incomingOf(endpoint, request);
  const opening = await pipeline.open(endpoint, incoming, headers);
  if ('status' in opening) return opening;
  const refused = streams.refuse(opening);
  if (refused) return refusal(refused, request.id, wantsXml(incoming), headers);
  if (request.method === 'HEAD') return { status: 200, headers: { ...headers, 'content-type': 'text/event-stream; charset=utf-8' }, body: '' };
  reply.hijack();
  void streams.send(reply.raw, { ...headers, 'request-id': request.id, 'x-content-type-options': 'nosniff' }, opening);
  return { status: 200, headers, body: '' };
}

function incomingOf(endpoint: Endpoint, request: FastifyRequest, publicUrl?: string): IncomingRequest {
  const host = request.headers.host ?? 'localhost';
  return {
    method: endpoint.method,
    url: request.url,
    headers: request.headers as Record<string, string | undefined>,
    query: request.query as Record<string, string | string[]>,
    params: request.params as Record<string, string>,
    body: (request.body as Buffer | undefined) ?? EMPTY,
    baseUrl: publicUrl ?? `${request.protocol}://${/^[\w.:[\]-]{1,255}$/.test(host) ? host : 'localhost'}`,
    ip: request.ip,
    requestId: request.id,
  };
}

const EMPTY = Buffer.alloc(0);

function send(reply: FastifyReply, { status, headers, body }: Outgoing): FastifyReply {
  reply.headers(headers);
  reply.header('request-id', reply.request.id);
  reply.header('x-content-type-options', 'nosniff');
  // Without a body there is nothing to name the type of.
  return reply.code(status).send(body === '' ? undefined : body);
}

function logRequest(request: FastifyRequest, route: string, answer: Outgoing, ms: number): void {
  // The route, never the address: queries may hold names and e-mail addresses.
  const line = { request_id: request.id, route, status: answer.status, ms: Math.round(ms * 10) / 10, trace: request.headers.traceparent };
  if (answer.cause !== undefined) request.log.error({ ...line, err: answer.cause }, 'request failed');
  else request.log.debug(line, 'request');
}

const MALFORMED: Record<string, string> = { HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large', ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout' };

/** What is no HTTP request at all has no reply; its refusal goes to the socket. */
function refuseConnection(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const id = randomUUID();
  const body = JSON.stringify(new Problem('parameter_invalid', 'The request is malformed.').body(id));
  const status = MALFORMED[error.code ?? ''] ?? '400 Bad Request';
  socket.end(`HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nRequest-Id: ${id}\r\nConnection: close\r\n\r\n${body}`);
}

function httpProblem(error: { statusCode?: number; message: string }): Problem {
  const status = error.statusCode ?? 500;
  if (status === 413) return new Problem('body_too_large', `The body may have at most ${BODY_LIMIT} bytes.`);
  if (status === 415) return new Problem('unsupported_media_type', 'Send the body as application/json or application/x-www-form-urlencoded.');
  if (status === 404 || status === 414) return notFound();
  if (status < 500) return new Problem('parameter_invalid', 'The request is malformed.');
  return new Failure('internal_error', 'Something went wrong on our side. The request id leads to its log.', error);
}
