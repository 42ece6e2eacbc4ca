/**
 * Pages for people over HTTP, in a Fastify scope of their own next to the API: with their own body parser, refusals and
 * headers. Nothing here affects how the API handles a request, or the reverse.
 */
import cookie from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../base/problem.ts';
import { Readable } from 'node:stream';
import { etagOf, sendDocument, type Document } from './document.ts';
import { Failure, translate } from '../api/requests/refusals.ts';
import { html } from '../base/markup/html.ts';
import { isOwnOrigin } from './csrf.ts';
import { cookieName, cookies, LANGUAGE_COOKIE, readerOfRequest } from './cookies.ts';
import { fail, hostOf, KnownSites, NO_CONSTRAINTS, ownHostOf, show, showStrayed, type FindSite } from './failing.ts';
import { pageHeaders, transport, withoutScript, withScript } from './headers.ts';
import { framed } from './layout.ts';
import { STYLE } from './style.ts';
import { TOKEN_FIELD } from './show-form.ts';
import { aroundFor } from './messages.ts';
import type { Reader } from '../base/languages/languages.ts';
import { bareFrame, page, Visit, type PageAnswer, type Shown, type Site } from './visit.ts';
import type { FileToSend } from '../api/file.ts';
import type { Kept, KeptPages } from './kept.ts';
import type { Limits } from '../api/limits/limits.ts';
import type { Metrics } from '../base/metrics.ts';
import type { Script } from './script.ts';

const PAGES_PREFIX = '/account';
/** Longer than any of our forms, and shorter than anything worth sending here. */
const FORM_LIMIT = 16_384;

type Handler<S extends Site> = (visit: Visit<S>) => PageAnswer | Promise<PageAnswer>;

export interface PageRoute<S extends Site> {
  /** below the prefix, parameters in braces */
  readonly path: string;
  /**
   * limit that submitting the form counts against; `credentials` for passwords, codes and anything that sends an email
   */
  readonly charged: 'page' | 'credentials';
  readonly get?: Handler<S>;
  readonly post?: Handler<S>;
  /** identical for all visitors without a session, and cached until something happens at the business */
  readonly kept?: boolean;
  /**
   * The form may be part of pages that are cached for everybody, so it has no token, and the browser must say that one
   * of our pages sent it. For forms that act for nobody in particular.
   */
  readonly tokenless?: boolean;
  /** also served at the site's own host name; outside of /account every page is */
  readonly atOwnHost?: boolean;
}

/** Returns the route that serves it to everybody. */
export const scriptRoute = ({ path, document }: Script): PageRoute<Site> => ({
  path,
  charged: 'page',
  get: async () => ({ kind: 'document', document }),
});

interface PagesOptions<S extends Site> {
  /** prefix of the paths; empty: next to everything else at the root of the service */
  readonly prefix: '/account' | '';
  readonly routes: readonly PageRoute<S>[];
  /** null: 404 */
  readonly site: FindSite<S>;
  readonly limits: Limits;
  readonly metrics: Pick<Metrics, 'request'>;
  readonly now: () => number;
  /** public address of the service; if absent, the address of the request, over plain http */
  readonly publicUrl: string | undefined;
  /** answer at a site's own host name for a page that exists only at the installation */
  readonly elsewhere?: (visit: Visit<S>) => PageAnswer;
  /** cache for pages of routes that are `kept`; absent: every page is built for each request */
  readonly kept?: KeptPages<S>;
}

export function servePages<S extends Site>(http: FastifyInstance, options: PagesOptions<S>): void {
  const https = options.publicUrl?.startsWith('https:') ?? false;
  const headers = pageHeaders(https);
  const known = new KnownSites();
  void http.register(
    async (scope) => {
      await scope.register(cookie);
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser(
        'application/x-www-form-urlencoded',
        { parseAs: 'string', bodyLimit: FORM_LIMIT },
        (_request, body, done) => done(null, new URLSearchParams(body as string)),
      );
      // At the root, the service itself answers for unknown paths.
      if (options.prefix !== '')
        scope.setNotFoundHandler((request, reply) => showStrayed(request, reply, options, headers));
      scope.setErrorHandler((error: { statusCode?: number }, request, reply) => {
        const status = error.statusCode ?? 500;
        if (status >= 500) request.log.error({ err: error, request_id: request.id }, 'request failed');
        return fail(reply, headers, known.of(request), status);
      });
      if (options.prefix === PAGES_PREFIX) {
        const style: Document = { type: 'text/css; charset=utf-8', body: STYLE, headers: transport(https) };
        const etag = etagOf(style);
        scope.get('/style.css', (request, reply) => sendDocument(request, reply, style, etag));
      }
      for (const route of options.routes) {
        for (const method of ['GET', 'POST'] as const) {
          if (route[method === 'GET' ? 'get' : 'post']) mount(scope, options, { route, method, headers, https, known });
        }
      }
    },
    { prefix: options.prefix },
  );
}

interface Mounted<S extends Site> {
  readonly route: PageRoute<S>;
  readonly method: 'GET' | 'POST';
  readonly headers: Record<string, string>;
  readonly https: boolean;
  readonly known: KnownSites;
}

function mount<S extends Site>(scope: FastifyInstance, options: PagesOptions<S>, mounted: Mounted<S>): void {
  const { route, method, headers, known } = mounted;
  const name = `${method} ${options.prefix}${route.path}`;
  scope.route({
    method,
    url: route.path.replaceAll(/\{([^}]*)\}/g, ':$1'),
    handler: async (request, reply) => {
      const started = performance.now();
      let site: Site | null = null;
      try {
        options.limits.takePage('page', request.ip);
        if (method === 'POST' && route.charged === 'credentials') options.limits.takePage('credentials', request.ip);
        const key = route.kept && method === 'GET' && options.kept ? keyOf(request, mounted.https) : null;
        const before = key === null ? null : await options.kept!.find(key);
        if (before) {
          void sendDocument(request, reply, before.document, before.etag);
          options.metrics.request(name, reply.statusCode, performance.now() - started);
          return reply;
        }
        const found = await options.site(request.params as Record<string, string>, hostOf(request));
        if (!found && options.prefix === '') return reply.callNotFound();
        if (!found) throw new Problem('not_found', 'Not found.');
        site = found;
        known.keep(request, found);
        const version = key === null ? null : await options.kept!.version(found);
        const open = await answer(request, reply, options, mounted, found);
        if (open && key !== null && reply.getHeader('set-cookie') === undefined)
          options.kept!.keep(key, found, version, open);
      } catch (error) {
        const problem = translate(error, NO_CONSTRAINTS);
        if (problem instanceof Failure)
          request.log.error({ err: problem.cause, request_id: request.id, route: name }, 'request failed');
        const again = RETRYABLE.includes(problem.status) ? pageOf(request, route) : undefined;
        await fail(reply, headers, site ?? known.of(request), problem, again);
      }
      const ms = performance.now() - started;
      options.metrics.request(name, reply.statusCode, ms);
      // Logs the route, never the address: links from emails contain secrets.
      request.log.debug(
        { request_id: request.id, route: name, status: reply.statusCode, ms: Math.round(ms * 10) / 10 },
        'request',
      );
      return reply;
    },
  });
}

/**
 * Returns the address at which the page can be requested again. A POST has one if its route also shows a page, with the
 * parameters in the form's address.
 */
const pageOf = ({ method, url }: FastifyRequest, { get }: PageRoute<any>): string | undefined =>
  method === 'GET' || get ? url : undefined;

/** Statuses for which requesting the page again may succeed. */
const RETRYABLE: readonly number[] = [400, 403, 429, 500, 503];

/** No real address or header is longer. */
const MAX_ADDRESS_LENGTH = 500;

/**
 * Returns the cache key of a public page; null if somebody may be logged in, came from another website, or is choosing
 * a language.
 */
function keyOf(request: FastifyRequest, https: boolean): string | null {
  const { cookies: jar, url, headers } = request;
  const isPersonal = [cookieName('session', https), cookieName('website', https)].some((name) => name in jar);
  if (isPersonal || url.length > MAX_ADDRESS_LENGTH || /[?&]lang=/.test(url)) return null;
  const accepts = headers['accept-language'] ?? '';
  const language = jar[LANGUAGE_COOKIE] ?? '';
  if (accepts.length + language.length > MAX_ADDRESS_LENGTH) return null;
  return [request.protocol, request.host, url, language, accepts].join('\n');
}

/** Answers the request, and returns the page if everybody with an equal request may see it. */
async function answer<S extends Site>(
  request: FastifyRequest,
  reply: FastifyReply,
  options: PagesOptions<S>,
  { route, method, headers, https }: Mounted<S>,
  site: S,
): Promise<Kept | null> {
  const asked = `${request.protocol}://${request.host}`;
  const ownHost = ownHostOf(request, site, options.publicUrl);
  const baseUrl =
    ownHost !== null
      ? `${https ? 'https' : request.protocol}://${request.host}`
      : (options.publicUrl ?? (URL.canParse(asked) ? asked : 'http://localhost'));
  const [path, query = ''] = request.url.split(/\?(.*)/s);
  const visit = new Visit<S>({
    site,
    params: request.params as Record<string, string>,
    query: new URLSearchParams(query),
    sent: request.body instanceof URLSearchParams ? request.body : new URLSearchParams(),
    path,
    ip: request.ip,
    agent: (request.headers['user-agent'] ?? '').slice(0, 400),
    referrer: request.headers.referer,
    accepts: request.headers['accept-language'],
    now: options.now(),
    requestId: request.id,
    baseUrl,
    ownHost,
    jar: cookies(request, reply, https),
  });
  if (method === 'POST') checkOwnForm(request, visit, route);
  const answer = withEmbedding(visit, await handlerFor(visit, options, route, method)(visit));
  for (const err of visit.leftOut)
    request.log.error({ err, request_id: request.id, route: route.path }, 'part of a page failed');
  if (answer.kind === 'page' && answer.open) {
    const whole = showOpen(request, reply, headers, site, answer);
    return visit.leftOut.length === 0 ? whole : null;
  }
  if (answer.kind === 'document') {
    const kept = { document: answer.document, etag: etagOf(answer.document) };
    sendDocument(request, reply, kept.document, kept.etag);
    return kept;
  }
  if (answer.kind === 'file') await sendToKeep(reply, headers, answer.file);
  else if (answer.kind === 'redirect') void reply.headers(headers).code(303).header('location', answer.to).send();
  else if (answer.kind === 'go-on')
    await show(reply, headers, site, goingOn(answer.to, readerOfRequest(request, site)), answer.to);
  else await show(reply, headers, site, answer);
  return null;
}

/** Adds the link back to the website that the person came from. Such a page is theirs, so no cache stores it. */
function withEmbedding({ embedding }: Visit, answer: PageAnswer): PageAnswer {
  return answer.kind === 'page' && embedding !== null ? { ...answer, embedding, open: false } : answer;
}

/**
 * Returns the handler of a request. Nobody logs in at a host name that a business controls: there, pages of the
 * installation only lead to it.
 */
function handlerFor<S extends Site>(
  { ownHost }: Visit<S>,
  { prefix, elsewhere }: PagesOptions<S>,
  route: PageRoute<S>,
  method: 'GET' | 'POST',
): Handler<S> {
  if (ownHost === null || prefix === '' || route.atOwnHost) return route[method === 'GET' ? 'get' : 'post']!;
  if (method === 'GET' && elsewhere) return elsewhere;
  throw new Problem('permission_denied', 'This form works at the address of the installation only.');
}

/** Sends a public page without the headers that prevent caching and indexing. */
function showOpen<S extends Site>(
  request: FastifyRequest,
  reply: FastifyReply,
  headers: Record<string, string>,
  site: S,
  shown: Shown,
): Kept {
  const { 'x-robots-tag': _robots, ...rest } = shown.script === null ? withoutScript(headers) : withScript(headers);
  const document: Document = {
    type: 'text/html; charset=utf-8',
    body: framed(site, shown),
    headers: {
      ...shown.headers,
      ...rest,
      'cache-control': 'private, no-cache',
      vary: 'accept-encoding, accept-language, cookie',
    },
  };
  const etag = etagOf(document);
  sendDocument(request, reply, document, etag);
  return { document, etag };
}

/** Sends a file as an attachment: displayed inline, it would run under the origin of our pages. */
async function sendToKeep(reply: FastifyReply, headers: Record<string, string>, file: FileToSend): Promise<void> {
  const body = 'parts' in file ? Readable.from(file.parts) : await file.draw();
  const disposition = `attachment; filename="${file.name}"`;
  await reply
    .headers({ ...headers, 'content-disposition': disposition })
    .type(file.type)
    .send(body);
}

/** @throws Problem 403 unless the person verifiably submitted this form from one of our pages */
function checkOwnForm(
  request: FastifyRequest,
  visit: Visit,
  { tokenless = false }: Pick<PageRoute<any>, 'tokenless'>,
): void {
  const said = { fetchSite: request.headers['sec-fetch-site'] as string | undefined, origin: request.headers.origin };
  const tokens = visit.sent.getAll(TOKEN_FIELD);
  const ours = isOwnOrigin(said, new URL(visit.baseUrl).origin);
  const meant = tokenless
    ? said.fetchSite === 'same-origin' || said.origin !== undefined
    : tokens.length === 1 && visit.holdsToken(tokens[0]);
  if (!ours || !meant) throw new Problem('permission_denied', 'The form was not sent from one of our pages.');
}

function goingOn(to: string, reader: Reader): Shown {
  const say = aroundFor(reader);
  const title = say('page.going_on');
  const body = html`<div class="card"><h1>${title}</h1><p>${say('page.going_on.text')}</p>
<p class="actions"><a class="button" href="${to}">${say('page.going_on.button')}</a></p></div>`;
  return page(title, body, { frame: bareFrame(reader) });
}
