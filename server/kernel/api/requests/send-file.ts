/** Sends documents: complete with their version, or part by part. */
import { etag, type IncomingRequest, type Outgoing } from './exchange.ts';
import type { FileToSend, Named } from '../file.ts';

/** Nothing in the document can run, load or navigate, whatever names it contains. */
const INERT = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

const VARY = 'Authorization, Accept, Service-Provider-ID, Service-Request-Mode';

const headOf = ({ name, type }: Named, disposition: 'inline' | 'attachment'): Record<string, string> => ({
  'content-type': type.startsWith('text/') ? `${type}; charset=utf-8` : type,
  'content-disposition': `${disposition}; filename="${name}"`,
  'content-security-policy': INERT,
});

export async function sendFile(
  file: FileToSend,
  request: IncomingRequest,
  headers: Record<string, string>,
): Promise<Outgoing<string | Buffer | AsyncIterable<string | Uint8Array>>> {
  headers.vary = VARY;
  if ('parts' in file) {
    // The version is known only at the end of the document: so the response is not cached, and it is saved instead of
    // shown.
    const head = { ...headers, 'cache-control': 'private, no-store', ...headOf(file, 'attachment') };
    return { status: 200, headers: head, body: await begun(file.parts) };
  }
  const body = await file.draw();
  Object.assign(headers, { 'cache-control': 'private, no-cache', etag: etag(body) });
  const known = request.headers['if-none-match']?.split(',').some((tag) => tag.trim() === headers.etag);
  if (known) return { status: 304, headers, body: '' };
  return { status: 200, headers: { ...headers, ...headOf(file, 'inline') }, body };
}

/** Reads the first part, so that an error at the beginning still becomes a refusal. */
async function begun<P>(parts: AsyncIterable<P>): Promise<AsyncIterable<P>> {
  const rest = parts[Symbol.asyncIterator]();
  const first = await rest.next();
  return (async function* () {
    try {
      for (let part = first; part.done !== true; part = await rest.next()) yield part.value;
    } finally {
      await rest.return?.();
    }
  })();
}
