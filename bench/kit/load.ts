import type { PreparedRequest, WireRequest } from './http-wire.ts';
import { HttpConnection, localTarget } from './http-connection.ts';
import { Latencies } from './latencies.ts';
import { prepare } from './http-wire.ts';

export { prepare } from './http-wire.ts';
export type { PreparedRequest, WireRequest } from './http-wire.ts';

const MAX_REQUESTS = 10_000_000;
const MAX_SECONDS = 600;
const MAX_CONNECTIONS = 1024;
/** Consecutive lost connections before a run is aborted: the server is gone. */
const MAX_FAILURES_IN_A_ROW = 50;

export interface LoadOptions {
  /** `http://127.0.0.1:port`; any other host is refused. */
  url: string;
  connections: number;
  /** Ends after this many requests or seconds; whichever comes first if both are given. */
  requests?: number;
  seconds?: number;
  /** Checked before each request: true ends the run. */
  until?: () => boolean;
  /** Returns the i-th request (from 0). Return the result of `prepare` to avoid the cost of serialization. */
  next: (i: number) => WireRequest | PreparedRequest;
  /** Receives every response with its body; without it, bodies are skipped unread. */
  collect?: (response: { i: number; status: number; body: Buffer; ms: number }) => void;
  /** Milliseconds after which a request counts as an error; 30,000 by default. */
  timeout?: number;
}

export interface LoadResult {
  /** Requests that got a response. */
  requests: number;
  /** Requests that got no response: lost connections and timeouts. */
  errors: number;
  seconds: number;
  perSecond: number;
  /** Milliseconds from sending a request to the last byte of its response. */
  p50: number;
  p95: number;
  p99: number;
  max: number;
  statuses: Record<number, number>;
}

/** Keeps `connections` requests in flight, one per keep-alive connection, until the count or the time is reached. */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const target = localTarget(options.url);
  const limit = within('requests', options.requests ?? MAX_REQUESTS, MAX_REQUESTS);
  const seconds = within('seconds', options.seconds ?? MAX_SECONDS, MAX_SECONDS);
  if (options.requests === undefined && options.seconds === undefined)
    throw new Error('a run needs a number of requests or of seconds');
  const connections = Array.from(
    { length: Math.min(within('connections', options.connections, MAX_CONNECTIONS), limit) },
    () => new HttpConnection(target, { keepBodies: options.collect !== undefined, timeout: options.timeout ?? 30_000 }),
  );
  try {
    await Promise.all(connections.map((connection) => connection.open()));
    return await new Run(options, target.host, limit, seconds).over(connections);
  } finally {
    for (const connection of connections) connection.close();
  }
}

class Run {
  readonly #options: LoadOptions;
  readonly #host: string;
  readonly #limit: number;
  readonly #seconds: number;
  readonly #latencies = new Latencies();
  readonly #statuses: Record<number, number> = {};
  #deadline = 0;
  #sent = 0;
  #errors = 0;
  #failuresInARow = 0;

  constructor(options: LoadOptions, host: string, limit: number, seconds: number) {
    this.#options = options;
    this.#host = host;
    this.#limit = limit;
    this.#seconds = seconds;
  }

  async over(connections: readonly HttpConnection[]): Promise<LoadResult> {
    const begin = performance.now();
    this.#deadline = begin + this.#seconds * 1000;
    await Promise.all(connections.map((connection) => this.#drive(connection)));
    const seconds = (performance.now() - begin) / 1000;
    const requests = this.#latencies.count;
    return {
      requests,
      errors: this.#errors,
      seconds,
      perSecond: requests / seconds,
      ...this.#latencies.summary(),
      statuses: this.#statuses,
    };
  }

  /**
   * Sends the next request from within the callback of the last response: a promise per request would cost a tenth of
   * the rate.
   */
  #drive(connection: HttpConnection): Promise<void> {
    return new Promise((resolve, reject) => {
      const step = (): void => {
        const now = performance.now();
        if (this.#sent >= this.#limit || now >= this.#deadline || this.#options.until?.()) {
          resolve();
          return;
        }
        const i = this.#sent++;
        const request = this.#options.next(i);
        connection.send('bytes' in request ? request : prepare(request, this.#host), now, (outcome) => {
          if (outcome.error) this.#failed(outcome.error, connection).then(guarded, reject);
          else {
            this.#answered(i, outcome.status, outcome.ms, outcome.body);
            guarded();
          }
        });
      };
      const guarded = (): void => {
        try {
          step();
        } catch (error) {
          reject(error);
        }
      };
      guarded();
    });
  }

  #answered(i: number, status: number, ms: number, body: Buffer | null): void {
    this.#failuresInARow = 0;
    this.#latencies.add(ms);
    this.#statuses[status] = (this.#statuses[status] ?? 0) + 1;
    if (body) this.#options.collect?.({ i, status, body, ms });
  }

  async #failed(error: Error, connection: HttpConnection): Promise<void> {
    this.#errors++;
    if (++this.#failuresInARow > MAX_FAILURES_IN_A_ROW)
      throw new Error(`gave up after ${this.#failuresInARow} failures in a row`, { cause: error });
    await connection.open();
  }
}

export interface BurstAnswer {
  /** 0 if there was no response; `error` then has the reason. */
  status: number;
  ms: number;
  /** The parsed body of a JSON response, the text of any other, null without a body. */
  body: unknown;
  error: string | null;
}

export interface BurstOptions {
  url: string;
  /**
   * Maximum number of connections, all opened before the first request is sent; by default the number of requests, up
   * to 256.
   */
  connections?: number;
  timeout?: number;
}

/**
 * Sends all requests as simultaneously as the connections allow and returns the responses in the order of the requests.
 */
export async function burst(
  requests: readonly (WireRequest | PreparedRequest)[],
  options: BurstOptions,
): Promise<BurstAnswer[]> {
  const target = localTarget(options.url);
  const prepared = requests.map((request) => ('bytes' in request ? request : prepare(request, target.host)));
  const wanted = within('connections', options.connections ?? 256, MAX_CONNECTIONS);
  const connections = Array.from(
    { length: Math.min(wanted, requests.length) },
    () => new HttpConnection(target, { keepBodies: true, timeout: options.timeout ?? 30_000 }),
  );
  const answers: BurstAnswer[] = [];
  let sent = 0;
  const drive = async (connection: HttpConnection): Promise<void> => {
    while (sent < prepared.length) {
      const i = sent++;
      answers[i] = await answerTo(connection, prepared[i]);
      if (answers[i].error !== null && sent < prepared.length) await connection.open();
    }
  };
  try {
    await Promise.all(connections.map((connection) => connection.open()));
    await Promise.all(connections.map(drive));
    return answers;
  } finally {
    for (const connection of connections) connection.close();
  }
}

function answerTo(connection: HttpConnection, request: PreparedRequest): Promise<BurstAnswer> {
  return new Promise((resolve) => {
    connection.send(request, performance.now(), (outcome) => {
      if (outcome.error) resolve({ status: 0, ms: outcome.ms, body: null, error: outcome.error.message });
      else resolve({ status: outcome.status, ms: outcome.ms, body: parsed(outcome.body), error: null });
    });
  });
}

function parsed(body: Buffer | null): unknown {
  if (!body || body.length === 0) return null;
  const text = body.toString('utf8');
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function within(name: string, value: number, max: number): number {
  if (!(value > 0 && value <= max)) throw new RangeError(`${name} must be above 0 and at most ${max}, not ${value}`);
  return value;
}
