/** Looks at the body of a request that somebody else reads afterwards. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';

/** Far more than any form of OAuth, and less than what a stream holds by itself. */
const MAX_ROWS = 16_384;

/** Empty where there is none, or it is larger than what is looked for can be, or its length is not said. */
export async function peek(request: IncomingMessage): Promise<string> {
  const length = Number(request.headers['content-length'] ?? 0);
  if (!(length > 0 && length <= MAX_ROWS)) return '';
  const gone = new AbortController();
  const leave = () => gone.abort();
  request.once('close', leave);
  try {
    while (request.readableLength < length) await once(request, 'readable', { signal: gone.signal });
  } catch {
    // The client has gone.
    return '';
  } finally {
    request.off('close', leave);
  }
  // Put back in the same moment, so that the stream doesn't end in between.
  const body = request.read() as Buffer;
  request.unshift(body);
  return body.toString();
}
