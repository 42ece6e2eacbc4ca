/** Answers that are documents: each in a media type of its own, as it would be saved. */
import { etag, type IncomingRequest, type Outgoing } from './exchange.ts';

interface Named {
  /** as it would be saved */
  readonly name: string;
  readonly type: string;
}

export interface DrawnFile extends Named {
  /** called when the transaction that read for it has ended: it may take long to draw */
  readonly draw: () => string | Buffer | Promise<string | Buffer>;
}

/** A document that may be too long to hold: its parts are read as they are sent, in transactions of their own. */
interface Streamed extends Named {
  readonly parts: AsyncIterable<string | Uint8Array>;
}

export type FileToSend = DrawnFile | Streamed;

/** Nothing in it runs, loads anything or leads anywhere, whatever names it contains. */
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
    // Its version is known when its end has been sent: nothing keeps it, and it is saved and not shown.
    const head = { ...headers, 'cache-control': 'private, no-store', ...headOf(file, 'attachment') };
    return { status: 200, headers: head, body: await begun(file.parts) };
  }
  const body = await file.draw();
  Object.assign(headers, { 'cache-control': 'private, no-cache', etag: etag(body) });
  const known = request.headers['if-none-match']?.split(',').some((tag) => tag.trim() === headers.etag);
  if (known) return { status: 304, headers, body: '' };
  return { status: 200, headers: { ...headers, ...headOf(file, 'inline') }, body };
}

/** Reads the first part, so that what fails from the beginning is still answered with a refusal. */
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
