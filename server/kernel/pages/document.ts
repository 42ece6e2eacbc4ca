/**
 * Texts that are identical for everybody: sent compressed, with an ETag, and not sent again to clients that have them.
 */
import { hash } from 'node:crypto';
import { brotliCompressSync, brotliDecompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface Document {
  readonly type: string;
  readonly body: string;
  readonly headers: Record<string, string>;
  /** compressed in advance, with a higher ratio than there is time for per request */
  readonly packed?: Partial<Record<Encoding, Buffer>>;
}

const ENCODINGS = {
  br: (text: string) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (text: string) => gzipSync(text),
} as const;
type Encoding = keyof typeof ENCODINGS;

/** Minimum length to compress: a shorter text fits into one packet anyway. */
const WORTH_IT = 1400;

/** Each document is compressed once, on first request. */
const compressed = new WeakMap<Document, Map<Encoding, Buffer>>();

function inEncoding(document: Document, encoding: Encoding): Buffer {
  const known = compressed.get(document) ?? new Map<Encoding, Buffer>();
  compressed.set(document, known);
  let bytes = document.packed?.[encoding] ?? known.get(encoding);
  if (!bytes) known.set(encoding, (bytes = ENCODINGS[encoding](document.body)));
  return bytes;
}

/** Returns the best encoding that the client accepts; `;q=0` refuses one. */
function encodingFor(accepts: string | undefined): Encoding | null {
  const taken = new Set(
    (accepts ?? '')
      .slice(0, 200)
      .toLowerCase()
      .split(',')
      .filter((one) => !/;\s*q=0(\.0*)?\s*$/.test(one))
      .map((one) => one.split(';')[0].trim()),
  );
  return (Object.keys(ENCODINGS) as Encoding[]).find((encoding) => taken.has(encoding)) ?? null;
}

export const etagOf = (document: Document): string =>
  `"${hash('sha1', document.packed?.br ?? document.body, 'base64url')}"`;

/**
 * Creates a document that is stored only in compressed form. For clients that need another encoding, it is decompressed
 * on each request: these are rare.
 */
export const unpackedWhenAsked = (document: Omit<Document, 'body' | 'packed'>, br: Buffer): Document => ({
  ...document,
  packed: { br },
  get body() {
    return brotliDecompressSync(br).toString();
  },
});

/** Responds with the document, or with 304 if the client has it in any encoding. */
export function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  document: Document,
  etag: string,
): FastifyReply {
  const { type, headers } = document;
  const isWorthIt = document.packed !== undefined || document.body.length >= WORTH_IT;
  const encoding = isWorthIt ? encodingFor(request.headers['accept-encoding']) : null;
  const own = encoding ? etag.replace(/"$/, `-${encoding}"`) : etag;
  reply.headers({
    etag: own,
    'cache-control': 'public, max-age=300',
    'x-content-type-options': 'nosniff',
    vary: 'accept-encoding',
    ...headers,
  });
  const versions = [etag, ...Object.keys(ENCODINGS).map((name) => etag.replace(/"$/, `-${name}"`))];
  const known = request.headers['if-none-match']
    ?.split(',')
    .some((tag) => versions.includes(tag.trim().replace(/^W\//, '')));
  if (known) return reply.code(304).send();
  if (!encoding) return reply.type(type).send(document.body);
  return reply.type(type).header('content-encoding', encoding).send(inEncoding(document, encoding));
}
