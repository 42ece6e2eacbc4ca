/**
 * Repeats one query to one server over a connection of its own: a busy pool says nothing about the server. The
 * connection is opened on demand, and again after it was lost.
 */
import { connectTo } from './connect.ts';
import type { Connection } from './connection.ts';
import type { Patience } from './patience.ts';

interface InquiryOptions {
  readonly url: string;
  readonly patience: Patience;
  /** one statement with one row */
  readonly text: string;
  /** values that cannot change while a connection lasts: queried once for each, and part of every result */
  readonly first?: string;
  /** a server that takes longer than this, in milliseconds, counts as down */
  readonly withinMs: number;
}

export class Inquiry<Row extends object> {
  readonly #o: InquiryOptions;
  #connection: Connection | null = null;
  #first: object = {};
  /** an attempt that ends too late finds that this has changed, and changes nothing */
  #attempt = 0;
  #closed = false;
  #running?: Promise<Row>;
  #next?: Promise<Row>;

  constructor(options: InquiryOptions) {
    this.#o = options;
  }

  /**
   * Returns the result of the query in progress, if there is one.
   * @throws Error if the server does not respond in time
   */
  shared(): Promise<Row> {
    return this.#running ?? this.#begin();
  }

  /**
   * Callers that arrive during a query share the next one: a result is never older than its request.
   * @throws Error if the server does not respond in time
   */
  fresh(): Promise<Row> {
    if (this.#next) return this.#next;
    if (!this.#running) return this.#begin();
    const begin = () => {
      this.#next = undefined;
      return this.#begin();
    };
    return (this.#next = this.#running.then(begin, begin));
  }

  close(): void {
    this.#closed = true;
    this.#giveUp('The service ends');
  }

  #giveUp(why: string): void {
    this.#attempt++;
    this.#connection?.abandon(why);
    this.#connection = null;
  }

  #begin(): Promise<Row> {
    if (this.#closed) return Promise.reject(new Error('the service ends'));
    return (this.#running = this.#inTime().finally(() => (this.#running = undefined)));
  }

  async #inTime(): Promise<Row> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        this.#giveUp('The database does not answer');
        reject(Object.assign(new Error('the database did not answer in time'), { code: 'ETIMEDOUT' }));
      }, this.#o.withinMs);
    });
    const answered = this.#ask(this.#attempt);
    // Nobody waits for a late response, nor for its failure.
    answered.catch(() => {});
    return Promise.race([answered, late]).finally(() => clearTimeout(timer));
  }

  async #ask(attempt: number): Promise<Row> {
    const known = this.#connection;
    let connection = known;
    try {
      connection ??= await this.#open(attempt);
      const { rows } = await connection.query(this.#o.text);
      return { ...this.#first, ...rows[0] };
    } catch (error) {
      connection?.abandon('The connection was lost');
      if (attempt !== this.#attempt) throw error;
      this.#connection = null;
      // A connection that the server has closed in the meantime says nothing about the server.
      if (known) return this.#ask(attempt);
      throw error;
    }
  }

  async #open(attempt: number): Promise<Connection> {
    const { url, patience, first } = this.#o;
    const connection = await connectTo(url, patience);
    try {
      const known = first === undefined ? {} : (await connection.query(first)).rows[0];
      if (attempt !== this.#attempt) throw new Error('nobody waits for it any more');
      this.#first = known;
      return (this.#connection = connection);
    } catch (error) {
      connection.abandon('The connection was lost');
      throw error;
    }
  }
}
