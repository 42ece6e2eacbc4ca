/** The pipeline over HTTP: routes from the registry, refusals that belong to HTTP itself, logs and metrics. */
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
import { Addresses, METHODS } from '../addresses.ts';
import { BODY_LIMIT, bodyLimitOf, BODY_TYPES, SEND_A_BODY } from './input.ts';
import { Failure } from './refusals.ts';
import { refusal, wantsXml, type IncomingRequest, type Outgoing } from './exchange.ts';
import { notFound, Problem } from '../../base/problem.ts';
import { Streams, STREAM_DEFAULTS, type StreamOptions } from './streams.ts';
import type { Gate, Joined } from '../scale.ts';
import type { Credentials } from '../../work/access/credentials.ts';
import type { Endpoint, StreamEndpoint } from '../acting.ts';
import type { Entered, Pipeline } from './pipeline.ts';
import type { Metrics } from '../../base/metrics.ts';
import type { Registry } from '../registry.ts';

export const PREFIX = '/api/v2';

export interface HttpOptions {
  registry: Registry;
  pipeline: Pipeline;
  credentials: Credentials;
  log: FastifyBaseLogger;
  metrics: Metrics;
  /** public base URL of the service; if absent, each caller gets URLs under the host that it called */
  publicUrl: string | undefined;
  /** responds to browsers that request an unknown path; null: they get a refusal, like any other client */
  strayed?: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> | null;
  /** trust the X-Forwarded-* headers of a proxy */
  /** number of proxies in front; each appends the address of its client to the header that the client sent */
  trustProxy: number;
  /** on shutdown: the open connections are closed after this many milliseconds without a request */
  drainMs: number;
  /** time limit for receiving a request, body included, in milliseconds */
  arriveMs?: number;
  /** runs before everything else if there are cells; its statement of who called is trusted */
  gate?: Pick<Gate, 'mount'>;
  /** the other processes, whose open streams count too */
  peers?: Pick<Joined, 'share'>;
  streams?: Partial<Pick<StreamOptions, 'heartbeatMs' | 'slowMs' | 'perCaller' | 'perBusiness' | 'perProcess'>>;
}

const ARRIVE_MS = 30_000;
const CHECK_ARRIVAL_MS = 1000;
/** After a refusal, a larger rest of the body is not read: the connection is closed instead. */
const WORTH_READING = 64 * 1024;

/** Returns the router's form of a path, for example of `/events/external_id:{external_id}`. */
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
  const proxies = options.gate === undefined ? trustProxy : Math.max(trustProxy, 1);
  options.peers?.share(streams);
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // Every log line names its request itself.
    childLoggerFactory: (logger) => logger,
    // Without a proxy, no header is looked at.
    trustProxy: proxies > 0 && ((_address, hop) => hop < proxies),
    bodyLimit: BODY_LIMIT,
    genReqId: () => randomUUID(),
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: arriveMs,
    // Node swaps the two limits if the one for headers is longer, and checks them only every 30 seconds.
    http: { headersTimeout: arriveMs, requestTimeout: arriveMs, connectionsCheckingInterval: CHECK_ARRIVAL_MS },
    keepAliveTimeout: 72_000,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    exposeHeadRoutes: true,
    // For URLs that are too malformed for the router to look up.
    frameworkErrors: (error, request, reply) => void send(reply, refusal(httpProblem(error), request.id, false, {})),
    clientErrorHandler: refuseConnection,
  });

  app.addHook('onRequest', (request, reply, next) => {
    if (isClear(request.raw.rawHeaders)) return next();
    void send(
      reply,
      refusal(httpProblem({ statusCode: 400, message: 'Send one Host header.' }), request.id, false, {}),
    );
  });
  options.gate?.mount(app);
  app.addHook('preClose', () => {
    streams.close();
    return drain(app.server, drainMs);
  });

  // Bodies are read as raw bytes: the endpoint defines what they must be, and idempotency hashes them.
  app.removeAllContentTypeParsers();
  // The types that endpoints accept are listed by name: listed types are looked up, any other is parsed again for each
  // request.
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
      // The body is not read if the caller has no permission or has reached a rate limit.
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

/**
 * Returns the methods of a path, for a request that matched no route; null if the path doesn't exist or the method
 * isn't one of the interface.
 */
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
 * Stops accepting connections, and serves those that are open until no request has arrived for the given time. Every
 * response in the meantime tells the client to close. Closing immediately would lose a request that is just being sent.
 */
async function drain(server: net.Server, quietMs: number): Promise<void> {
  if (!server.listening) return;
  let came = 0;
  server.on('request', () => came++);
  const gone = once(server, 'close').then(() => true);
  // Not the close of an HTTP server, which ends idle connections first.
  net.Server.prototype.close.call(server);
  for (let before = -1; came > before;) {
    before = came;
    if (await Promise.race([gone, delay(quietMs, false, { ref: false })])) return;
    // In a busy process, the timer can fire before the requests that arrived meanwhile have been read.
    await immediate();
  }
}

/**
 * Begins the stream and returns immediately: the rest is between the stream and the client. HEAD gets the headers only.
 */
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

const HOST = 'host';

/** Returns false for more than one Host header: a proxy may go by one of them, and the service by the other. */
function isClear(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let n = 0; n < rawHeaders.length; n += 2)
    if (rawHeaders[n].length === HOST.length && rawHeaders[n].toLowerCase() === HOST) hosts++;
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

  /** Read lazily: the caller is identified before the body has arrived. */
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
  // A request without a body needs no content type.
  if (typeof body === 'string' || body instanceof Buffer)
    return reply.code(status).send(body === '' ? undefined : body);
  // Read only as fast as the client receives it, and no further once the client has disconnected. HEAD reads nothing
  // more.
  const parts = Readable.from(body);
  if (reply.request.method !== 'HEAD') return reply.code(status).send(parts);
  parts.destroy();
  return reply.code(status).send('');
}

/**
 * Statuses that mean "not allowed" or "too often": somebody who looks for an attacker's attempts finds them in the log.
 */
const REPORTED_STATUSES: ReadonlySet<number> = new Set([401, 403, 429]);
const TRACE = /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/;

/** Logs a request. `caller` is the name of the credential; null if there is no valid one. */
function logRequest(request: FastifyRequest, route: string, caller: string | null, answer: Sent, ms: number): void {
  // Contains no personal data: the route instead of the URL, whose query may hold names and email addresses; the number
  // of the credential, but neither its secret nor where it was used; the code instead of the message.
  const { traceparent } = request.headers;
  const trace = typeof traceparent === 'string' && TRACE.test(traceparent) ? traceparent : undefined;
  const line = { request_id: request.id, route, status: answer.status, ms: Math.round(ms * 10) / 10, trace };
  if (answer.cause !== undefined) request.log.error({ ...line, err: answer.cause }, 'request failed');
  else if (REPORTED_STATUSES.has(answer.status)) request.log.info({ ...line, code: answer.code, caller }, 'refused');
  else request.log.debug(line, 'request');
}

const MALFORMED: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Writes the refusal to the socket: malformed HTTP has no reply object. */
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
