/** A call that has not been sent yet: `await` sends it, and there are other ways to send it. */
import { Refused, Unreachable, type Problem } from './refused.ts';
import { send, wait, type Settings } from './transport.ts';
import type { DryRun, Page } from './operation.ts';

/** The arguments of a call, for any operation. */
export interface Asked {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly fields?: readonly string[];
  readonly expand?: readonly string[];
  readonly idempotencyKey?: string;
  readonly ifMatch?: string;
  readonly signal?: AbortSignal;
}

/** A response body with its metadata. */
export interface Answer<T> {
  readonly value: T;
  readonly status: number;
  /** the version of the object, for `ifMatch`; null if it has none */
  readonly etag: string | null;
  readonly requestId: string | null;
}

export type Result<T, Code extends string> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: Problem<Code> };

const RETRY_MS = 1000;

/**
 * `T`: the result; `Item`: an entry of a list, or an event; `Code`: the codes of its refusals; `Tried`: whether it
 * supports a dry run.
 */
export class Call<T, Item, Code extends string, Tried extends boolean = boolean>
  implements PromiseLike<T>, AsyncIterable<Item>
{
  /** for the type checker only */
  declare readonly tried: Tried;
  /** the operation, such as `PATCH /venues/{id}` */
  readonly operation: string;
  readonly asked: Asked;
  readonly #settings: Settings;
  readonly #method: string;
  readonly #path: string;
  #made?: Promise<Answer<T>>;

  constructor(settings: Settings, operation: string, asked: Asked) {
    const [method, path] = operation.split(' ', 2);
    this.#settings = settings;
    this.#method = method;
    this.#path = path.replaceAll(/\{([^}]*)\}/g, (_, name: string) => {
      const value = asked.params?.[name];
      if (value === undefined) throw new TypeError(`params.${name} of ${operation} is missing`);
      return encodeURIComponent(String(value));
    });
    this.operation = operation;
    this.asked = asked;
  }

  /**
   * Sends the call once, however often it is awaited.
   * @throws Refused, Unreachable
   */
  // oxlint-disable-next-line no-thenable
  then<A = T, B = never>(
    done?: ((value: T) => A | PromiseLike<A>) | null,
    failed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.answer()
      .then(({ value }) => value)
      .then(done, failed);
  }

  /** Returns the result with its status, ETag and request id. */
  answer(): Promise<Answer<T>> {
    return (this.#made ??= this.#make<T>({}));
  }

  /** Returns the result, or the refusal as a value. Throws only if the service is unreachable. */
  async result(): Promise<Result<T, Code>> {
    try {
      return { ok: true, value: await this };
    } catch (error) {
      if (error instanceof Refused) return { ok: false, problem: error.problem as Problem<Code> };
      throw error;
    }
  }

  /** Previews the effects of the call without committing. A dry run is refused like the call itself. */
  async dryRun(this: Call<T, Item, Code, true>): Promise<DryRun<T>> {
    return (await this.#make<DryRun<T>>({ dry_run: true })).value;
  }

  /** Yields every entry of a list, page by page; or every event of a stream, which resumes where it was interrupted. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    if (this.#path.endsWith('/stream')) return yield* this.#events();
    for (let page = 1; ; page++) {
      const { results, next } = (await (page === 1
        ? this
        : this.#make<T>(this.#following!).then(({ value }) => value))) as unknown as Page<Item>;
      yield* results;
      if (next === null) return;
      // Only the query of the address is used: the client decides which host the request goes to.
      this.#following = Object.fromEntries(new URL(next).searchParams);
    }
  }
  #following?: Record<string, string>;

  async #make<A>(more: Readonly<Record<string, unknown>>): Promise<Answer<A>> {
    const response = await this.#send(more);
    return {
      value: (await valueOf(response)) as A,
      status: response.status,
      etag: response.headers.get('etag'),
      requestId: response.headers.get('request-id'),
    };
  }

  #send(
    more: Readonly<Record<string, unknown>>,
    headers: Record<string, string> = {},
    endless = false,
  ): Promise<Response> {
    const { query, fields, expand, body, idempotencyKey, ifMatch, signal } = this.asked;
    const asked = queryText({ ...query, fields, expand, ...more });
    const sent = body === undefined ? undefined : bodyOf(body);
    const isWrite = this.#method !== 'GET';
    return send(this.#settings, {
      method: this.#method,
      path: asked === '' ? this.#path : `${this.#path}?${asked}`,
      headers: {
        ...(typeof sent === 'string' && { 'content-type': 'application/json' }),
        ...(isWrite && { 'idempotency-key': idempotencyKey ?? crypto.randomUUID() }),
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
        ...headers,
      },
      ...(sent !== undefined && { body: sent }),
      ...(signal && { signal }),
      endless,
    });
  }

  async *#events(): AsyncGenerator<Item> {
    let last: string | null = null;
    const { signal } = this.asked;
    // Loaded by the first stream: most programs read none.
    const { eventsOf } = await import('./stream.ts');
    for (;;) {
      try {
        const response = await this.#send(
          {},
          { accept: 'text/event-stream', ...(last && { 'last-event-id': last }) },
          true,
        );
        for await (const { type, id, data } of eventsOf(response.body!)) {
          // The credential has expired, and retrying would not help.
          if (type === 'problem') throw new Refused(401, JSON.parse(data) as Problem);
          if (data !== '') yield JSON.parse(data) as Item;
          last = id ?? last;
        }
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof Refused || error instanceof Unreachable) throw error;
      }
      await wait(RETRY_MS, signal);
    }
  }
}

/** Returns the query string: lists joined by commas, times in UTC, undefined values left out. */
function queryText(values: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue;
    query.set(name, [value].flat().map(textOf).join(','));
  }
  return query.toString();
}

const textOf = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value));

/** Returns JSON, or a multipart form if one of the values is a file. */
function bodyOf(body: Readonly<Record<string, unknown>>): string | FormData {
  if (!Object.values(body).some((value) => value instanceof Blob)) return JSON.stringify(body);
  const form = new FormData();
  for (const [name, value] of Object.entries(body))
    if (value !== undefined) form.set(name, value instanceof Blob ? value : textOf(value));
  return form;
}

async function valueOf(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  // A response that is a download is left for the caller to read.
  if (response.headers.has('content-disposition')) return response;
  const type = response.headers.get('content-type') ?? '';
  return type.startsWith('application/json') ? response.json() : response;
}
