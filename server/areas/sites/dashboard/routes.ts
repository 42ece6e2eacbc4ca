/** Routes that serve the dashboard and issue its token. */
import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Dashboard } from './built.ts';
import { etagOf, sendDocument, type Document } from '../../../kernel/pages/document.ts';
import { sessionOfSecret } from '../../people/identity/index.ts';
import { html } from '../../../kernel/base/markup/html.ts';
import { isOwnOrigin } from '../../../kernel/pages/csrf.ts';
import { framed, PLAIN } from '../../../kernel/pages/layout.ts';
import { page } from '../../../kernel/pages/visit.ts';
import { pageHeaders } from '../../../kernel/pages/headers.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { sessionOf } from '../../../kernel/pages/cookies.ts';
import { tokenFor, TOKEN_SECONDS } from './session-token.ts';
import type { Database } from '../../../kernel/base/db/database.ts';
import type { Installation } from '../../../kernel/work/unit/installation.ts';
import type { Limits } from '../../../kernel/api/limits/limits.ts';

export interface DashboardOptions {
  readonly db: Database;
  readonly installation: Pick<Installation, 'baseUrl' | 'box' | 'cells'>;
  readonly limits: Limits;
  readonly now: () => number;
  /** for the build, if the project's own folder has none */
  readonly dataDir: string;
  readonly publicUrl: string | undefined;
  readonly log: { error(what: object, message: string): void };
}

/** Longest wait of a request for a build: a slow machine gets a page that asks again. */
const WAIT_MS = 20_000;

/**
 * Registers the routes. Returns a function that builds the program unless it was built before: it calls `onBuild`
 * first, and resolves to false if the build fails.
 */
export function dashboardDoors(
  http: FastifyInstance,
  options: DashboardOptions,
): (onBuild?: () => void) => Promise<boolean> {
  const { limits, dataDir, publicUrl, log } = options;
  const https = publicUrl?.startsWith('https:') ?? false;
  const dashboard = new Dashboard(dataDir);
  const etags = new WeakMap<Document, string>();
  const prepare = async (onBuild?: () => void): Promise<boolean> => {
    try {
      await dashboard.ready(onBuild);
      return true;
    } catch (err) {
      log.error({ err }, 'the dashboard could not be built');
      return false;
    }
  };

  const headers = headersOf(https);
  const show = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (!dashboard.built) await Promise.race([prepare(), setTimeout(WAIT_MS, undefined, { ref: false })]);
    const { built } = dashboard;
    if (!built) {
      return reply
        .code(503)
        .headers({ ...pageHeaders(https), 'retry-after': '2' })
        .type('text/html; charset=utf-8')
        .send(PREPARING);
    }
    // The page is the same for everybody, but each response has the current policy.
    if (!etags.has(built.page)) etags.set(built.page, etagOf(built.page));
    return sendDocument(request, reply.headers(headers), built.page, etags.get(built.page)!);
  };
  http.get('/dashboard', show);
  http.get('/dashboard/*', show);
  http.get('/dashboard/assets/:name', (request: FastifyRequest<{ Params: { name: string } }>, reply) => {
    const asset = dashboard.built?.assets.get(request.params.name);
    // The asset is from an earlier build: the page that requests it reloads itself.
    if (!asset) return reply.code(404).headers({ 'cache-control': 'no-store' }).type('text/plain').send('Not found.');
    if (!etags.has(asset)) etags.set(asset, etagOf(asset));
    return sendDocument(request, reply, asset, etags.get(asset)!);
  });
  http.post('/dashboard/token', { bodyLimit: 1 }, async (request, reply) => {
    limits.takePage('page', request.ip);
    const own = publicUrl === undefined ? `${request.protocol}://${request.host}` : new URL(publicUrl).origin;
    const { origin, 'sec-fetch-site': fetchSite } = request.headers;
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    if (origin === undefined || !isOwnOrigin({ fetchSite: fetchSite as string | undefined, origin }, own)) {
      // Not 401: logging in again would not help, and the page would be redirected to and fro. The session is not even
      // read, so another site doesn't learn whether there is one.
      const problem = new Problem('permission_denied', 'The request was not sent from the dashboard at its address.');
      // Without PUBLIC_URL, another origin is an address that the service doesn't know it has.
      const isUnknown = publicUrl === undefined && origin !== undefined && origin !== 'null' && origin !== own;
      const address = isUnknown ? null : (publicUrl ?? own);
      return reply.code(problem.status).send({ ...problem.body(request.id), address });
    }
    const given = await give(request, options, https);
    if (given) return reply.send(given);
    const problem = new Problem('not_authenticated', 'Log in to use the dashboard.');
    return reply.code(problem.status).send(problem.body(request.id));
  });
  return prepare;
}

async function give(
  { headers }: FastifyRequest,
  { db, installation, now }: DashboardOptions,
  https: boolean,
): Promise<{ token: string; expires_in: number; user: number; address: string } | null> {
  const secret = sessionOf(headers.cookie, https);
  const { baseUrl, box, cells } = installation;
  const session = secret === null ? null : await sessionOfSecret({ db, now, cells }, secret);
  return (
    session && {
      token: tokenFor(box, { id: session.id, cell: session.cell ?? cells?.own }, now()),
      expires_in: TOKEN_SECONDS,
      user: session.userId,
      address: baseUrl,
    }
  );
}

/** Returns headers that allow only our own files and connections. The camera scans codes at the door. */
function headersOf(https: boolean): Record<string, string> {
  const { 'content-security-policy': _policy, ...rest } = pageHeaders(https);
  return {
    ...rest,
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data: blob:",
      "connect-src 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      ...(https ? ['upgrade-insecure-requests'] : []),
    ].join('; '),
    'permissions-policy': rest['permissions-policy'].replace('camera=()', 'camera=(self)'),
  };
}

const PREPARING = framed(
  PLAIN,
  page(
    'One moment',
    html`<div class="card"><h1>One moment</h1><p>The dashboard is being prepared. It opens here in a few seconds.</p>
<p class="actions"><a class="button" href="">Open it</a></p></div>`,
  ),
  html`<meta http-equiv="refresh" content="2">`,
);
