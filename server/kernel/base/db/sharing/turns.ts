/**
 * The order of connections to the database. Businesses take turns, so one that asks for a lot makes itself wait and
 * nobody else. Within a business and a kind of work, the order is the order of asking.
 *
 * - **Alone**, a business may use all connections but one, which is kept for whoever comes next; its lists leave one
 *   more.
 * - **Beside others**, it has at most half of them.
 * - **Lists** are the work that callers can make expensive. Beside other businesses, the lists of one have at most a
 *   quarter, and go one at a time while they are slow, with a rest after each; beside other work of the same business,
 *   they have half.
 * - **Writes** leave a quarter of the connections to those who read, whoever writes: a commit that waits for a standby
 *   that is gone keeps its turn until it is done.
 *
 * Every share is rounded up, so each business can always have one. No connection is held here: the door asks for a turn
 * first and takes a connection then.
 */

/** `list`: a page of a list; `write`: a transaction that may write; `any`: everything else. */
const KINDS = ['any', 'list', 'write'] as const;
export type Kind = (typeof KINDS)[number];

/** Work that belongs to no business takes turns like one more business, but its presence reduces nobody's share. */
export const INSTALLATION = 0;

/** A business that asked within this time (ms) will ask again: its share is kept free. */
const PRESENT_MS = 1000;
const FORGET_EVERY_MS = 250;

/** Lists that take longer than this on average, in milliseconds, keep a database processor fully busy. */
const SLOW_MS = 25;
/** Weight of the newest list in that average. */
const WEIGHT = 0.2;

/** How long slow lists rest beside others, of the time that the last one took. */
const REST = 1;
const LONGEST_REST_MS = 1000;

/** Returns how many of the connections may write at the same time. */
export const forWriting = (size: number): number => (size < 4 ? size : size - Math.floor(size / 4));

/** A position in the queue. */
export interface Ticket {
  readonly go: () => void;
}

/** A queue that is emptied from the front without moving the rest. A waiter that gives up leaves a gap. */
class Queue {
  #tickets: (Ticket | null)[] = [];
  #first = 0;
  size = 0;

  add(ticket: Ticket): void {
    this.#tickets.push(ticket);
    this.size++;
  }

  take(): Ticket {
    for (;;) {
      const ticket = this.#tickets[this.#first++];
      if (this.#first > 64 && this.#first * 2 > this.#tickets.length)
        [this.#tickets, this.#first] = [this.#tickets.slice(this.#first), 0];
      if (!ticket) continue;
      this.size--;
      return ticket;
    }
  }

  remove(ticket: Ticket): boolean {
    const at = this.#tickets.indexOf(ticket, this.#first);
    if (at < 0) return false;
    this.#tickets[at] = null;
    this.size--;
    return true;
  }
}

class Business {
  readonly held = { any: 0, list: 0, write: 0 };
  readonly queue = { any: new Queue(), list: new Queue(), write: new Queue() };
  /** the kind that had the last turn: kinds alternate too */
  last: Kind = 'write';
  /** average duration of its lists, in milliseconds */
  listMs = 0;
  /** when its lists have rested, ms */
  restedAt = 0;
  /** time of its last request or end, in milliseconds */
  at = 0;

  get waiting(): number {
    return this.queue.any.size + this.queue.list.size + this.queue.write.size;
  }

  get holding(): number {
    return this.held.any + this.held.list + this.held.write;
  }
}

export class Turns {
  readonly #size: number;
  readonly #now: () => number;
  readonly #later: (act: () => void, ms: number) => void;
  /** businesses that hold a connection, wait, or did so a moment ago */
  readonly #present = new Map<number, Business>();
  /** waiting businesses, in the order of their next turn */
  readonly #inTurn = new Map<number, Business>();
  #held = 0;
  #writing = 0;
  #forgotAt = 0;

  /** `size`: the connections that there are; `now` in ms; `later` acts after so many ms. */
  constructor(
    size: number,
    now: () => number = () => performance.now(),
    later: (act: () => void, ms: number) => void = (act, ms) => void setTimeout(act, ms).unref(),
  ) {
    this.#size = size;
    this.#now = now;
    this.#later = later;
  }

  get waiting(): number {
    let waiting = 0;
    for (const business of this.#inTurn.values()) waiting += business.waiting;
    return waiting;
  }

  /**
   * Requests a turn. Returns null if it begins now and lasts until `leave`. Otherwise, `go` is called when it begins,
   * unless the caller calls `giveUp` before.
   */
  enter(key: number, kind: Kind, go: () => void): Ticket | null {
    const now = this.#now();
    this.#forget(now);
    let business = this.#present.get(key);
    if (!business) this.#present.set(key, (business = new Business()));
    business.at = now;
    if (business.queue[kind].size === 0 && this.#held < this.#size && this.#may(key, business, kind)) {
      this.#count(business, kind);
      return null;
    }
    const ticket = { go };
    business.queue[kind].add(ticket);
    this.#inTurn.set(key, business);
    return ticket;
  }

  /** Ends a turn that took `ms`; the next ones begin before this returns. */
  leave(key: number, kind: Kind, ms = 0): void {
    const business = this.#present.get(key)!;
    business.held[kind]--;
    this.#held--;
    if (kind === 'write') this.#writing--;
    if (kind === 'list') business.listMs += (ms - business.listMs) * WEIGHT;
    if (this.#inTurn.size === 0 && this.#present.size === 1) return;
    business.at = this.#now();
    this.#forget(business.at);
    if (kind === 'list' && business.listMs > SLOW_MS) this.#rest(business, ms);
    this.#runNext();
  }

  /**
   * Slow lists keep a processor busy, which others may need: beside them, they leave it to them for as long as they
   * took.
   */
  #rest(business: Business, ms: number): void {
    const rest = Math.min(ms * REST, LONGEST_REST_MS);
    business.restedAt = business.at + rest;
    // Timers are a little early.
    this.#later(() => this.#runNext(), Math.ceil(rest) + 1);
  }

  #runNext(): void {
    while (this.#held < this.#size && this.#next());
  }

  /** Gives up waiting. Returns false if the turn has already begun. */
  giveUp(key: number, kind: Kind, ticket: Ticket): boolean {
    const business = this.#inTurn.get(key);
    if (!business?.queue[kind].remove(ticket)) return false;
    if (business.waiting === 0) this.#inTurn.delete(key);
    return true;
  }

  #count(business: Business, kind: Kind): void {
    business.held[kind]++;
    business.last = kind;
    this.#held++;
    if (kind === 'write') this.#writing++;
  }

  #next(): boolean {
    for (const [key, business] of this.#inTurn) {
      const kind = this.#kindInTurn(key, business);
      if (kind === null) continue;
      const ticket = business.queue[kind].take();
      // Moves to the end, also of this very loop: the others come first.
      this.#inTurn.delete(key);
      if (business.waiting > 0) this.#inTurn.set(key, business);
      this.#count(business, kind);
      ticket.go();
      return true;
    }
    return false;
  }

  #kindInTurn(key: number, business: Business): Kind | null {
    const after = KINDS.indexOf(business.last) + 1;
    for (let n = 0; n < KINDS.length; n++) {
      const kind = KINDS[(after + n) % KINDS.length];
      if (business.queue[kind].size > 0 && this.#may(key, business, kind)) return kind;
    }
    return null;
  }

  /** Returns true if the business may hold one more of this kind. */
  #may(key: number, { held, holding, queue, listMs, restedAt }: Business, kind: Kind): boolean {
    const size = this.#size;
    const quarter = Math.ceil(size / 4);
    if (kind === 'write' && this.#writing >= forWriting(size)) return false;
    const others = this.#present.size - (this.#present.has(INSTALLATION) && key !== INSTALLATION ? 1 : 0) > 1;
    // With very few connections, none can be kept free.
    const spare = size >= 4 ? 1 : 0;
    if (holding >= size - spare) return false;
    // Lists that began while nobody else was there do not count against the other work of the business.
    if (others && holding - held.list + Math.min(held.list, quarter) >= Math.ceil(size / 2)) return false;
    if (kind !== 'list') return true;
    if (others) return listMs > SLOW_MS ? held.list === 0 && this.#now() >= restedAt : held.list < quarter;
    const besides = holding - held.list + queue.any.size + queue.write.size > 0;
    return held.list < (besides ? Math.ceil(size / 2) : size - 2 * spare);
  }

  #forget(now: number): void {
    if (now - this.#forgotAt < FORGET_EVERY_MS) return;
    this.#forgotAt = now;
    for (const [key, business] of this.#present) {
      if (business.holding + business.waiting === 0 && now - business.at > PRESENT_MS) this.#present.delete(key);
    }
  }
}
