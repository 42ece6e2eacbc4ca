/**
 * The only exit for requests that businesses cause. A name is resolved once for each connection, all of its addresses
 * are checked, and the connection goes to one of the checked addresses and nowhere else: a name that resolves
 * differently a moment later changes nothing. Redirects are returned, not followed. Time and size of a response are
 * bounded.
 */
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { AllowedRanges, isPublic } from './addresses.ts';
import { dnsResolve, NameNotFound, notOnInternet, type Resolve } from './resolve.ts';
import { hostOf, urlProblem } from './out-url.ts';

interface OutboundRequest {
  readonly url: string;
  readonly method?: 'POST' | 'PUT' | 'GET';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** for everything: look-up, connection, sending, and the status of the response */
  readonly timeoutMs?: number;
  /** maximum bytes of the response's body; a longer one is cut, which closes its connection */
  readonly mostRead?: number;
}

export interface OutboundAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** as text, cut to `mostRead` bytes */
  readonly body: string;
}

/** There was no response; the message may be shown to the person who wanted the request. */
export class OutboundFailure extends Error {
  override name = 'OutboundFailure';
}

/** The target of the request is not allowed. */
export class OutboundRefused extends OutboundFailure {
  override name = 'OutboundRefused';
}

const WHOLE_TIME_MS = 10_000;
/** Enough to see what is wrong. */
const MAX_READ_BYTES = 16_384;
const HEADERS_KEPT = 50;
const HEADER_LENGTH = 1000;
/** Idle connections are kept this long, and this many for each host. */
const IDLE_MS = 15_000;
const IDLE_PER_HOST = 8;

/** By definition, whatever name servers say. */
const THIS_MACHINE = /(^|\.)localhost\.?$/i;
const NOT_PUBLIC = 'leads to an address that is not on the public internet. Use one that everybody can reach.';
const CLOSED = 'The connection was closed without a response.';
const ONLY_HTTPS = 'The URL must start with https://.';

export interface OutboundOptions {
  /** ranges such as 10.0.0.0/8 that may be called in addition, also by http:// */
  readonly allow?: readonly string[];
  readonly resolve?: Resolve;
}

export class Outbound {
  readonly #allowed: AllowedRanges;
  readonly #resolve: Resolve;
  readonly #agents: { readonly 'http:': http.Agent; readonly 'https:': https.Agent };

  constructor({ allow = [], resolve = dnsResolve() }: OutboundOptions = {}) {
    this.#allowed = new AllowedRanges(allow);
    this.#resolve = resolve;
    const kept = { keepAlive: true, maxFreeSockets: IDLE_PER_HOST, timeout: IDLE_MS, scheduling: 'lifo' } as const;
    this.#agents = {
      'http:': new http.Agent({ ...kept, lookup: this.#lookup('http:') } as http.AgentOptions),
      'https:': new https.Agent({ ...kept, lookup: this.#lookup('https:') } as https.AgentOptions),
    };
  }

  /**
   * Returns why requests may not go to this URL; null: they may at this moment. A name that can't be resolved right now
   * passes, because each request checks again.
   */
  async problem(text: string): Promise<string | null> {
    const wrong = urlProblem(text);
    if (wrong) return wrong;
    const url = new URL(text);
    try {
      await this.#addressesOf(hostOf(url), url.protocol);
      return null;
    } catch (error) {
      if (error instanceof NameNotFound) return error.certain ? error.message : null;
      if (error instanceof OutboundRefused) return error.message;
      throw error;
    }
  }

  /**
   * Sends a request.
   * @throws OutboundFailure
   */
  async send(request: OutboundRequest): Promise<OutboundAnswer> {
    const wrong = urlProblem(request.url);
    if (wrong) throw new OutboundRefused(wrong);
    const url = new URL(request.url);
    // An IP address is never resolved, so it is checked here.
    if (isIP(hostOf(url))) await this.#addressesOf(hostOf(url), url.protocol);
    const until = performance.now() + (request.timeoutMs ?? WHOLE_TIME_MS);
    // The other side may have closed a kept connection just as it was reused: it received nothing, and the next
    // connection is tried.
    for (let tries = 0; tries <= IDLE_PER_HOST; tries++) {
      const answer = await this.#once(url, request, until);
      if (answer) return answer;
    }
    throw new OutboundFailure(CLOSED);
  }

  close(): void {
    this.#agents['http:'].destroy();
    this.#agents['https:'].destroy();
  }

  /** Returns all addresses of the host, which must all be allowed. */
  async #addressesOf(host: string, protocol: string): Promise<string[]> {
    const addresses = isIP(host) ? [host] : THIS_MACHINE.test(host) ? ['127.0.0.1', '::1'] : await this.#resolve(host);
    if (addresses.some((a) => !this.#allowed.has(a) && !isPublic(a)))
      throw new OutboundRefused(isIP(host) ? `${host} ${NOT_PUBLIC}` : notOnInternet(host));
    if (protocol === 'http:' && addresses.some((a) => !this.#allowed.has(a))) throw new OutboundRefused(ONLY_HTTPS);
    return addresses;
  }

  /** Returns the look-up that sockets use in place of the machine's own. */
  #lookup(protocol: string): LookupFunction {
    return (host, options, done) => {
      this.#addressesOf(host, protocol).then(
        (addresses) => {
          const all = addresses.map((address) => ({ address, family: isIP(address) }));
          if (options.all) done(null, all);
          else done(null, all[0].address, all[0].family);
        },
        (error) => done(error, ''),
      );
    };
  }

  /** Sends the request once. Returns null if a kept connection turned out to be closed before any response. */
  #once(
    url: URL,
    { method = 'POST', headers, body, mostRead = MAX_READ_BYTES }: OutboundRequest,
    until: number,
  ): Promise<OutboundAnswer | null> {
    const { promise, resolve, reject } = Promise.withResolvers<OutboundAnswer | null>();
    const protocol = url.protocol as 'http:' | 'https:';
    const request = (protocol === 'https:' ? https : http).request(url, {
      method,
      agent: this.#agents[protocol],
      headers: {
        'accept-encoding': 'identity',
        ...headers,
        ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
      },
    });
    let answer: ReturnType<typeof reading> | undefined;
    const settle = (error?: Error & { code?: string }) => {
      clearTimeout(timer);
      // Once the status is known, the response counts, however its body ends.
      if (answer) resolve(answer.read());
      else if (request.reusedSocket && (error?.code === 'ECONNRESET' || error?.code === 'EPIPE')) resolve(null);
      else reject(error instanceof OutboundFailure ? error : new OutboundFailure(said(error ?? new Error())));
    };
    const once = settleOnce(settle);
    const timer = setTimeout(
      () => request.destroy(new OutboundFailure('There was no response in time.')),
      Math.max(until - performance.now(), 0),
    );
    request.on('response', (response) => {
      answer = reading(response, mostRead);
      response.on('end', once).on('error', once);
    });
    request.on('upgrade', (_response, socket) => {
      socket.destroy();
      once(new OutboundFailure('The receiver asked to switch to a different protocol instead of responding.'));
    });
    request.on('error', once).on('close', () => once(new OutboundFailure(CLOSED)));
    request.end(body);
    return promise;
  }
}

/** Settles once: several events can end a request; the first counts. */
function settleOnce(settle: (error?: Error & { code?: string }) => void): (error?: Error) => void {
  let settled = false;
  return (error) => {
    if (settled) return;
    settled = true;
    settle(error);
  };
}

function reading(response: http.IncomingMessage, most: number) {
  const pieces: Buffer[] = [];
  let length = 0;
  response.on('data', (piece: Buffer) => {
    if (length < most) pieces.push(piece.subarray(0, most - length));
    length += piece.length;
    if (length > most) response.destroy();
  });
  return {
    read: (): OutboundAnswer => ({
      status: response.statusCode!,
      headers: Object.fromEntries(
        Object.entries(response.headers)
          .slice(0, HEADERS_KEPT)
          .map(([name, value]) => [name, [value].flat().join(', ').slice(0, HEADER_LENGTH)]),
      ),
      body: Buffer.concat(pieces).toString('utf8'),
    }),
  };
}

const MEANINGS: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: CLOSED,
  EPIPE: CLOSED,
  ETIMEDOUT: 'The connection timed out.',
  EHOSTUNREACH: 'The address can’t be reached.',
  ENETUNREACH: 'The address can’t be reached.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate is signed by an unknown authority.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate is signed by an unknown authority.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'The certificate is signed by an unknown authority.',
  CERT_HAS_EXPIRED: 'The certificate has expired.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for a different name.',
};

/**
 * Returns a description of the failure; for unknown errors only the code, because system messages may contain internal
 * addresses.
 */
function said(error: Error & { code?: string }): string {
  if (error instanceof NameNotFound) return error.message;
  const { code } = error instanceof AggregateError ? (error.errors[0] as { code?: string }) : error;
  if (code?.startsWith('HPE_')) return 'The response was not HTTP.';
  if (code !== undefined && /^(ERR_SSL|EPROTO)/.test(code)) return 'A secure connection could not be established.';
  return MEANINGS[code ?? ''] ?? `The request failed${code ? ` (${code})` : ''}.`;
}
