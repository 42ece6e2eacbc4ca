/**
 * Sends a test's requests to the service: over a connection, or directly to the routes in this process, which return
 * the same responses for a fraction of the processor time.
 */
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';

export interface Asked {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string | URLSearchParams | undefined;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export type Asking = (request: Asked) => Promise<Answered>;

export const overConnection: Asking = async ({ url, ...request }) => {
  const answer = await fetch(url, { ...request, redirect: 'manual' });
  const { status, headers } = answer;
  // A stream does not end on its own.
  if (headers.get('content-type')?.startsWith('text/event-stream')) await answer.body?.cancel();
  return { status, headers, text: answer.bodyUsed ? '' : await answer.text() };
};

/** The headers that `fetch` sends. */
const SENT = {
  accept: '*/*',
  'accept-language': '*',
  'sec-fetch-mode': 'cors',
  'user-agent': 'node',
  'accept-encoding': 'gzip, deflate',
};

const DECODERS: Partial<Record<string, (packed: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/**
 * Sends requests directly to the routes in this process. `streams`: paths whose responses never end; they need a
 * connection that the caller can close.
 */
export const inProcess =
  (http: FastifyInstance, streams: readonly RegExp[]): Asking =>
  async (request) => {
    const { method, url, headers, body } = request;
    if (streams.some((path) => path.test(url.pathname))) return overConnection(request);
    const form = body instanceof URLSearchParams && {
      'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
    };
    const answer = await http.inject({
      method: method as 'GET',
      url: url.pathname + url.search,
      headers: { host: url.host, connection: 'keep-alive', ...SENT, ...form, ...Object.fromEntries(headers) },
      ...(body !== undefined && { payload: String(body) }),
    });
    const packed = answer.rawPayload;
    const decode = DECODERS[String(answer.headers['content-encoding'])];
    return {
      status: answer.statusCode,
      headers: new Headers(
        Object.entries(answer.headers).flatMap(([name, value]) =>
          value === undefined ? [] : [value].flat().map((one): [string, string] => [name, String(one)]),
        ),
      ),
      text: new TextDecoder().decode(decode && packed.length > 0 ? decode(packed) : packed),
    };
  };
