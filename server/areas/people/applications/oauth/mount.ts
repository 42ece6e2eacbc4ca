/**
 * The OpenID provider on HTTP, next to the API: it reads bodies and refuses requests in its own way. It is recreated
 * when the keys change; regardless of the host and scheme of a request, its address is the installation's.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { loadClaims } from './claims.ts';
import { PATHS } from './offered.ts';
import { sessionOfSecret } from '../../identity/index.ts';
import { NO_CONSTRAINTS, wantsPage, writtenPage, type Written } from '../../../../kernel/pages/failing.ts';
import { html } from '../../../../kernel/base/markup/html.ts';
import { Interactions } from './interactions.ts';
import { Problem } from '../../../../kernel/base/problem.ts';
import { MOVING, translate } from '../../../../kernel/api/requests/refusals.ts';
import { publishedKeys, signingKey, type SigningKey } from '../keys/signing-keys.ts';
import { framed, PLAIN } from '../../../../kernel/pages/layout.ts';
import { page } from '../../../../kernel/pages/visit.ts';
import { pageHeaders } from '../../../../kernel/pages/headers.ts';
import { sessionOf } from '../../../../kernel/pages/cookies.ts';
import type { Database } from '../../../../kernel/base/db/database.ts';
import type { Installation } from '../../../../kernel/work/unit/installation.ts';
import type { Issuer } from './tokens.ts';
import type { Metrics } from '../../../../kernel/base/metrics.ts';
import type { Person } from './browser-session.ts';

interface OAuthOptions {
  readonly db: Database;
  readonly installation: Pick<Installation, 'baseUrl' | 'box' | 'cells'>;
  readonly now: () => number;
  readonly log: Pick<FastifyBaseLogger, 'warn' | 'error' | 'debug'>;
  readonly metrics: Metrics;
  /** counts a request against an address; throws if it made too many */
  readonly limit: (grant: null, ip: string) => Record<string, string>;
  /** returns true if the business of the application may have been moving to or from this database at the time */
  readonly mayHaveBeenAway: (request: FastifyRequest) => Promise<boolean>;
}

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

interface Running {
  readonly keys: string;
  readonly handle: Promise<Handle>;
}

const ROUTES = [
  { url: PATHS.authorization, methods: ['GET'], charged: true },
  { url: `${PATHS.authorization}/:uid`, methods: ['GET'], charged: true },
  { url: PATHS.token, methods: ['POST', 'OPTIONS'], charged: true },
  { url: PATHS.jwks, methods: ['GET', 'OPTIONS'], charged: false },
  { url: PATHS.openid, methods: ['GET', 'OPTIONS'], charged: false },
  { url: PATHS.oauth, methods: ['GET', 'OPTIONS'], charged: false },
] as const;

/** The library answers with these if it does not know the application or the code. */
const ABSENT: ReadonlySet<number> = new Set([400, 401]);

/**
 * Returns the problem of a temporary failure, which the same request may not meet again soon; null if the error is
 * ours.
 */
function passing(error: unknown): Problem | null {
  const problem = translate(error, NO_CONSTRAINTS);
  return ['rate_limited', 'unavailable'].includes(problem.code) ? problem : null;
}

/** Headers that a script of another origin may send. Responses never depend on cookies, so cookies aren't allowed. */
const CORS_HEADERS: Record<string, string> = { [PATHS.token]: 'Content-Type', [PATHS.userinfo]: 'Authorization' };

export class OAuth {
  readonly #o: OAuthOptions;
  readonly #people = new WeakMap<IncomingMessage, Promise<Person | null>>();
  /** requests that the library responds to */
  readonly #requests = new WeakMap<IncomingMessage, FastifyRequest>();
  /** errors that occurred below the library */
  readonly #failed = new WeakMap<IncomingMessage, unknown>();
  readonly interactions: Interactions;
  #running?: Running;

  constructor(options: OAuthOptions) {
    this.#o = options;
    const { db, now, installation } = options;
    this.interactions = new Interactions({ db, now, box: installation.box });
  }

  /** The issuer of tokens. Logs what happens to keys. */
  get issuer(): Issuer {
    const { installation, log } = this.#o;
    const { baseUrl, box, cells } = installation;
    return { baseUrl, box, cells, warn: (message) => log.warn(message) };
  }

  /** Returns the person whose session is active in the browser that sent the request. */
  personAt(request: IncomingMessage): Promise<Person | null> {
    let person = this.#people.get(request);
    if (!person) {
      const secret = sessionOf(request.headers.cookie, this.#https);
      const { db, now, installation } = this.#o;
      person =
        secret === null ? Promise.resolve(null) : sessionOfSecret({ db, now, cells: installation.cells }, secret);
      this.#people.set(request, person);
    }
    return person;
  }

  get #https(): boolean {
    return this.#o.installation.baseUrl.startsWith('https:');
  }

  mount(http: FastifyInstance): void {
    void http.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      // The library reads the body itself.
      scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
      for (const { url, methods, charged } of ROUTES) {
        for (const method of methods)
          scope.route({
            method,
            url,
            exposeHeadRoute: false,
            handler: (request, reply) => this.#serve(request, reply, `${method} ${url}`, charged),
          });
        const others = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).filter(
          (m) => !(methods as readonly string[]).includes(m),
        );
        const allow = methods.join(', ');
        scope.route({
          method: others,
          url,
          exposeHeadRoute: false,
          handler: (request, reply) =>
            reply
              .code(405)
              .headers({ allow })
              .send(new Problem('method_not_allowed', `Use ${allow}.`).body(request.id)),
        });
      }
    });
    this.#letBrowsersAskWhoSomebodyIs(http);
  }

  /** Apps in browsers send a token that they hold themselves: every origin may ask, and cookies don't count. */
  #letBrowsersAskWhoSomebodyIs(http: FastifyInstance): void {
    http.addHook('onSend', async (request, reply) => {
      // An OPTIONS request matches no route, so it is recognized by its address.
      const isAsked = request.method === 'OPTIONS' && request.url === PATHS.userinfo;
      if (!isAsked && request.routeOptions.url !== PATHS.userinfo) return;
      reply.headers({ 'access-control-allow-origin': '*', 'access-control-expose-headers': 'WWW-Authenticate' });
      if (request.method === 'OPTIONS') {
        reply.headers({
          'access-control-allow-methods': 'GET',
          'access-control-allow-headers': CORS_HEADERS[PATHS.userinfo],
          'access-control-max-age': '3600',
        });
      }
    });
  }

  async #serve(request: FastifyRequest, reply: FastifyReply, name: string, charged: boolean): Promise<FastifyReply> {
    const started = performance.now();
    reply.hijack();
    const { raw: res } = reply;
    this.#requests.set(request.raw, request);
    res.setHeader('request-id', request.id);
    res.setHeader('x-content-type-options', 'nosniff');
    res.setHeader('referrer-policy', 'no-referrer');
    try {
      if (charged)
        for (const [key, value] of Object.entries(this.#o.limit(null, request.ip))) res.setHeader(key, value);
      await this.#handle(request);
      await (
        await this.#current()
      )(request.raw, res);
    } catch (error) {
      const problem = passing(error);
      if (!problem) this.#o.log.error({ err: error, request_id: request.id }, 'request failed');
      if (res.headersSent) res.end();
      else {
        const { status, headers, body } = this.#refusal(request, problem);
        res.writeHead(status, headers).end(body);
      }
    }
    const ms = performance.now() - started;
    this.#o.metrics.request(name, res.statusCode, ms);
    // Logs the route, never the address: queries contain addresses of people and secrets of applications.
    request.log.debug(
      { request_id: request.id, route: name, status: res.statusCode, ms: Math.round(ms * 10) / 10 },
      'request',
    );
    return reply;
  }

  /** Passes the request to the library with the installation's own address, whatever proxies were in between. */
  async #handle({ raw, params }: FastifyRequest): Promise<void> {
    const base = new URL(this.#o.installation.baseUrl);
    raw.headers.host = base.host;
    raw.headers['x-forwarded-proto'] = base.protocol.slice(0, -1);
    delete raw.headers['x-forwarded-host'];
    const { uid } = params as { uid?: string };
    if (uid !== undefined) await this.interactions.keepLogInOf(uid, (await this.personAt(raw))?.userId ?? null);
  }

  /**
   * Returns a refusal: a page for people, JSON for programs. `problem`: a temporary failure; null: the error is ours.
   */
  #refusal(request: FastifyRequest, problem: Problem | null): Written {
    if (wantsPage(request)) return writtenPage(request, problem ?? 500, this.#https);
    const body = problem
      ? { error: 'temporarily_unavailable', error_description: problem.message }
      : { error: 'server_error', error_description: 'something went wrong on our side' };
    return {
      status: problem?.status ?? 500,
      headers: {
        ...problem?.headers,
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
      },
      body: JSON.stringify(body),
    };
  }

  /**
   * Returns the temporary failure that the library took for an error of ours or of the application; null if the library
   * was right.
   */
  async #passing(raw: IncomingMessage, status: number): Promise<Problem | null> {
    if (this.#failed.has(raw)) return passing(this.#failed.get(raw));
    return ABSENT.has(status) && (await this.#o.mayHaveBeenAway(this.#requests.get(raw)!)) ? MOVING : null;
  }

  /**
   * Returns the provider with the current keys. Read for each request: another process, or the command line, may have
   * changed them.
   */
  async #current(): Promise<Handle> {
    const { db, now } = this.#o;
    const { issuer } = this;
    const keys = await db.acrossTenants('the keys of the installation belong to no business', async (tx) => {
      await signingKey(tx, issuer, now());
      return publishedKeys(tx, now());
    });
    const name = [issuer.baseUrl, ...keys.map((k) => k.kid)].join(' ');
    if (this.#running?.keys !== name) {
      const running: Running = { keys: name, handle: this.#create(issuer, keys) };
      running.handle.catch(() => this.#running === running && (this.#running = undefined));
      this.#running = running;
    }
    return this.#running.handle;
  }

  async #create(issuer: Issuer, keys: readonly SigningKey[]): Promise<Handle> {
    const { db, now, log } = this.#o;
    const { createProvider } = await this.#load();
    const provider = await createProvider({
      db,
      now,
      box: issuer.box,
      issuer,
      keys,
      personAt: (ctx) => this.personAt(ctx.req),
      claimsOf: (userId, scopes) =>
        db.acrossTenants('an account belongs to no business', (tx) => loadClaims(tx, userId, scopes)) as Promise<Record<
          string,
          unknown
        > | null>,
      renderError: (ctx, out) => this.#renderError(ctx, out),
    });
    provider.on('server_error', (ctx, err) => {
      this.#failed.set(ctx.req, err);
      log.error({ err }, 'the OpenID provider failed');
    });
    const published = { keys: keys.map((k) => k.publicJwk) };
    provider.use(async (ctx, next) => {
      await next();
      const problem = await this.#passing(ctx.req, ctx.status);
      if (problem) {
        const { status, headers, body } = this.#refusal(this.#requests.get(ctx.req)!, problem);
        for (const name of ['location', 'www-authenticate']) ctx.remove(name);
        Object.assign(ctx, { status, body });
        return ctx.set(headers);
      }
      // Includes keys whose private half can no longer be opened: tokens that they signed are still valid.
      if (ctx.path === PATHS.jwks && ctx.status === 200) ctx.body = published;
      if (ctx.path === PATHS.jwks || ctx.path.startsWith('/.well-known/'))
        ctx.set('cache-control', 'public, max-age=300');
      if (ctx.method === 'OPTIONS' && ctx.response.get('access-control-allow-headers'))
        ctx.set('access-control-allow-headers', CORS_HEADERS[ctx.path] ?? '');
    });
    return provider.callback() as Handle;
  }

  /**
   * Loaded on first use: the library takes time to load, and prints warnings about this version of Node to the console.
   */
  async #load(): Promise<typeof import('./provider.ts')> {
    const { warn } = console;
    console.warn = (said: unknown) => this.#o.log.debug({ said }, 'the OpenID library warns');
    try {
      return await import('./provider.ts');
    } finally {
      console.warn = warn;
    }
  }

  /** Shows errors to the person that may not be sent to the application. */
  #renderError(
    ctx: { type: string; body: unknown; set(headers: Record<string, string>): void },
    out: { error: string; error_description?: string },
  ): void {
    const over = out.error === 'invalid_request' && /expired|not found|mismatch/.test(out.error_description ?? '');
    const body = over
      ? html`<div class="card"><h1>This log-in has expired</h1>
<p>It was open for too long, or was started in another browser. Go back to the application and log in again from
there.</p></div>`
      : html`<div class="card"><h1>The application can't log you in</h1>
<p>Its request is not valid, and only its makers can fix that. This may help them:</p>
<p><code>${out.error}</code>${out.error_description ? html`: ${out.error_description}` : null}</p>
<p class="soft">Go back to the application, or close this page. Nothing about your account has changed.</p></div>`;
    ctx.set(pageHeaders(this.#https));
    ctx.type = 'html';
    ctx.body = framed(
      PLAIN,
      page(over ? 'This log-in has expired' : "The application can't log you in", body, { status: 400 }),
    );
  }
}
