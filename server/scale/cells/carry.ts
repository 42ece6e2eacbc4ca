/**
 * Carries a request to another cell and its answer back, as they come: bodies, uploads and streams are never gathered. By
 * hand, for it has to do less than a proxy in general: see docs/adr/0027-cells.md.
 */
import http, { type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import https from 'node:https';
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';

/** What belongs to one connection (RFC 9110, 7.6.1), or is said anew. */
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

/** A connection that is not made within this is not made, ms. */
const CONNECT_MS = 2000;
/** What is left of a larger body when its request was refused is not worth waiting for. */
const WORTH_READING = 64 * 1024;
/** Shorter than servers keep a connection that nobody uses. */
const UNUSED_MS = 30_000;

export interface Destination {
  /** where the cell answers, without a slash at the end */
  readonly address: string;
  /** what is said besides what the request says */
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
   * Sends the request on; resolves with the head of the answer. When the client has gone, the request is ended.
   * @throws Error when the cell doesn't answer; nothing has been sent back then
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
        // The other end closed the connection in the very moment in which it was used again: it read nothing of this.
        const isUntouched = request.reusedSocket && (error as { code?: string }).code === 'ECONNRESET' && !hasBody;
        if (!isUntouched || attempt > 1 || back.destroyed) throw error;
      }
    }
  }

  /** Gives the answer to the client, with its body as it comes. Resolves when there is no more of it. */
  async give(answer: IncomingMessage, from: IncomingMessage, back: ServerResponse): Promise<void> {
    const isStream = answer.headers['content-type']?.startsWith('text/event-stream') ?? false;
    const stop = () => {
      answer.destroy();
      back.end();
    };
    if (isStream && this.#ending) answer.destroy();
    else if (isStream) this.#streams.add(stop);
    try {
      // Of a body that was refused, a little is read on, so that the connection can be used again.
      const cut = !from.complete && !(Number(from.headers['content-length']) <= WORTH_READING);
      if (!from.complete && !cut) from.unpipe().resume();
      back.writeHead(answer.statusCode!, { ...endToEnd(answer), ...(cut && { connection: 'close' }) });
      // The first event of a stream may come much later.
      if (isStream) back.flushHeaders();
      await pipeline(answer, back);
    } catch {
      // One of the two has gone: the other one learns of it, for the answer has not ended as it should.
      back.destroy();
    } finally {
      this.#streams.delete(stop);
    }
  }

  /** Ends the streams that are open, whose clients come back to another process; other answers come to their end. */
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
        // Only a body whose length nobody knows comes in chunks; a method that has none otherwise would lose it.
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
  // The answer counts, and not that the rest of a body that nobody wanted could not be sent.
  request.on('error', () => {});
  return answer;
}

/** Headers that are for the other end, each as often as it came. */
function endToEnd({ headers, headersDistinct }: IncomingMessage): OutgoingHttpHeaders {
  const named = new Set((headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
  return Object.fromEntries(
    Object.entries(headersDistinct)
      .filter(([name]) => !OF_THE_CONNECTION.has(name) && !named.has(name))
      .map(([name, values = []]) => [name, values.length === 1 ? values[0] : values]),
  );
}
