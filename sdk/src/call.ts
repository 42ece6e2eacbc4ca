/** One call, before it is made: `await` makes it, and there are other ways to. */
import { eventsOf } from './stream.ts';
import { Refused, Unreachable, type Problem } from './refused.ts';
import { send, wait, type Settings } from './transport.ts';
import type { DryRun, Page } from './operation.ts';

/** What a call is given, whatever its operation. */
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

/** An answer with what came around it. */
export interface Answer<T> {
  readonly value: T;
  readonly status: number;
  /** the version of the object, for `ifMatch`; null: it has none */
  readonly etag: string | null;
  readonly requestId: string | null;
}

export type Result<T, Code extends string> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: Problem<Code> };

const AGAIN_MS = 1000;

/**
 * `T`: what it gives; `Item`: an entry of a list, or an event; `Code`: how it may be refused; `Tried`: whether it can be tried
 * first.
 */
export class Call<T, Item, Code extends string, Tried extends boolean = boolean>
  implements PromiseLike<T>, AsyncIterable<Item>
{
  /** only for the type checker */
  declare readonly tried: Tried;
  readonly #settings: Settings;
  readonly #method: string;
  readonly #path: string;
  readonly #asked: Asked;
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
    this.#asked = asked;
  }

  /**
   * Makes the call once, however often it is waited for.
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

  /** What it gives, with status, ETag and the number of the request. */
  answer(): Promise<Answer<T>> {
    return (this.#made ??= this.#make<T>({}));
  }

  /** What it gives, or why it was refused. Only a service that cannot be reached is thrown. */
  async result(): Promise<Result<T, Code>> {
    try {
      return { ok: true, value: await this };
    } catch (error) {
      if (error instanceof Refused) return { ok: false, problem: error.problem as Problem<Code> };
      throw error;
    }
  }

  /** What it would do, without doing it. Refused like the call itself. */
  async dryRun(this: Call<T, Item, Code, true>): Promise<DryRun<T>> {
    return (await this.#make<DryRun<T>>({ dry_run: true })).value;
  }

  /** Every entry of a list, page after page; or every event of a stream, which goes on where it broke off. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    if (this.#path.endsWith('/stream')) return yield* this.#events();
    for (let page = 1; ; page++) {
      const { results, next } = (await (page === 1
        ? this
        : this.#make<T>(this.#following!).then(({ value }) => value))) as unknown as Page<Item>;
      yield* results;
      if (next === null) return;
      // Only what the address asks for: where to ask it is ours to say.
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
    const { query, fields, expand, body, idempotencyKey, ifMatch, signal } = this.#asked;
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
    const { signal } = this.#asked;
    for (;;) {
      try {
        const response = await this.#send(
          {},
          { accept: 'text/event-stream', ...(last && { 'last-event-id': last }) },
          true,
        );
        for await (const { type, id, data } of eventsOf(response.body!)) {
          // The credential has ended, and trying again would not help.
          if (type === 'problem') throw new Refused(401, JSON.parse(data) as Problem);
          if (data !== '') yield JSON.parse(data) as Item;
          last = id ?? last;
        }
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof Refused || error instanceof Unreachable) throw error;
      }
      await wait(AGAIN_MS, signal);
    }
  }
}

/** Lists are joined by commas, moments are written in UTC, and what is undefined is left out. */
function queryText(values: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue;
    query.set(name, [value].flat().map(textOf).join(','));
  }
  return query.toString();
}

const textOf = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value));

/** JSON, or a form with parts where a file is among it. */
function bodyOf(body: Readonly<Record<string, unknown>>): string | FormData {
  if (!Object.values(body).some((value) => value instanceof Blob)) return JSON.stringify(body);
  const form = new FormData();
  for (const [name, value] of Object.entries(body))
    if (value !== undefined) form.set(name, value instanceof Blob ? value : textOf(value));
  return form;
}

async function valueOf(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  // What is to be kept as a file is read by who asked for it.
  if (response.headers.has('content-disposition')) return response;
  const type = response.headers.get('content-type') ?? '';
  return type.startsWith('application/json') ? response.json() : response;
}
