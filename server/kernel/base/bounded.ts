/**
 * A cache with a limit in entries and in bytes, as `weigh` estimates them: the oldest entries are evicted. Callers may
 * choose keys and values, so it must not grow, and one rare, large value must not evict many small ones that are in
 * use: a large one is cached only when it is requested for the second time.
 */
import { hash } from 'node:crypto';

interface Bounds<V> {
  readonly entries: number;
  readonly bytes: number;
  /** estimated size of an entry */
  readonly weigh: (key: string, value: V) => number;
}

/** A value above this share of all bytes is a large one. */
const LARGE_PART = 1 / 64;
const MAX_SEEN = 1000;

interface Entry<V> {
  readonly value: V;
  readonly bytes: number;
}

export class Bounded<V> {
  readonly #bounds: Bounds<V>;
  readonly #entries = new Map<string, Entry<V>>();
  /** hashes of the keys of large values that were requested once */
  readonly #seen = new Set<string>();
  #bytes = 0;

  constructor(bounds: Bounds<V>) {
    this.#bounds = bounds;
  }

  /** Estimated size of all entries. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns the value of a key; undefined if there is none. */
  find(key: string): V | undefined {
    return this.#entries.get(key)?.value;
  }

  get(key: string, make: () => V): V {
    const known = this.#entries.get(key);
    if (known !== undefined) return known.value;
    const value = make();
    const bytes = this.#bounds.weigh(key, value);
    if (bytes <= this.#bounds.bytes * LARGE_PART || (bytes <= this.#bounds.bytes / 2 && this.#again(key)))
      this.#keep(key, { value, bytes });
    return value;
  }

  #again(key: string): boolean {
    const name = hash('sha1', key, 'base64url');
    if (this.#seen.delete(name)) return true;
    if (this.#seen.size >= MAX_SEEN) this.#seen.delete(this.#seen.values().next().value!);
    this.#seen.add(name);
    return false;
  }

  #keep(key: string, entry: Entry<V>): void {
    this.#entries.set(key, entry);
    this.#bytes += entry.bytes;
    for (const [oldest, { bytes }] of this.#entries) {
      if (this.#bytes <= this.#bounds.bytes && this.#entries.size <= this.#bounds.entries) break;
      this.#entries.delete(oldest);
      this.#bytes -= bytes;
    }
  }
}
