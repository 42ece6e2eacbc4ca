/** Error pages: which site they belong to, and what browsers get for unknown paths. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorPage } from './error-page.ts';
import { framed, PLAIN } from './layout.ts';
import { html } from '../base/markup/html.ts';
import { pageHeaders, withScript } from './headers.ts';
import { readerOfRequest } from './cookies.ts';
import { translate } from '../api/requests/refusals.ts';
import type { Limits } from '../api/limits/limits.ts';
import type { Problem } from '../base/problem.ts';
import type { Shown, Site } from './visit.ts';

/** Returns the requested host name, without a port or a trailing dot. */
export const hostOf = ({ hostname }: Pick<FastifyRequest, 'hostname'>): string =>
  hostname.toLowerCase().replace(/\.$/, '');

/** Returns the site's own host name if the page was requested there; null if it was requested at the installation. */
export const ownHostOf = (
  request: Pick<FastifyRequest, 'hostname'>,
  { host }: Pick<Site, 'host'>,
  publicUrl: string | undefined,
): string | null =>
  host && host === hostOf(request) && (publicUrl === undefined || new URL(publicUrl).hostname !== host) ? host : null;

export const NO_CONSTRAINTS = new Map<string, () => Problem>();

/**
 * Recently shown sites, by the parameters that name them in a path. A page that is refused before its business is
 * looked up, or because the lookup fails, still looks like a page of that business.
 */
export class KnownSites {
  static readonly #MOST = 500;
  readonly #known = new Map<string, Site>();

  static #key(request: FastifyRequest): string {
    const { provider_id = '', slug = '' } = request.params as Readonly<Record<string, string>>;
    return `${hostOf(request)} ${provider_id} ${slug}`;
  }

  of(request: FastifyRequest): Site {
    return this.#known.get(KnownSites.#key(request)) ?? PLAIN;
  }

  keep(request: FastifyRequest, site: Site): void {
    if (this.#known.size >= KnownSites.#MOST) this.#known.clear();
    this.#known.set(KnownSites.#key(request), site);
  }
}

/** Returns an error as a page of the site. `why`: the refusal, or just a status. `again`: see `Failed`. */
export function failedPage(request: FastifyRequest, why: Problem | number, site: Site = PLAIN, again?: string): Shown {
  const [status, problem] = typeof why === 'number' ? [why] : [why.status, why];
  const reader = readerOfRequest(request, site);
  return errorPage(status, { requestId: request.id, problem, reader, site, again });
}

/** Returns true if the request comes from a person in a browser, not from a program. */
export const wantsPage = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  (headers.accept ?? '').includes('text/html');

/** Finds the owner of a path's pages; null if there is none. */
export type FindSite<S extends Site> = (params: Readonly<Record<string, string>>, host?: string) => Promise<S | null>;

/** A response that is sent unchanged. */
export interface Written {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** Returns an unbranded page for requests that are refused before any site can show one. It offers to try again. */
export function writtenPage(request: FastifyRequest, why: Problem | number, https: boolean): Written {
  const page = failedPage(request, why, PLAIN, request.method === 'GET' ? request.url : undefined);
  const headers = { ...page.headers, ...pageHeaders(https), 'content-type': 'text/html; charset=utf-8' };
  return { status: page.status, headers: { ...headers, 'request-id': request.id }, body: framed(PLAIN, page) };
}

export const fail = (
  reply: FastifyReply,
  headers: Record<string, string>,
  site: Site,
  why: Problem | number,
  again?: string,
): FastifyReply => show(reply, headers, site, failedPage(reply.request, why, site, again));

export function show(
  reply: FastifyReply,
  headers: Record<string, string>,
  site: Site,
  shown: Shown,
  to?: string,
): FastifyReply {
  const head = to === undefined ? null : html`<meta http-equiv="refresh" content="0; url=${to}">`;
  return reply
    .headers({
      ...shown.headers,
      ...(shown.script === null ? headers : withScript(headers)),
      'request-id': reply.request.id,
    })
    .code(shown.status)
    .type('text/html; charset=utf-8')
    .send(framed(site, shown, head));
}

/** Shows a 404 below the pages of a business as a page of that business. */
export async function showStrayed<S extends Site>(
  request: FastifyRequest,
  reply: FastifyReply,
  { site, limits }: { readonly site: FindSite<S>; readonly limits: Limits },
  headers: Record<string, string>,
): Promise<FastifyReply> {
  try {
    limits.takePage('page', request.ip);
    const [, provider_id = ''] = /^\/account\/(\d+)(?:[/?]|$)/.exec(request.url) ?? [];
    return fail(reply, headers, (await site({ provider_id }, hostOf(request))) ?? PLAIN, 404);
  } catch (error) {
    return fail(reply, headers, PLAIN, translate(error, NO_CONSTRAINTS));
  }
}

/**
 * Returns a handler that shows a page with links to browsers that request an unknown path outside of the interface;
 * null for programs. `site` finds the owner of that page by the requested path and host name; null if there is none.
 */
export function strayed<S extends Site>(options: {
  readonly limits: Limits;
  readonly publicUrl: string | undefined;
  readonly site: (path: string, host: string) => Promise<S | null>;
}): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> | null {
  const headers = pageHeaders(options.publicUrl?.startsWith('https:') ?? false);
  return (request, reply) => {
    const isBrowser =
      ['GET', 'HEAD'].includes(request.method) && wantsPage(request) && !request.url.startsWith('/api/');
    if (!isBrowser) return null;
    const answer = async (): Promise<FastifyReply> => {
      try {
        options.limits.takePage('page', request.ip);
        const site = await options.site(request.url.split('?')[0], hostOf(request));
        return fail(reply, headers, site ?? PLAIN, 404);
      } catch (error) {
        return fail(reply, headers, PLAIN, translate(error, NO_CONSTRAINTS));
      }
    };
    return answer();
  };
}
