/**
 * Work that takes a processor for seconds, one piece at a time: what people bring to be read or drawn. Businesses take turns, so
 * one that brings a lot makes itself wait and nobody else. Who has gone gives up the place.
 */
import { Problem } from '../problem.ts';

interface Waiting {
  readonly bytes: number;
  readonly go: () => void;
  readonly refuse: (error: Error) => void;
}

export interface Bounds {
  /** pieces of one business that wait */
  readonly ofOne: number;
  /** what all that wait keep in memory */
  readonly bytes: number;
  /** after "Too many" */
  readonly what: string;
}

/** Whose work it is, and until when. */
export interface Whose {
  readonly business: number;
  /** the client has gone: nobody reads the answer */
  readonly gone: AbortSignal;
}

export class OneAtATime {
  readonly #bounds: Bounds;
  /** in the order of their next turn */
  readonly #queues = new Map<number, Waiting[]>();
  #bytes = 0;
  #busy = false;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  /** pieces that wait */
  get waiting(): number {
    return [...this.#queues.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** @throws Problem unavailable where too much waits, and when the client has gone before its turn */
  async run<T>({ business, gone }: Whose, bytes: number, act: () => Promise<T>): Promise<T> {
    gone.throwIfAborted();
    if (this.#busy) await this.#turn(business, gone, bytes);
    this.#busy = true;
    try {
      gone.throwIfAborted();
      return await act();
    } finally {
      this.#next();
    }
  }

  async #turn(business: number, gone: AbortSignal, bytes: number): Promise<void> {
    const mine = this.#queues.get(business) ?? [];
    if (mine.length >= this.#bounds.ofOne || !this.#makeRoom(business, mine, bytes)) throw this.#tooMany();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const ticket: Waiting = { bytes, go: resolve, refuse: reject };
    const leave = (): void => {
      if (this.#remove(business, ticket)) reject(gone.reason);
    };
    this.#queues.set(business, [...mine, ticket]);
    this.#bytes += bytes;
    gone.addEventListener('abort', leave);
    try {
      await promise;
    } finally {
      gone.removeEventListener('abort', leave);
    }
  }

  /** Where there is no room left, the last of the business that waits with most makes some, unless that is this one. */
  #makeRoom(business: number, mine: readonly Waiting[], bytes: number): boolean {
    while (this.#bytes + bytes > this.#bounds.bytes) {
      const [who, most] = [...this.#queues].reduce((a, b) => (b[1].length > a[1].length ? b : a), [business, mine]);
      const last = most.at(-1);
      if (who === business || most.length <= mine.length + 1 || !last) return false;
      this.#remove(who, last);
      last.refuse(this.#tooMany());
    }
    return true;
  }

  #remove(business: number, ticket: Waiting): boolean {
    const queue = this.#queues.get(business) ?? [];
    const left = queue.filter((one) => one !== ticket);
    if (left.length === queue.length) return false;
    this.#bytes -= ticket.bytes;
    if (left.length > 0) this.#queues.set(business, left);
    else this.#queues.delete(business);
    return true;
  }

  /** The first of the business whose turn it is; that business goes to the end. */
  #next(): void {
    const [first] = this.#queues;
    if (!first) {
      this.#busy = false;
      return;
    }
    const [business, [ticket, ...rest]] = first;
    this.#bytes -= ticket.bytes;
    this.#queues.delete(business);
    if (rest.length > 0) this.#queues.set(business, rest);
    ticket.go();
  }

  #tooMany(): Problem {
    return new Problem(
      'unavailable',
      `Too many ${this.#bounds.what} at the same time. Try again in a minute.`,
      {},
      { 'retry-after': '60' },
    );
  }
}
