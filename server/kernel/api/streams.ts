/**
 * Answers that do not end: server-sent events. Every open stream is held to its credential again each second, costs a
 * bounded amount of memory whatever its client does, and ends cleanly with the process.
 */
import type { ServerResponse } from 'node:http';
import { Problem } from '../base/problem.ts';
import { isConnectionLoss } from '../base/db/loss.ts';

/** One event; without data it only moves the place from which the client goes on when it connects again. */
export interface StreamEvent {
  readonly id: string;
  readonly data?: unknown;
}

export interface StreamOptions {
  /** how long a quiet stream stays quiet, ms; proxies end connections that say nothing */
  readonly heartbeatMs: number;
  /** a client that takes nothing for so long is disconnected, ms */
  readonly slowMs: number;
  readonly perCaller: number;
  readonly perBusiness: number;
  readonly perProcess: number;
  readonly log: { warn(o: object, m: string): void; error(o: object, m: string): void };
  /** brings what is known of credentials up to date */
  readonly catchUp: () => Promise<void>;
}

/** Numbers of open streams, by whom they count for. */
export type StreamCounts = Readonly<Record<string, number>>;

/** The open streams of another process. */
export interface StreamsElsewhere {
  /** of all processes, each ends streams that are too many only after those with a greater id */
  readonly process: string;
  readonly counts: StreamCounts;
}

export const STREAM_DEFAULTS = {
  heartbeatMs: 15_000,
  slowMs: 10_000,
  perCaller: 10,
  perBusiness: 100,
  perProcess: 500,
};

const CHECK_EVERY_MS = 1000;
/** Without a database nothing can be said of credentials; nobody is let listen on for longer. */
const MOST_FAILED_CHECKS = 3;
/** A client that connects again does so after this, ms. */
const RETRY_MS = 1000;

interface Open {
  readonly caller: string;
  readonly business: number;
  readonly response: ServerResponse;
  readonly over: AbortController;
  readonly recheck: () => Promise<Problem | null>;
  /** something waits for the client to take what it was sent */
  waiting: boolean;
  /** the last heartbeat found that nothing was taken */
  stuck: boolean;
}

export interface Opening {
  /** whom the bound per caller counts */
  readonly caller: string;
  /** the business that is followed, for the bound per business */
  readonly business: number;
  /** why the caller may not listen any longer; null: it may */
  readonly recheck: () => Promise<Problem | null>;
  /** what is sent, in portions */
  readonly events: AsyncIterable<readonly StreamEvent[]>;
  /** ends them */
  readonly over: AbortController;
}

export class Streams {
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

  /** Those of this process, for the others. */
  get counts(): StreamCounts {
    const counts: Record<string, number> = {};
    for (const stream of this.#open) for (const key of keysOf(stream)) counts[key] = (counts[key] ?? 0) + 1;
    return counts;
  }

  /**
   * What is open in other processes. Of streams that were opened in several at the same moment, and are too many
   * together, the newest of one process end.
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
   * Why this caller may open no stream now, be there too many or the process ending. Whoever may must `send` before
   * anything else happens.
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

  /** Sends until the client goes, the credential ends, or the process does. `headers` are those of the answer. */
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
        // A database that is away is told of elsewhere; the client connects again.
        if (!isConnectionLoss(err)) this.#o.log.error({ err }, 'a stream failed');
      }
    } finally {
      this.#open.delete(stream);
      this.#keepTime();
      this.#end(stream);
    }
  }

  /** Ends all of them; whoever comes later is refused. */
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

  /** Waits until the client has taken enough: what is not sent is not read from the database either. */
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

/** JSON has no line breaks of its own, so one line of data is all of it. */
const textOf = ({ id, data }: StreamEvent): string =>
  `id: ${id}\n${data === undefined ? '' : `data: ${JSON.stringify(data)}\n`}\n`;
