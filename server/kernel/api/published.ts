/** What the service says of itself: the OpenAPI document, the reference to read, and what changed when. Made once at start. */
import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { changesPage, readChanges } from './changes.ts';
import { openapi } from './openapi.ts';
import { PREFIX } from './http.ts';
import { referencePage } from './reference.ts';
import { contentSecurity } from './reference-frame.ts';
import type { Registry } from './registry.ts';

export interface Document {
  readonly type: string;
  readonly body: string;
  readonly headers: Record<string, string>;
}

const page = (body: string): Document => ({
  type: 'text/html; charset=utf-8',
  body,
  headers: { 'content-security-policy': contentSecurity, 'referrer-policy': 'no-referrer' },
});

export function publish(http: FastifyInstance, registry: Registry): void {
  serve(http, `${PREFIX}/openapi.json`, {
    type: 'application/json; charset=utf-8',
    body: JSON.stringify(openapi(registry)),
    // Tools in a browser read it from anywhere; it holds nothing of any business.
    headers: { 'access-control-allow-origin': '*' },
  });
  serve(http, '/docs', page(referencePage(registry)));
  serve(http, '/docs/changes', page(changesPage(readChanges())));
}

function serve(http: FastifyInstance, url: string, document: Document): void {
  const etag = etagOf(document);
  http.get(url, (request, reply) => sendDocument(request, reply, document, etag));
}

export const etagOf = ({ body }: Document): string => `"${hash('sha1', body, 'base64url')}"`;

/** Answers with the document, or with 304 to somebody who has it. */
export function sendDocument(request: FastifyRequest, reply: FastifyReply, { type, body, headers }: Document, etag: string): FastifyReply {
  reply.headers({ etag, 'cache-control': 'public, max-age=300', 'x-content-type-options': 'nosniff', ...headers });
  const known = request.headers['if-none-match']?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
  return known ? reply.code(304).send() : reply.type(type).send(body);
}
