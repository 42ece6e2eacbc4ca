/**
 * A queue for work that takes a processor for seconds, such as reading or drawing people's uploads: one task at a time.
 * Businesses take turns, so one with many tasks delays only itself. A task whose client has disconnected is dropped.
 */
import { Problem } from '../problem.ts';

interface Waiting {
  readonly bytes: number;
  readonly go: () => void;
  readonly refuse: (error: Error) => void;
}

interface Bounds {
  /** maximum number of waiting tasks of one business */
  readonly ofOne: number;
  /** maximum memory of all waiting tasks */
  readonly bytes: number;
  /** completes "Too many" */
  readonly what: string;
}

/** The business of a task, and the signal that ends it. */
export interface Whose {
  readonly business: number;
  /** the client has disconnected: nobody reads the response */
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

  /** number of waiting tasks */
  get waiting(): number {
    return [...this.#queues.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /**
   * Runs a task in its turn.
   * @throws Problem unavailable if too much is waiting, or if the client disconnects before its turn
   */
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

  /** Makes room by dropping the last task of the business with the most waiting tasks, unless that is this business. */
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

  /** Starts the first task of the next business, and moves that business to the end. */
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
