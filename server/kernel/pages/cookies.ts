/**
 * Cookies of the pages: the session, the one that forms are bound to, the chosen language, and the website that the
 * person came from.
 */
import { fastifyCookie } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ENGLISH, readerOf, type Reader } from '../base/languages/languages.ts';
import { sessionSecret, type Jar, type Site } from './visit.ts';

/**
 * Returns the name of a cookie. The `__Host-` prefix keeps other hosts of the same domain from setting our cookies;
 * browsers accept it over https only. Over plain http, for trying out, the names have no prefix.
 */
export const cookieName = (name: 'session' | 'form' | 'website', https: boolean): string =>
  `${https ? '__Host-' : ''}rollcall_${name}`;

/** Holds no secret, and does not identify anybody. */
export const LANGUAGE_COOKIE = 'rollcall_language';
const LANGUAGE_SECONDS = 365 * 86_400;
/** Longer than a purchase, and short enough that a later visit doesn't lead back. */
const WEBSITE_SECONDS = 4 * 3600;

/** Returns the session secret that a request carries, for code outside of these pages that answers browsers. */
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
    website: request.cookies[cookieName('website', https)] ?? null,
    setWebsite(value) {
      void reply.setCookie(cookieName('website', https), value, { ...shared, maxAge: WEBSITE_SECONDS });
    },
    setForm(secret) {
      void reply.setCookie(cookieName('form', https), secret, shared);
    },
  };
}

/**
 * Returns the reader for a request: the language in the address or chosen on a page, else the one that the browser asks
 * for, else that of the business's customers.
 */
export function readerOfRequest(
  { headers, query, cookies: jar }: FastifyRequest,
  { reader = ENGLISH }: Pick<Site, 'reader'> = {},
): Reader {
  const { lang } = query as { lang?: unknown };
  // The jar is missing where no cookie parser is registered.
  const kept = (jar as typeof jar | undefined)?.[LANGUAGE_COOKIE] ?? null;
  return readerOf(headers['accept-language'], typeof lang === 'string' ? lang : kept, reader);
}
