/**
 * Pages for people on HTTP: a scope of its own beside the API, with its own reading of bodies, its own refusals and its
 * own headers. What the API does with a request is not touched by anything here, nor the other way round.
 */
import cookie from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../base/problem.ts';
import { Readable } from 'node:stream';
import { etagOf, sendDocument, type Document } from '../api/document.ts';
import { Failure, translate } from '../api/refusals.ts';
import { html } from '../base/markup/html.ts';
import { isOwnOrigin } from './csrf.ts';
import { cookieName, cookies, LANGUAGE_COOKIE, readerOfRequest } from './cookies.ts';
import { fail, hostOf, KnownSites, NO_CONSTRAINTS, ownHostOf, show, showStrayed } from './failing.ts';
import { pageHeaders, transport, withoutScript, withScript } from './headers.ts';
import { framed } from './layout.ts';
import { STYLE } from './style.ts';
import { TOKEN_FIELD } from './show-form.ts';
import { aroundFor } from './messages.ts';
import type { Reader } from '../base/languages/languages.ts';
import { bareFrame, page, Visit, type PageAnswer, type Shown, type Site } from './visit.ts';
import type { FileToSend } from '../api/file.ts';
import type { Kept, KeptPages } from './kept.ts';
import type { Limits } from '../api/limits.ts';
import type { Metrics } from '../base/metrics.ts';

const PAGES_PREFIX = '/account';
/** Longer than any of our forms, shorter than anything worth sending here. */
const FORM_LIMIT = 16_384;

type Handler<S extends Site> = (visit: Visit<S>) => PageAnswer | Promise<PageAnswer>;

export interface PageRoute<S extends Site> {
  /** below the prefix, parameters in braces */
  readonly path: string;
  /** what sending the form is charged to; `credentials` for passwords, codes and what sends a mail */
  readonly charged: 'page' | 'credentials';
  readonly get?: Handler<S>;
  readonly post?: Handler<S>;
  /** the same for all strangers who ask alike, and shown again until something happens at the business */
  readonly kept?: boolean;
  /** served at a host name of the site's own too; elsewhere than below /account every page is */
  readonly atOwnHost?: boolean;
}

export interface PagesOptions<S extends Site> {
  /** where they begin; empty: beside everything else that the service has at its root */
  readonly prefix: '/account' | '';
  readonly routes: readonly PageRoute<S>[];
  /** whose pages a path is about; null: nobody's, which is a 404 */
  readonly site: (params: Readonly<Record<string, string>>, host?: string) => Promise<S | null>;
  readonly limits: Limits;
  readonly metrics: Pick<Metrics, 'request'>;
  readonly now: () => number;
  /** the address that people use; where absent, it is the one that they asked at, and plain http */
  readonly publicUrl: string | undefined;
  /** what is shown at a host name of the site's own instead of a page that is only at the installation */
  readonly elsewhere?: (visit: Visit<S>) => PageAnswer;
  /** where pages of routes that are `kept` are; absent: each is made when it is asked for */
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
      // At the root the service answers for what is not there.
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
        const again = AGAIN.includes(problem.status) ? pageOf(request, route) : undefined;
        await fail(reply, headers, site ?? known.of(request), problem, again);
      }
      const ms = performance.now() - started;
      options.metrics.request(name, reply.statusCode, ms);
      // The route, never the address: links from mails hold secrets.
      request.log.debug(
        { request_id: request.id, route: name, status: reply.statusCode, ms: Math.round(ms * 10) / 10 },
        'request',
      );
      return reply;
    },
  });
}

/** Where the page can be asked for: what a form was sent to has one if the route shows it, with what the form's address names. */
const pageOf = ({ method, url }: FastifyRequest, { get }: PageRoute<any>): string | undefined =>
  method === 'GET' || get ? url : undefined;

/** What may work when its page is asked for anew. */
const AGAIN: readonly number[] = [400, 403, 429, 500, 503];

/** Longer ones are made up. */
const MOST_OF_ADDRESS = 500;

/** What a public page depends on besides its business; null: somebody may be logged in, or chooses a language. */
function keyOf(request: FastifyRequest, https: boolean): string | null {
  const { cookies: jar, url, headers } = request;
  if (jar[cookieName('session', https)] !== undefined || url.length > MOST_OF_ADDRESS || /[?&]lang=/.test(url))
    return null;
  const accepts = headers['accept-language'] ?? '';
  const language = jar[LANGUAGE_COOKIE] ?? '';
  if (accepts.length + language.length > MOST_OF_ADDRESS) return null;
  return [request.protocol, request.host, url, language, accepts].join('\n');
}

/** Answers; returns what everybody who asks alike may be shown. */
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
    accepts: request.headers['accept-language'],
    now: options.now(),
    requestId: request.id,
    baseUrl,
    ownHost,
    jar: cookies(request, reply, https),
  });
  if (method === 'POST') checkOwnForm(request, visit);
  const told = await handlerFor(visit, options, route, method)(visit);
  for (const err of visit.leftOut)
    request.log.error({ err, request_id: request.id, route: route.path }, 'part of a page failed');
  if (told.kind === 'page' && told.open) {
    const whole = showOpen(request, reply, headers, site, told);
    return visit.leftOut.length === 0 ? whole : null;
  }
  if (told.kind === 'document') {
    const kept = { document: told.document, etag: etagOf(told.document) };
    sendDocument(request, reply, kept.document, kept.etag);
    return kept;
  }
  if (told.kind === 'file') await sendToKeep(reply, headers, told.file);
  else if (told.kind === 'redirect') void reply.headers(headers).code(303).header('location', told.to).send();
  else if (told.kind === 'go-on')
    await show(reply, headers, site, goingOn(told.to, readerOfRequest(request, site)), told.to);
  else await show(reply, headers, site, told);
  return null;
}

/** Nobody logs in at a host name that a business controls: pages that are only at the installation lead there. */
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

/** What keeps a page from being kept and found does not belong to one that everybody may read. */
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

/** A browser saves it: shown in place, a file of its own would stand under the address of our pages. */
async function sendToKeep(reply: FastifyReply, headers: Record<string, string>, file: FileToSend): Promise<void> {
  const body = 'parts' in file ? Readable.from(file.parts) : await file.draw();
  const disposition = `attachment; filename="${file.name}"`;
  await reply
    .headers({ ...headers, 'content-disposition': disposition })
    .type(file.type)
    .send(body);
}

/** @throws Problem 403 where it is not sure that the person sent this form from a page of ours */
function checkOwnForm(request: FastifyRequest, visit: Visit): void {
  const said = { fetchSite: request.headers['sec-fetch-site'] as string | undefined, origin: request.headers.origin };
  const tokens = visit.sent.getAll(TOKEN_FIELD);
  if (!isOwnOrigin(said, new URL(visit.baseUrl).origin) || tokens.length !== 1 || !visit.holdsToken(tokens[0])) {
    throw new Problem('permission_denied', 'The form was not sent from one of our pages.');
  }
}

function goingOn(to: string, reader: Reader): Shown {
  const say = aroundFor(reader);
  const title = say('page.going_on');
  const body = html`<div class="card"><h1>${title}</h1><p>${say('page.going_on.text')}</p><p class="actions"><a class="button" href="${to}">${say('page.going_on.button')}</a></p></div>`;
  return page(title, body, { frame: bareFrame(reader) });
}
