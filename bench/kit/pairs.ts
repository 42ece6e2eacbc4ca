/**
 * An order of customers and events in which no pair repeats: number i is customer i mod C, who has had i / C turns and
 * books the next event each time. Neighbors in that order have different events. A request that repeats a booking
 * returns without writing anything, so a benchmark that repeats measures nothing.
 */
import type { Installation } from './installation.ts';

type Place = Pick<Installation, 'customers' | 'events'>;

/** Returns the number of distinct pairs: numbers below it don't repeat. */
export function pairsOf({ customers, events }: Place): number {
  if (customers.n % events.n !== 0)
    throw new RangeError('the number of customers has to be a multiple of the number of events');
  return customers.n * events.n;
}

export const pair = ({ customers, events }: Place, i: number): { event: number; customer: number } => ({
  customer: customers.first + (i % customers.n),
  event: events.first + ((i + Math.floor(i / customers.n)) % events.n),
});

/**
 * Returns the same order as a pgbench script, without a round trip: each client counts on its own (variables outlive a
 * transaction) from `:base`, in steps of the number of clients. Needs the variables `base` and `clients`, and `turn` as
 * -1 before the first.
 */
export function pairPrelude({ customers, events }: Place): string {
  return [
    '\\set turn :turn + 1',
    '\\set i :base + :turn * :clients + :client_id',
    `\\set customer ${customers.first} + :i % ${customers.n}`,
    `\\set event ${events.first} + (:i + :i / ${customers.n}) % ${events.n}`,
  ].join('\n');
}

/** Hands out ranges of numbers, each once. */
export class Stretches {
  readonly #end: number;
  #next: number;

  constructor(place: Place, taken: number) {
    this.#end = pairsOf(place);
    this.#next = taken;
  }

  /** Returns the first of `n` numbers that no other caller gets. */
  take(n: number): number {
    const first = this.#next;
    this.#next += n;
    if (this.#next > this.#end) throw new RangeError(`all ${this.#end} pairs of customers and events are used up`);
    return first;
  }
}
