/** Pages about what went wrong: whose page it is, and what is not there. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorPage } from './error-page.ts';
import { framed, PLAIN } from './layout.ts';
import { html } from '../base/markup/html.ts';
import { pageHeaders, withScript } from './headers.ts';
import { readerOfRequest } from './cookies.ts';
import { translate } from '../api/refusals.ts';
import type { PagesOptions } from './pages.ts';
import type { Problem } from '../base/problem.ts';
import type { Shown, Site } from './visit.ts';

/** The name that was asked, without a port and without the dot that may end it. */
export const hostOf = ({ hostname }: Pick<FastifyRequest, 'hostname'>): string =>
  hostname.toLowerCase().replace(/\.$/, '');

/** The host name of the site's own at which a page was asked; null: it was asked at the installation. */
export const ownHostOf = (
  request: Pick<FastifyRequest, 'hostname'>,
  { host }: Pick<Site, 'host'>,
  publicUrl: string | undefined,
): string | null =>
  host && host === hostOf(request) && (publicUrl === undefined || new URL(publicUrl).hostname !== host) ? host : null;

export const NO_CONSTRAINTS = new Map<string, () => Problem>();

/**
 * Whose pages were shown lately, by what names them in a path. A page that is refused before its business is looked up, or
 * because it can't be, still looks like one of its pages.
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

/** What went wrong, as a page of the site. `why`: the refusal, or a status alone. `again`: see `Failed`. */
export function failedPage(request: FastifyRequest, why: Problem | number, site: Site = PLAIN, again?: string): Shown {
  const [status, problem] = typeof why === 'number' ? [why] : [why.status, why];
  const reader = readerOfRequest(request, site);
  return errorPage(status, { requestId: request.id, problem, reader, site, again });
}

/** Whether a person in a browser asked, and not a program. */
export const wantsPage = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  (headers.accept ?? '').includes('text/html');

/** An answer that is written as it stands. */
export interface Written {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** A page of nobody in particular, for what is refused before anybody can show one. It offers to ask again. */
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

/** Below the pages of a business the page that is not there is one of the business. */
export async function showStrayed<S extends Site>(
  request: FastifyRequest,
  reply: FastifyReply,
  { site, limits }: Pick<PagesOptions<S>, 'site' | 'limits'>,
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
 * For browsers that ask for what is not there, anywhere beside the interface: a page with a way on. Null for programs.
 * `site`: whose page it then is, by the path and the host name that were asked; null: nobody's.
 */
export function strayed<S extends Site>(
  options: Pick<PagesOptions<S>, 'limits' | 'publicUrl'> & {
    readonly site: (path: string, host: string) => Promise<S | null>;
  },
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> | null {
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
