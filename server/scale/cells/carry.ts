/**
 * Forwards a request to another cell and streams the response back: bodies, uploads and streams are never buffered.
 * Written by hand, because it has to do less than a general proxy: see docs/adr/0027-cells.md.
 */
import http, { type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import https from 'node:https';
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';

/** Headers that belong to one connection (RFC 9110, 7.6.1), or that are set again. */
const OF_THE_CONNECTION = new Set([
  'connection',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Time limit for establishing a connection, in milliseconds. */
const CONNECT_MS = 2000;
/** After a refusal, a larger rest of the body is not read: the connection is closed instead. */
const WORTH_READING = 64 * 1024;
/** Shorter than the time for which servers keep an idle connection. */
const UNUSED_MS = 30_000;

interface Destination {
  /** base URL of the cell, without a trailing slash */
  readonly address: string;
  /** headers in addition to those of the request */
  readonly headers: Readonly<Record<string, string>>;
}

export class Carrier {
  readonly #agents = {
    'http:': new http.Agent({ keepAlive: true, timeout: UNUSED_MS }),
    'https:': new https.Agent({ keepAlive: true, timeout: UNUSED_MS }),
  };
  readonly #streams = new Set<() => void>();
  #ending = false;

  /**
   * Forwards the request; resolves with the headers of the response. If the client disconnects, the request is aborted.
   * @throws Error if the cell doesn't respond; nothing has been sent back then
   */
  async send(from: IncomingMessage, back: ServerResponse, to: Destination): Promise<IncomingMessage> {
    const hasBody = from.headers['transfer-encoding'] !== undefined || Number(from.headers['content-length'] ?? 0) > 0;
    for (let attempt = 1; ; attempt++) {
      const request = this.#begin(from, to, hasBody);
      const gone = () => void request.destroy();
      back.once('close', gone);
      try {
        return await answerOf(request, from, hasBody);
      } catch (error) {
        back.off('close', gone);
        request.destroy();
        // The other end closed the connection at the very moment it was reused: it read nothing of this request.
        const isUntouched = request.reusedSocket && (error as { code?: string }).code === 'ECONNRESET' && !hasBody;
        if (!isUntouched || attempt > 1 || back.destroyed) throw error;
      }
    }
  }

  /** Sends the response to the client, streaming its body. Resolves at its end. */
  async give(answer: IncomingMessage, from: IncomingMessage, back: ServerResponse): Promise<void> {
    const isStream = answer.headers['content-type']?.startsWith('text/event-stream') ?? false;
    const stop = () => {
      answer.destroy();
      back.end();
    };
    if (isStream && this.#ending) answer.destroy();
    else if (isStream) this.#streams.add(stop);
    try {
      // A little of a refused body is read, so that the connection can be used again.
      const cut = !from.complete && !(Number(from.headers['content-length']) <= WORTH_READING);
      if (!from.complete && !cut) from.unpipe().resume();
      back.writeHead(answer.statusCode!, { ...endToEnd(answer), ...(cut && { connection: 'close' }) });
      // The first event of a stream may come much later.
      if (isStream) back.flushHeaders();
      await pipeline(answer, back);
    } catch {
      // If one of the two has disconnected, the other must notice, because the response did not end properly.
      back.destroy();
    } finally {
      this.#streams.delete(stop);
    }
  }

  /** Ends open streams, whose clients reconnect to another process; other responses run to their end. */
  endStreams(): void {
    this.#ending = true;
    for (const stop of this.#streams) stop();
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  #begin(from: IncomingMessage, { address, headers }: Destination, hasBody: boolean): http.ClientRequest {
    const { protocol, hostname, port, host } = new URL(address);
    const request = (protocol === 'https:' ? https : http).request({
      agent: this.#agents[protocol as 'http:' | 'https:'],
      protocol,
      hostname: hostname.replaceAll(/^\[|\]$/g, ''),
      port,
      method: from.method,
      path: from.url,
      headers: {
        ...endToEnd(from),
        ...headers,
        host,
        // Only a body of unknown length is sent in chunks; otherwise, a method that usually has no body would lose it.
        ...(hasBody && from.headers['content-length'] === undefined && { 'transfer-encoding': 'chunked' }),
      },
    });
    request.on('socket', (socket) => {
      if (!socket.connecting) return;
      const late = setTimeout(() => request.destroy(new Error('no connection in time')), CONNECT_MS);
      for (const event of ['connect', 'close']) socket.once(event, () => clearTimeout(late));
    });
    return request;
  }
}

async function answerOf(
  request: http.ClientRequest,
  from: IncomingMessage,
  hasBody: boolean,
): Promise<IncomingMessage> {
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  if (!hasBody) request.end();
  else {
    from.pipe(request);
    from.once('close', () => void (from.complete || request.destroy()));
  }
  const [answer] = await answered;
  // The response counts, not an error in sending the rest of an unwanted body.
  request.on('error', () => {});
  return answer;
}

/** Returns the headers for the other end, repeated as often as they came. */
function endToEnd({ headers, headersDistinct }: IncomingMessage): OutgoingHttpHeaders {
  const named = new Set((headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
  return Object.fromEntries(
    Object.entries(headersDistinct)
      .filter(([name]) => !OF_THE_CONNECTION.has(name) && !named.has(name))
      .map(([name, values = []]) => [name, values.length === 1 ? values[0] : values]),
  );
}
