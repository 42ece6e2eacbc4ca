/** The pipeline on HTTP: routes from the registry, the refusals that belong to HTTP itself, logs and metrics. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import net from 'node:net';
import { setImmediate as immediate, setTimeout as delay } from 'node:timers/promises';
import { Readable, type Duplex } from 'node:stream';
import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { Addresses, METHODS } from './addresses.ts';
import { BODY_LIMIT, bodyLimitOf, BODY_TYPES, SEND_A_BODY } from './input.ts';
import { Failure } from './refusals.ts';
import { refusal, wantsXml, type IncomingRequest, type Outgoing } from './exchange.ts';
import { notFound, Problem } from '../base/problem.ts';
import { Streams, STREAM_DEFAULTS, type StreamOptions } from './streams.ts';
import type { Gate, Joined } from './scale.ts';
import type { Credentials } from '../work/access/credentials.ts';
import type { Endpoint, StreamEndpoint } from './acting.ts';
import type { Entered, Pipeline } from './pipeline.ts';
import type { Metrics } from '../base/metrics.ts';
import type { Registry } from './registry.ts';

export const PREFIX = '/api/v2';

export interface HttpOptions {
  registry: Registry;
  pipeline: Pipeline;
  credentials: Credentials;
  log: FastifyBaseLogger;
  metrics: Metrics;
  /** the address that the world calls the service by; absent: each caller is answered with the one that it called */
  publicUrl: string | undefined;
  /** answers a browser that asks for what is not there; null: like everybody else, by a refusal */
  strayed?: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> | null;
  /** believe X-Forwarded-* of a proxy in front */
  /** how many proxies are in front; each adds who asked it to the end of what clients sent */
  trustProxy: number;
  /** when the server ends: how long no request may have come before the open connections are closed, ms */
  drainMs: number;
  /** how long a request may take to arrive, body included, ms */
  arriveMs?: number;
  /** what comes before everything else, where there are cells; it says who asked, which is believed then */
  gate?: Pick<Gate, 'mount'>;
  /** the other processes, whose open streams count too */
  peers?: Pick<Joined, 'share'>;
  streams?: Partial<Pick<StreamOptions, 'heartbeatMs' | 'slowMs' | 'perCaller' | 'perBusiness' | 'perProcess'>>;
}

const ARRIVE_MS = 30_000;
const CHECK_ARRIVAL_MS = 1000;
/** What is left of a larger body when its request was refused is not worth waiting for. */
const WORTH_READING = 64 * 1024;

/** `/events/external_id:{external_id}` → the router's form. */
const routePath = (path: string): string => PREFIX + path.replaceAll(':', '::').replaceAll(/\{([^}]*)\}/g, ':$1');

export function createHttp(options: HttpOptions): FastifyInstance {
  const { registry, pipeline, log, metrics, publicUrl, trustProxy, drainMs, arriveMs = ARRIVE_MS } = options;
  const streams = new Streams({
    ...STREAM_DEFAULTS,
    ...options.streams,
    log,
    catchUp: () => options.credentials.catchUp(),
  });
  metrics.watchStreams(() => streams.open);
  options.peers?.share(streams);
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // Every line names its request itself.
    childLoggerFactory: (logger) => logger,
    trustProxy: (_address, hop) => hop < (options.gate === undefined ? trustProxy : Math.max(trustProxy, 1)),
    bodyLimit: BODY_LIMIT,
    genReqId: () => randomUUID(),
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: arriveMs,
    // Node exchanges the two times when that for the headers is the longer one, and looks at them every half minute
    // only.
    http: { headersTimeout: arriveMs, requestTimeout: arriveMs, connectionsCheckingInterval: CHECK_ARRIVAL_MS },
    keepAliveTimeout: 72_000,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    exposeHeadRoutes: true,
    // An address that no route could even be looked up for.
    frameworkErrors: (error, request, reply) => void send(reply, refusal(httpProblem(error), request.id, false, {})),
    clientErrorHandler: refuseConnection,
  });

  app.addHook('onRequest', async (request, reply) => {
    if (isClear(request.raw.rawHeaders)) return;
    return send(
      reply,
      refusal(httpProblem({ statusCode: 400, message: 'Send one Host header.' }), request.id, false, {}),
    );
  });
  options.gate?.mount(app);
  app.addHook('preClose', () => {
    streams.close();
    return drain(app.server, drainMs);
  });

  // Bodies are read as they are: what they must be is said by the endpoint, and idempotency hashes them.
  app.removeAllContentTypeParsers();
  // The types that endpoints take are named: a named one is looked up, any other is taken apart for each request.
  for (const type of [...BODY_TYPES, '*'])
    app.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  app.setErrorHandler((error: { statusCode?: number; message: string }, request, reply) => {
    send(reply, refusal(httpProblem(error, request.routeOptions.bodyLimit), request.id, false, {}));
    if ((error.statusCode ?? 500) >= 500) request.log.error({ err: error, request_id: request.id }, 'request failed');
  });
  const addresses = new Addresses(registry.endpoints);
  app.setNotFoundHandler((request, reply) => {
    const allow = allowAt(addresses, request);
    if (allow !== null && request.method === 'OPTIONS')
      return send(reply, { status: 204, headers: { allow }, body: '' });
    if (allow !== null) return send(reply, refuseMethod(allow, request));
    return options.strayed?.(request, reply) ?? send(reply, refusal(notFound(), request.id, false, {}));
  });

  const entered = new WeakMap<FastifyRequest, { known: Entered; incoming: IncomingRequest }>();
  for (const endpoint of registry.endpoints) {
    const url = routePath(endpoint.path);
    const name = `${endpoint.method} ${endpoint.path}`;
    const count = (request: FastifyRequest, { seen }: IncomingRequest, answer: Sent, started: number): void => {
      const ms = performance.now() - started;
      metrics.request(name, answer.status, ms);
      logRequest(request, name, seen.caller, answer, ms);
    };
    app.route({
      method: endpoint.method,
      url,
      bodyLimit: bodyLimitOf(endpoint),
      // Nothing of a body is read for somebody who may not call, or calls too often.
      ...(endpoint.method !== 'GET' && {
        onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
          const started = performance.now();
          const incoming = new Incoming(endpoint, request, publicUrl);
          const known = await pipeline.enter(endpoint, incoming);
          if (!('status' in known)) return void entered.set(request, { known, incoming });
          if (
            !(Number(request.headers['content-length'] ?? 0) <= WORTH_READING) ||
            request.headers['transfer-encoding']
          )
            reply.header('connection', 'close');
          send(reply, known);
          count(request, incoming, known, started);
          return reply;
        },
      }),
      handler: async (request, reply) => {
        const started = performance.now();
        const before = entered.get(request);
        const incoming = before?.incoming ?? new Incoming(endpoint, request, publicUrl);
        const answer =
          endpoint.acts === 'stream'
            ? await begin(pipeline, streams, endpoint, incoming, reply)
            : await pipeline.handle(endpoint, incoming, before?.known);
        if (!reply.sent) send(reply, answer);
        count(request, incoming, answer, started);
        return reply;
      },
    });
  }
  for (const { path, method, allow } of addresses.covered())
    app.route({
      method,
      url: routePath(path),
      exposeHeadRoute: false,
      handler: (request, reply) => send(reply, refuseMethod(allow, request)),
    });
  return app;
}

/** The methods that there are where a request found no route; null: nothing is there, or no method that an interface has. */
function allowAt(addresses: Addresses, { method, url }: FastifyRequest): string | null {
  const [path] = url.split('?', 1);
  if (!path.startsWith(`${PREFIX}/`) || !ANSWERED.has(method)) return null;
  try {
    return addresses.allow(decodeURI(path.slice(PREFIX.length)));
  } catch {
    return null;
  }
}

const ANSWERED: ReadonlySet<string> = new Set([...METHODS, 'OPTIONS']);

const refuseMethod = (allow: string, { id }: FastifyRequest): Outgoing =>
  refusal(new Problem('method_not_allowed', `Use ${allow}.`, {}, { allow }), id, false, {});

/**
 * Takes no more connections and lets those that are open bring what is on its way, until nothing has come for so long;
 * every answer tells them to close by now. To close them at once would lose a request that was sent in this very
 * moment.
 */
async function drain(server: net.Server, quietMs: number): Promise<void> {
  if (!server.listening) return;
  let came = 0;
  server.on('request', () => came++);
  const gone = once(server, 'close').then(() => true);
  // Not the close of an HTTP server: that one ends the idle connections first.
  net.Server.prototype.close.call(server);
  for (let before = -1; came > before;) {
    before = came;
    if (await Promise.race([gone, delay(quietMs, false, { ref: false })])) return;
    // In a process that is kept busy the time is over before it has read what arrived meanwhile.
    await immediate();
  }
}

/** Begins the stream and answers at once: how it goes on is between it and the client. HEAD gets the head of it. */
async function begin(
  pipeline: Pipeline,
  streams: Streams,
  endpoint: StreamEndpoint,
  incoming: IncomingRequest,
  reply: FastifyReply,
): Promise<Outgoing> {
  const headers: Record<string, string> = {};
  const opening = await pipeline.open(endpoint, incoming, headers);
  if ('status' in opening) return opening;
  const refused = streams.refuse(opening);
  if (refused) return refusal(refused, incoming.requestId, wantsXml(incoming), headers);
  if (reply.request.method === 'HEAD')
    return { status: 200, headers: { ...headers, 'content-type': 'text/event-stream; charset=utf-8' }, body: '' };
  reply.hijack();
  void streams.send(
    reply.raw,
    { ...headers, 'request-id': incoming.requestId, 'x-content-type-options': 'nosniff' },
    opening,
  );
  return { status: 200, headers, body: '' };
}

/** Two names of a host: a proxy may go by one of them, and we by the other. */
function isClear(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let n = 0; n < rawHeaders.length; n += 2) if (rawHeaders[n].toLowerCase() === 'host') hosts++;
  return hosts < 2;
}

class Incoming implements IncomingRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string | undefined>;
  readonly query: Record<string, string | string[]>;
  readonly params: Record<string, string>;
  readonly baseUrl: string;
  readonly pagesUrl: string;
  readonly ip: string;
  readonly requestId: string;
  readonly seen: IncomingRequest['seen'] = { caller: null };
  readonly #request: FastifyRequest;

  constructor(endpoint: Endpoint, request: FastifyRequest, publicUrl?: string) {
    const host = request.headers.host ?? 'localhost';
    this.method = endpoint.method;
    this.url = request.url;
    this.headers = request.headers as Record<string, string | undefined>;
    this.query = request.query as Record<string, string | string[]>;
    this.params = request.params as Record<string, string>;
    this.baseUrl = `${request.protocol}://${/^[\w.:[\]-]{1,255}$/.test(host) ? host : 'localhost'}`;
    this.pagesUrl = publicUrl ?? this.baseUrl;
    this.ip = request.ip;
    this.requestId = request.id;
    this.#request = request;
  }

  /** Read when it is asked for: who calls is settled before the body has arrived. */
  get body(): Buffer {
    return (this.#request.body as Buffer | undefined) ?? EMPTY;
  }

  async whileHere<T>(act: (gone: AbortSignal) => Promise<T>): Promise<T> {
    const { socket } = this.#request.raw;
    const gone = new AbortController();
    const leave = (): void => gone.abort();
    socket.once('close', leave);
    if (socket.destroyed) leave();
    try {
      return await act(gone.signal);
    } finally {
      socket.off('close', leave);
    }
  }
}

const EMPTY = Buffer.alloc(0);

type Sent = Outgoing<string | Buffer | AsyncIterable<string | Uint8Array>>;

function send(reply: FastifyReply, { status, headers, body }: Sent): FastifyReply {
  reply.headers(headers);
  reply.header('request-id', reply.request.id);
  reply.header('x-content-type-options', 'nosniff');
  // Without a body there is nothing to name the type of.
  if (typeof body === 'string' || body instanceof Buffer)
    return reply.code(status).send(body === '' ? undefined : body);
  // Read as fast as the client takes it, and no further when the client has gone; HEAD reads nothing more of it.
  const parts = Readable.from(body);
  if (reply.request.method !== 'HEAD') return reply.code(status).send(parts);
  parts.destroy();
  return reply.code(status).send('');
}

/** Refusals of who may not: somebody who looks for what an attacker tried finds them in the log. */
const TOLD: ReadonlySet<number> = new Set([401, 403, 429]);
const TRACE = /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/;

/** `caller`: the name of the credential, null without one that works. */
function logRequest(request: FastifyRequest, route: string, caller: string | null, answer: Sent, ms: number): void {
  // Nothing that says who somebody is: the route and not the address, whose query may hold names and e-mail addresses;
  // the number of the credential, and neither its secret nor where it was used; the code, and not the message.
  const { traceparent } = request.headers;
  const trace = typeof traceparent === 'string' && TRACE.test(traceparent) ? traceparent : undefined;
  const line = { request_id: request.id, route, status: answer.status, ms: Math.round(ms * 10) / 10, trace };
  if (answer.cause !== undefined) request.log.error({ ...line, err: answer.cause }, 'request failed');
  else if (TOLD.has(answer.status)) request.log.info({ ...line, code: answer.code, caller }, 'refused');
  else request.log.debug(line, 'request');
}

const MALFORMED: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** What is no HTTP request at all has no reply; its refusal goes to the socket. */
function refuseConnection(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const id = randomUUID();
  const body = JSON.stringify(new Problem('parameter_invalid', 'The request is malformed.').body(id));
  const status = MALFORMED[error.code ?? ''] ?? '400 Bad Request';
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nRequest-Id: ${id}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function httpProblem(error: { statusCode?: number; message: string }, limit = BODY_LIMIT): Problem {
  if (error instanceof Problem) return error;
  const status = error.statusCode ?? 500;
  if (status === 413) return new Problem('body_too_large', `The body can’t be larger than ${limit} bytes.`);
  if (status === 415) return new Problem('unsupported_media_type', SEND_A_BODY);
  if (status === 404 || status === 414) return notFound();
  if (status < 500) return new Problem('parameter_invalid', 'The request is malformed.');
  return new Failure(
    'internal_error',
    'Something went wrong on our side. Use the request id to find it in the log.',
    error,
  );
}
