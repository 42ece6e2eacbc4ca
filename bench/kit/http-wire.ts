import { Buffer } from 'node:buffer';

/**
 * The parts of HTTP/1.1 that a load generator needs: requests serialized ahead of time, responses parsed with little
 * work.
 */

export interface WireRequest {
  method: string;
  /** path with query, beginning with `/` */
  path: string;
  headers?: Readonly<Record<string, string>>;
  /** Text and bytes are sent as they are; any other value as JSON with its content type. */
  body?: unknown;
}

export interface PreparedRequest {
  bytes: Buffer;
  /** A response to HEAD announces a length but has no body. */
  bodiless: boolean;
}

export interface WireResponse {
  status: number;
  /** Body bytes, null unless asked for. They remain valid after the callback. */
  body: Buffer | null;
  /** The server closes the connection after this response. */
  closes: boolean;
}

/**
 * Serializes a request once, to be sent any number of times. Throws for line breaks where the protocol forbids them.
 */
export function prepare(request: WireRequest, host = '127.0.0.1'): PreparedRequest {
  const headers: Record<string, string> = { host, ...lowerCased(request.headers ?? {}) };
  const body = bodyBytes(request.body, headers);
  if (body || request.method === 'POST' || request.method === 'PUT' || request.method === 'PATCH') {
    headers['content-length'] = String(body?.length ?? 0);
  }
  const lines = [
    `${request.method} ${request.path} HTTP/1.1`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  for (const line of lines)
    if (/[\r\n\0]/.test(line)) throw new Error(`line break inside a request line: ${JSON.stringify(line)}`);
  if (/\s/.test(request.path) || !request.path.startsWith('/'))
    throw new Error(`not a request path: ${JSON.stringify(request.path)}`);
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  return { bytes: body ? Buffer.concat([head, body]) : head, bodiless: request.method === 'HEAD' };
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function bodyBytes(body: unknown, headers: Record<string, string>): Buffer | null {
  if (body === undefined) return null;
  if (Buffer.isBuffer(body)) return body;
  if (typeof body === 'string') return Buffer.from(body);
  headers['content-type'] ??= 'application/json';
  return Buffer.from(JSON.stringify(body));
}

const HEAD_END = Buffer.from('\r\n\r\n');
const CONTENT_LENGTH = /\r\ncontent-length:[ \t]*(\d+)/i;
const CHUNKED = /\r\ntransfer-encoding:[^\r]*chunked/i;
const CLOSE = /\r\nconnection:[ \t]*close/i;
const MAX_HEAD = 64 * 1024;

type Phase = 'head' | 'length' | 'chunked' | 'until-close';

/**
 * Reads the responses of one connection, one at a time (no pipelining). `push` takes bytes as they arrive and calls
 * `onResponse` when one is complete; bytes are copied only when a response is split across reads or its body is kept.
 * `push` and `end` throw on anything that is not HTTP/1.x.
 */
export class ResponseReader {
  readonly #onResponse: (response: WireResponse) => void;
  readonly #keepBodies: boolean;
  #phase: Phase = 'head';
  #pending: Buffer | null = null;
  #status = 0;
  #closes = false;
  #remaining = 0;
  #parts: Buffer[] = [];
  bodiless = false;

  constructor(keepBodies: boolean, onResponse: (response: WireResponse) => void) {
    this.#keepBodies = keepBodies;
    this.#onResponse = onResponse;
  }

  push(bytes: Buffer): void {
    let rest: Buffer | null = this.#pending ? Buffer.concat([this.#pending, bytes]) : bytes;
    this.#pending = null;
    while (rest && rest.length > 0) rest = this.#advance(rest);
  }

  /** Handles the end of the connection. Returns true if this was the regular end of a response without a length. */
  end(): boolean {
    if (this.#phase !== 'until-close') return false;
    this.#closes = true;
    this.#finish();
    return true;
  }

  /** Parses what it can; returns the remaining bytes, or null if it has to wait for more. */
  #advance(bytes: Buffer): Buffer | null {
    switch (this.#phase) {
      case 'head':
        return this.#readHead(bytes);
      case 'length':
        return this.#readBody(bytes);
      case 'chunked':
        return this.#readChunks(bytes);
      default:
        this.#keep(bytes);
        return null;
    }
  }

  #readHead(bytes: Buffer): Buffer | null {
    const end = bytes.indexOf(HEAD_END);
    if (end < 0) {
      if (bytes.length > MAX_HEAD) throw new Error('response head is too long');
      return this.#wait(bytes);
    }
    const head = bytes.toString('latin1', 0, end + 2);
    const status = Number(head.slice(9, 12));
    if (!head.startsWith('HTTP/1.') || !(status >= 100 && status <= 999))
      throw new Error(`not an HTTP/1 response: ${head.slice(0, 60)}`);
    const rest = bytes.subarray(end + 4);
    if (status < 200) return rest; // an interim response; the real one follows
    this.#status = status;
    this.#closes = CLOSE.test(head);
    this.#beginBody(head);
    return rest;
  }

  #beginBody(head: string): void {
    const length = CONTENT_LENGTH.exec(head);
    this.#remaining = length ? Number(length[1]) : 0;
    if (this.bodiless || this.#status === 204 || this.#status === 304) this.#finish();
    else if (CHUNKED.test(head)) this.#phase = 'chunked';
    else if (!length) this.#phase = 'until-close';
    else if (this.#remaining === 0) this.#finish();
    else this.#phase = 'length';
  }

  #readBody(bytes: Buffer): Buffer | null {
    const taken = Math.min(bytes.length, this.#remaining);
    this.#keep(bytes.subarray(0, taken));
    this.#remaining -= taken;
    if (this.#remaining > 0) return null;
    this.#finish();
    return bytes.subarray(taken);
  }

  /** Reads one whole chunk at a time; an incomplete chunk waits for its end. Trailers are skipped. */
  #readChunks(bytes: Buffer): Buffer | null {
    const lineEnd = bytes.indexOf('\r\n');
    if (lineEnd < 0) return this.#wait(bytes);
    const size = Number.parseInt(bytes.toString('latin1', 0, lineEnd), 16);
    if (!(size >= 0)) throw new Error('not a chunk size');
    if (size === 0) return this.#readTrailers(bytes, lineEnd);
    const begin = lineEnd + 2;
    if (bytes.length < begin + size + 2) return this.#wait(bytes);
    this.#keep(bytes.subarray(begin, begin + size));
    return bytes.subarray(begin + size + 2);
  }

  #readTrailers(bytes: Buffer, lineEnd: number): Buffer | null {
    const end = bytes.indexOf(HEAD_END, lineEnd); // without trailers, this is the line end of the last chunk
    if (end < 0) return this.#wait(bytes);
    this.#finish();
    return bytes.subarray(end + 4);
  }

  #wait(bytes: Buffer): null {
    this.#pending = Buffer.from(bytes); // the caller reuses its read buffer
    return null;
  }

  #keep(bytes: Buffer): void {
    if (this.#keepBodies && bytes.length > 0) this.#parts.push(Buffer.from(bytes));
  }

  #finish(): void {
    const body = this.#keepBodies ? Buffer.concat(this.#parts) : null;
    this.#parts = [];
    this.#phase = 'head';
    this.#onResponse({ status: this.#status, body, closes: this.#closes });
  }
}
