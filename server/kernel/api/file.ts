/** Answers that are documents: each in a media type of its own, as it would be saved. */
import { etag, type IncomingRequest, type Outgoing } from './exchange.ts';

export interface FileToSend {
  /** as it would be saved */
  readonly name: string;
  readonly type: string;
  /** called when the transaction that read for it has ended: it may take long to draw */
  readonly draw: () => string | Buffer | Promise<string | Buffer>;
}

/** Nothing in it runs, loads anything or leads anywhere, whatever names it contains. */
const INERT = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

export async function sendFile(
  { name, type, draw }: FileToSend,
  request: IncomingRequest,
  headers: Record<string, string>,
): Promise<Outgoing<string | Buffer>> {
  const body = await draw();
  Object.assign(headers, {
    vary: 'Authorization, Accept, Service-Provider-ID, Service-Request-Mode',
    'cache-control': 'private, no-cache',
    etag: etag(body),
  });
  const known = request.headers['if-none-match']?.split(',').some((tag) => tag.trim() === headers.etag);
  if (known) return { status: 304, headers, body: '' };
  return {
    status: 200,
    headers: {
      ...headers,
      'content-type': type.startsWith('text/') ? `${type}; charset=utf-8` : type,
      'content-disposition': `inline; filename="${name}"`,
      'content-security-policy': INERT,
    },
    body,
  };
}
