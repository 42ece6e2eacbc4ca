/** What the pages keep in a browser: a session, what forms are bound to, and the language that somebody chose. */
import { fastifyCookie } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ENGLISH, readerOf, type Reader } from '../base/languages/languages.ts';
import { sessionSecret, type Jar, type Site } from './visit.ts';

/**
 * `__Host-` keeps other machines of the same domain from setting our cookies; browsers take that name over https only.
 * Over plain http, for trying out, the names are plain too.
 */
export const cookieName = (name: 'session' | 'form', https: boolean): string =>
  `${https ? '__Host-' : ''}rollcall_${name}`;

/** Holds no secret, and says nothing of who somebody is. */
export const LANGUAGE_COOKIE = 'rollcall_language';
const LANGUAGE_SECONDS = 365 * 86_400;

/** The secret of the session that a request carries, for those who answer browsers beside these pages. */
export const sessionOf = (cookieHeader: string | undefined, https: boolean): string | null =>
  sessionSecret(fastifyCookie.parse(cookieHeader ?? '')[cookieName('session', https)] ?? null);

export function cookies(request: FastifyRequest, reply: FastifyReply, https: boolean): Jar {
  const shared = { path: '/', httpOnly: true, sameSite: 'lax', secure: https } as const;
  const session = cookieName('session', https);
  return {
    session: request.cookies[session] ?? null,
    form: request.cookies[cookieName('form', https)] ?? null,
    setSession(value, maxAgeSeconds) {
      if (value === null) void reply.clearCookie(session, shared);
      else
        void reply.setCookie(session, value, { ...shared, ...(maxAgeSeconds !== null && { maxAge: maxAgeSeconds }) });
    },
    language: request.cookies[LANGUAGE_COOKIE] ?? null,
    setLanguage(language) {
      void reply.setCookie(LANGUAGE_COOKIE, language, { ...shared, maxAge: LANGUAGE_SECONDS });
    },
    setForm(secret) {
      void reply.setCookie(cookieName('form', https), secret, shared);
    },
  };
}

/** What the address or a choice on a page says, or the browser asks for; else what customers of the business read. */
export function readerOfRequest(
  { headers, query, cookies: jar }: FastifyRequest,
  { reader = ENGLISH }: Pick<Site, 'reader'> = {},
): Reader {
  const { lang } = query as { lang?: unknown };
  // Where cookies are not read, there are none.
  const kept = (jar as typeof jar | undefined)?.[LANGUAGE_COOKIE] ?? null;
  return readerOf(headers['accept-language'], typeof lang === 'string' ? lang : kept, reader);
}
