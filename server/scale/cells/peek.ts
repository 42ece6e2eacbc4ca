/** Reads ahead in the body of a request whose actual reader comes later. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';

/** Far more than any OAuth form, and less than the buffer of a stream. */
const MAX_ROWS = 16_384;

/** Returns the body; empty if there is none, it is too large, or its length is not declared. */
export async function peek(request: IncomingMessage): Promise<string> {
  const length = Number(request.headers['content-length'] ?? 0);
  if (!(length > 0 && length <= MAX_ROWS)) return '';
  const gone = new AbortController();
  const leave = () => gone.abort();
  request.once('close', leave);
  try {
    while (request.readableLength < length) await once(request, 'readable', { signal: gone.signal });
  } catch {
    // The client has disconnected.
    return '';
  } finally {
    request.off('close', leave);
  }
  // Put back in the same tick, so that the stream doesn't end in between.
  const body = request.read() as Buffer;
  request.unshift(body);
  return body.toString();
}
