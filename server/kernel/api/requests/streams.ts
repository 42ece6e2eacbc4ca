/**
 * Server-sent events. The credential of every open stream is checked again each second. A stream uses bounded memory
 * whatever its client does, and ends cleanly with the process.
 */
import type { ServerResponse } from 'node:http';
import { Problem } from '../../base/problem.ts';
import { isConnectionLoss } from '../../base/db/connections/loss.ts';
import type { SharedStreams, StreamCounts, StreamsElsewhere } from '../scale.ts';
import type { StreamEvent } from '../acting.ts';

export interface StreamOptions {
  /** interval of heartbeats on a quiet stream, in milliseconds; proxies close idle connections */
  readonly heartbeatMs: number;
  /** a client that reads nothing for this many milliseconds is disconnected */
  readonly slowMs: number;
  readonly perCaller: number;
  readonly perBusiness: number;
  readonly perProcess: number;
  readonly log: { warn(o: object, m: string): void; error(o: object, m: string): void };
  /** refreshes the cached credentials */
  readonly catchUp: () => Promise<void>;
}

export const STREAM_DEFAULTS = {
  heartbeatMs: 15_000,
  slowMs: 10_000,
  perCaller: 10,
  perBusiness: 100,
  perProcess: 500,
};

const CHECK_EVERY_MS = 1000;
/** Without the database, credentials can't be checked. After this many failed checks, streams end. */
const MOST_FAILED_CHECKS = 3;
/** Delay after which a client reconnects, in milliseconds. */
const RETRY_MS = 1000;

interface Open {
  readonly caller: string;
  readonly business: number;
  readonly response: ServerResponse;
  readonly over: AbortController;
  readonly recheck: () => Promise<Problem | null>;
  /** true while it waits for the client to read */
  waiting: boolean;
  /** true if the client had read nothing at the last heartbeat */
  stuck: boolean;
}

export interface Opening {
  /** key of the limit per caller */
  readonly caller: string;
  /** the business that is followed, for the limit per business */
  readonly business: number;
  /** returns why the caller may no longer listen; null if they may */
  readonly recheck: () => Promise<Problem | null>;
  /** events, in batches */
  readonly events: AsyncIterable<readonly StreamEvent[]>;
  /** ends the events */
  readonly over: AbortController;
}

export class Streams implements SharedStreams {
  readonly #o: StreamOptions;
  readonly #open = new Set<Open>();
  #closed = false;
  #checking?: NodeJS.Timeout;
  #beating?: NodeJS.Timeout;
  #failedChecks = 0;
  #elsewhere: readonly StreamsElsewhere[] = [];
  /** called when a stream begins */
  onBegin: () => void = () => {};

  constructor(options: StreamOptions) {
    this.#o = options;
  }

  get open(): number {
    return this.#open.size;
  }

  /** Counts of this process, for the others. */
  get counts(): StreamCounts {
    const counts: Record<string, number> = {};
    for (const stream of this.#open) for (const key of keysOf(stream)) counts[key] = (counts[key] ?? 0) + 1;
    return counts;
  }

  /**
   * Records the open streams of other processes. If several processes opened streams at the same moment, and the total
   * is over the limit, the newest of one process end.
   */
  hear(others: readonly StreamsElsewhere[], process: string): void {
    this.#elsewhere = others;
    const counts: Record<string, number> = { ...this.counts };
    for (const stream of [...this.#open].toReversed()) {
      const { perCaller, perBusiness } = this.#o;
      const [caller, business] = keysOf(stream);
      const isOver = (key: string, most: number) => {
        const endsBefore = this.#heard(key, (other) => other.process > process);
        return counts[key] + this.#heard(key) - endsBefore > most;
      };
      const [ofCaller, ofBusiness] = [isOver(caller, perCaller), isOver(business, perBusiness)];
      if (!ofCaller && !ofBusiness) continue;
      for (const key of [caller, business]) counts[key]--;
      stream.over.abort(ofCaller ? tooManyOfCaller(perCaller) : tooManyOfBusiness(perBusiness));
    }
  }

  #heard(key: string, which: (other: StreamsElsewhere) => boolean = () => true): number {
    return this.#elsewhere.reduce((n, other) => n + (which(other) ? (other.counts[key] ?? 0) : 0), 0);
  }

  /**
   * Returns why this caller can't open a stream now: too many are open, or the process is ending. If it returns none,
   * the caller must `send` before anything else happens.
   */
  refuse({ caller, business }: Pick<Opening, 'caller' | 'business'>): Problem | null {
    if (this.#closed) return new Problem('unavailable', 'The service is shutting down. Connect again.');
    const { perCaller, perBusiness, perProcess } = this.#o;
    const { counts } = this;
    const [ofCaller, ofBusiness] = keysOf({ caller, business }).map((key) => (counts[key] ?? 0) + this.#heard(key));
    if (ofCaller >= perCaller) return tooManyOfCaller(perCaller);
    if (ofBusiness >= perBusiness) return tooManyOfBusiness(perBusiness);
    if (this.#open.size >= perProcess)
      return tooMany('The service has as many streams open as it can serve. Try again later.');
    return null;
  }

  /**
   * Sends events until the client disconnects, the credential ends, or the process does. `headers` are those of the
   * response.
   */
  async send(
    response: ServerResponse,
    headers: Record<string, string>,
    { caller, business, recheck, events, over }: Opening,
  ): Promise<void> {
    const stream: Open = { caller, business, response, recheck, over, waiting: false, stuck: false };
    const { signal } = stream.over;
    response.on('close', () => stream.over.abort());
    response.on('error', () => stream.over.abort());
    this.#open.add(stream);
    this.#keepTime();
    this.onBegin();
    try {
      response.writeHead(200, {
        ...headers,
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      });
      await this.#write(stream, `retry: ${RETRY_MS}\n\n`);
      for await (const portion of events) {
        if (signal.aborted) break;
        await this.#write(stream, portion.map(textOf).join(''));
      }
    } catch (err) {
      if (!signal.aborted && err instanceof Problem) stream.over.abort(err);
      else if (!signal.aborted) {
        stream.over.abort(unavailable());
        // A lost database connection is reported elsewhere; the client reconnects.
        if (!isConnectionLoss(err)) this.#o.log.error({ err }, 'a stream failed');
      }
    } finally {
      this.#open.delete(stream);
      this.#keepTime();
      this.#end(stream);
    }
  }

  /** Ends all streams, and refuses new ones. */
  close(): void {
    this.#closed = true;
    for (const { over } of this.#open) over.abort();
  }

  #end({ response, over: { signal }, waiting }: Open): void {
    if (waiting) return void response.destroy();
    const { reason } = signal;
    response.end(
      reason instanceof Problem
        ? `event: problem\ndata: ${JSON.stringify(reason.body(String(response.getHeader('request-id') ?? '')))}\n\n`
        : undefined,
    );
  }

  /** Waits until the client has read enough: events that can't be sent aren't read from the database either. */
  async #write(stream: Open, text: string): Promise<void> {
    const {
      response,
      over: { signal },
    } = stream;
    if (text === '' || signal.aborted || response.write(text)) return;
    stream.waiting = true;
    const taken = await new Promise<boolean>((resolve) => {
      const end = (took: boolean) => () => {
        clearTimeout(timer);
        response.off('drain', onDrain);
        signal.removeEventListener('abort', onAbort);
        resolve(took);
      };
      const [onDrain, onAbort] = [end(true), end(false)];
      const timer = setTimeout(onAbort, this.#o.slowMs);
      response.on('drain', onDrain);
      signal.addEventListener('abort', onAbort);
    });
    if (taken) stream.waiting = false;
    else stream.over.abort();
  }

  #keepTime(): void {
    if (this.#open.size === 0) {
      clearInterval(this.#checking);
      clearInterval(this.#beating);
      this.#checking = this.#beating = undefined;
    } else if (!this.#checking) {
      this.#failedChecks = 0;
      this.#checking = setInterval(() => void this.#check(), CHECK_EVERY_MS).unref();
      this.#beating = setInterval(() => this.#beat(), this.#o.heartbeatMs).unref();
    }
  }

  /** Ends the streams of credentials that have ended. */
  async #check(): Promise<void> {
    try {
      await this.#o.catchUp();
      this.#failedChecks = 0;
    } catch {
      if (++this.#failedChecks >= MOST_FAILED_CHECKS) for (const { over } of this.#open) over.abort(unavailable());
      return;
    }
    for (const stream of this.#open) {
      const problem = await stream.recheck().catch(unavailable);
      if (problem) stream.over.abort(problem);
    }
  }

  #beat(): void {
    for (const stream of this.#open) {
      const { response, waiting, stuck, over } = stream;
      if (waiting) continue;
      if (response.writableLength === 0) {
        stream.stuck = false;
        response.write(':\n\n');
      } else if (stuck) {
        stream.waiting = true;
        over.abort();
      } else stream.stuck = true;
    }
  }
}

const keysOf = ({ caller, business }: Pick<Opening, 'caller' | 'business'>): [caller: string, business: string] => [
  `caller:${caller}`,
  `business:${business}`,
];

const tooManyOfCaller = (n: number): Problem =>
  tooMany(`This credential has ${n} streams open. End one of them first.`);

const tooManyOfBusiness = (n: number): Problem =>
  tooMany(`This business has ${n} streams open. End one of them first.`);

const tooMany = (message: string): Problem => new Problem('rate_limited', message, {}, { 'retry-after': '30' });

const unavailable = (): Problem =>
  new Problem('unavailable', 'The service can’t continue this stream right now. Connect again.');

/** Returns the text of an event. JSON contains no line breaks, so one data line is enough. */
const textOf = ({ id, data }: StreamEvent): string =>
  `id: ${id}\n${data === undefined ? '' : `data: ${JSON.stringify(data)}\n`}\n`;
