/**
 * Documents that the service publishes about itself: the OpenAPI document, the reference, the permissions, and the list
 * of changes.
 */
import type { FastifyInstance } from 'fastify';
import { contentSecurity, SCRIPT, SEARCH } from './frame.ts';
import { DOCS } from './addresses.ts';
import { etagOf, sendDocument, type Document } from '../../../kernel/pages/document.ts';
import { nameOf } from './openapi/openapi-schemas.ts';
import { openapi } from './openapi/openapi.ts';
import { partOf } from './openapi/openapi-part.ts';
import { PREFIX } from '../../../kernel/api/requests/http.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { pagesOf, script } from './pages.ts';
import type { Registry } from '../../../kernel/api/registry.ts';

const page = (body: string): Document => ({
  type: 'text/html; charset=utf-8',
  body,
  headers: { 'content-security-policy': contentSecurity, 'referrer-policy': 'no-referrer' },
});

const json = (body: unknown): Document => ({
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(body),
  // Browser tools read it from anywhere; it contains no data of any business.
  headers: { 'access-control-allow-origin': '*' },
});

interface Query {
  readonly tag?: unknown;
  readonly q?: unknown;
}

/** Serves the documents. */
export function referenceDoors(http: FastifyInstance, registry: Registry): void {
  const whole = once(() => openapi(registry));
  const pages = once(() => pagesOf(registry, whole));
  const made = new Map<string, Document>();
  const constant = (address: string): Document | undefined => {
    const make = made.has(address) ? undefined : pages().constant.get(address);
    if (make) made.set(address, page(make()));
    return made.get(address);
  };
  serve(http, DOCS, () => constant(DOCS));
  serve(http, `${DOCS}/*`, (_query, path) => constant(path));
  serve(
    http,
    SCRIPT,
    once(() => ({ type: 'text/javascript; charset=utf-8', body: script(), headers: {} })),
  );
  serve(http, SEARCH, ({ q = '' }) => page(pages().search(String(q))));
  serve(http, `${PREFIX}/openapi.json`, openapiOf(registry, whole));
}

/** Builds a value on first request, so that startup does not wait for it. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** Returns the whole document, or with `?tag=schedule` (a comma-separated list) the part of these topics. */
function openapiOf(registry: Registry, whole: () => Record<string, any>): (query: Query) => Document {
  const document = once(() => json(whole()));
  const topicOf = new Map(
    registry.topics.flatMap(({ name, resources = [] }) => resources.map((one) => [nameOf(one), name] as const)),
  );
  const names = new Set<string>(registry.topics.filter(({ endpoints }) => endpoints?.length).map(({ name }) => name));
  const parts = new Map<string, Document>();
  return ({ tag }) => {
    if (tag === undefined || tag === '') return document();
    const wanted = new Set(String(tag).slice(0, 1000).split(','));
    const unknown = [...wanted].find((name) => !names.has(name));
    if (unknown !== undefined) {
      throw new Problem('parameter_invalid', 'There is no such tag.', {
        tag: [`Must be one of: ${[...names].join(', ')}.`],
      });
    }
    // Only single tags are cached: there are too many combinations.
    const made = parts.get(String(tag)) ?? json(partOf(whole(), wanted, topicOf));
    if (wanted.size === 1) parts.set(String(tag), made);
    return made;
  };
}

/** Serves documents; `documentFor` returns undefined if there is none. */
function serve(
  http: FastifyInstance,
  url: string,
  documentFor: (query: Query, path: string) => Document | undefined,
): void {
  http.get(url, (request, reply) => {
    const document = documentFor(request.query as Query, request.url.split('?')[0]);
    return document ? sendDocument(request, reply, document, etagOf(document)) : reply.callNotFound();
  });
}
