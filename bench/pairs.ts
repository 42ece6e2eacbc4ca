/**
 * Customers and events in an order in which no pair comes twice: number i is customer i mod C, who has gone once round
 * all customers i / C times and books one event further each time. Neighbours in that order are different events. A
 * request that repeats a booking is answered without writing anything: a benchmark that repeats measures nothing.
 */
import type { Installation } from './installation.ts';

type Place = Pick<Installation, 'customers' | 'events'>;

/** Numbers below this are pairs of their own. */
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
 * The same for pgbench, without a round trip: each client counts for itself (variables outlive a transaction) from
 * `:base`, in steps of the number of clients. Needs `base` and `clients` as variables, and `turn` as -1 before the
 * first.
 */
export function pairPrelude({ customers, events }: Place): string {
  return [
    '\\set turn :turn + 1',
    '\\set i :base + :turn * :clients + :client_id',
    `\\set customer ${customers.first} + :i % ${customers.n}`,
    `\\set event ${events.first} + (:i + :i / ${customers.n}) % ${events.n}`,
  ].join('\n');
}

/** Hands out stretches of numbers, each once. */
export class Stretches {
  readonly #end: number;
  #next: number;

  constructor(place: Place, taken: number) {
    this.#end = pairsOf(place);
    this.#next = taken;
  }

  /** First of `n` numbers that nobody else gets. */
  take(n: number): number {
    const first = this.#next;
    this.#next += n;
    if (this.#next > this.#end) throw new RangeError(`all ${this.#end} pairs of customers and events are used up`);
    return first;
  }
}
