import { Buffer } from 'node:buffer';
import { type Socket, connect } from 'node:net';
import { type PreparedRequest, ResponseReader } from './http-wire.ts';

export interface Target {
  host: string;
  port: number;
}

/** Only 127.0.0.1: a load generator that can be pointed at somebody else's machine by a typing error is a weapon. */
export function localTarget(url: string): Target {
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== 'http:' || hostname !== '127.0.0.1')
    throw new Error(`load goes to http://127.0.0.1 only, not to ${url}`);
  return { host: hostname, port: Number(port || 80) };
}

export type Outcome = { error: null; status: number; ms: number; body: Buffer | null } | { error: Error; ms: number };

export interface ConnectionOptions {
  keepBodies: boolean;
  /** in milliseconds */
  timeout: number;
}

const READ_BUFFER = 64 * 1024;

interface Waiting {
  sentAt: number;
  done: (outcome: Outcome) => void;
}

/**
 * A keep-alive connection with at most one request in flight. It reconnects if the server closed it after a response.
 */
export class HttpConnection {
  readonly #target: Target;
  readonly #options: ConnectionOptions;
  #socket: Socket | null = null;
  #reader!: ResponseReader;
  #waiting: Waiting | null = null;

  constructor(target: Target, options: ConnectionOptions) {
    this.#target = target;
    this.#options = options;
  }

  /** Reconnects; a request in flight on the old connection fails. Rejects if nothing listens. */
  open(): Promise<void> {
    this.close();
    return this.#connect();
  }

  /** Sends at `now` (performance.now()); `done` is called exactly once. */
  send(request: PreparedRequest, now: number, done: (outcome: Outcome) => void): void {
    if (this.#waiting) throw new Error('a request is already under way');
    const waiting: Waiting = { sentAt: now, done };
    this.#waiting = waiting;
    if (this.#socket) this.#write(request);
    else {
      // A failed connect has already failed the request, see `lost`.
      this.#connect().then(
        () => this.#waiting === waiting && this.#write(request),
        () => undefined,
      );
    }
  }

  close(): void {
    this.#drop();
    this.#fail(new Error('closed by us'));
  }

  #connect(): Promise<void> {
    this.#reader = new ResponseReader(this.#options.keepBodies, (response) => {
      if (response.closes) this.#drop();
      this.#settle((ms) => ({ error: null, status: response.status, ms, body: response.body }));
    });
    return new Promise((resolve, reject) => {
      const socket: Socket = connect({
        ...this.#target,
        noDelay: true,
        // Reading into one buffer of our own spares the stream machinery: no allocation and no event per read.
        onread: {
          buffer: Buffer.allocUnsafe(READ_BUFFER),
          callback: (length, buffer) => this.#read(socket, buffer as Buffer, length),
        },
      });
      this.#socket = socket;
      const lost = (error: Error): void => {
        reject(error); // without effect once connected
        this.#lost(socket, error);
      };
      socket.setTimeout(this.#options.timeout, () => lost(new Error(`no answer within ${this.#options.timeout} ms`)));
      socket.once('connect', resolve);
      socket.on('end', () => this.#ended(socket));
      socket.on('error', lost);
      socket.on('close', () => lost(new Error('the server closed the connection')));
    });
  }

  #write(request: PreparedRequest): void {
    this.#reader.bodiless = request.bodiless;
    this.#socket?.write(request.bytes);
  }

  #read(socket: Socket, buffer: Buffer, length: number): boolean {
    if (socket !== this.#socket) return true;
    try {
      this.#reader.push(buffer.subarray(0, length));
    } catch (error) {
      this.#lost(socket, error as Error);
    }
    return true;
  }

  #ended(socket: Socket): void {
    if (socket === this.#socket) this.#reader.end();
  }

  #lost(socket: Socket, error: Error): void {
    if (socket !== this.#socket) return;
    this.#drop();
    this.#fail(error);
  }

  #drop(): void {
    const socket = this.#socket;
    this.#socket = null;
    socket?.destroy();
  }

  #fail(error: Error): void {
    this.#settle((ms) => ({ error, ms }));
  }

  #settle(outcome: (ms: number) => Outcome): void {
    const waiting = this.#waiting;
    if (!waiting) return;
    this.#waiting = null;
    waiting.done(outcome(performance.now() - waiting.sentAt));
  }
}
