/**
 * In-memory cache of public pages, for visitors without a session. A page is at most a second out of date: it is sent
 * again while nothing has happened at its business since it was built, which is checked once a second for all pages of
 * the business together.
 */
import type { Document } from './document.ts';
import type { Site } from './visit.ts';

export interface Kept {
  readonly document: Document;
  readonly etag: string;
}

interface Entry<S extends Site> extends Kept {
  readonly site: S;
  /** version of the business before the page was built */
  readonly version: string;
  /** by the service's clock, in epoch milliseconds */
  readonly madeAt: number;
  readonly size: number;
}

export interface KeptPagesOptions<S extends Site> {
  /** changes with everything that pages of the business show; null: nothing of the business is cached */
  readonly version: (site: S) => Promise<string | null>;
  readonly now: () => number;
  /** how long a version is trusted, in milliseconds */
  readonly lookEveryMs?: number;
  /** limit for all pages together, in bytes */
  readonly most?: number;
}

const LOOK_EVERY_MS = 1000;
/** Pages change with the time even if nothing happens: an event that has begun must soon be shown as begun. */
const MOST_AGE_MS = 15_000;
const MOST_BYTES = 32 * 1024 * 1024;
/** No single page may take the space of all others. */
const MOST_OF_ONE = MOST_BYTES / 16;
const MOST_BUSINESSES = 5000;
/** A text and its compressed form. */
const BYTES_PER_CHARACTER = 3;

export class KeptPages<S extends Site> {
  readonly #o: Required<KeptPagesOptions<S>>;
  /** least recently used first */
  readonly #entries = new Map<string, Entry<S>>();
  readonly #versions = new Map<string, { readonly at: number; readonly version: Promise<string | null> }>();
  #bytes = 0;

  constructor(options: KeptPagesOptions<S>) {
    this.#o = { lookEveryMs: LOOK_EVERY_MS, most: MOST_BYTES, ...options };
  }

  /** Returns the estimated size of all cached pages, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns the cached page for this key, if it is still current. */
  async find(key: string): Promise<Kept | null> {
    const entry = this.#entries.get(key);
    if (!entry) return null;
    const isOld = Math.abs(this.#o.now() - entry.madeAt) > MOST_AGE_MS;
    if (isOld || (await this.version(entry.site)) !== entry.version) {
      this.#remove(key, entry);
      return null;
    }
    if (this.#entries.delete(key)) this.#entries.set(key, entry);
    return entry;
  }

  /** Returns the recent version of a business. Read it before building a page, and cache the page under it. */
  version(site: S): Promise<string | null> {
    const at = performance.now();
    const known = this.#versions.get(site.home);
    if (known && at - known.at < this.#o.lookEveryMs) return known.version;
    if (this.#versions.size >= MOST_BUSINESSES) this.#versions.clear();
    const version = this.#o.version(site);
    this.#versions.set(site.home, { at, version });
    version.catch(() => this.#versions.delete(site.home));
    return version;
  }

  keep(key: string, site: S, version: string | null, kept: Kept): void {
    const size = (key.length + kept.document.body.length) * BYTES_PER_CHARACTER;
    if (version === null || size > Math.min(this.#o.most, MOST_OF_ONE)) return;
    this.#remove(key, this.#entries.get(key));
    this.#entries.set(key, { ...kept, site, version, madeAt: this.#o.now(), size });
    this.#bytes += size;
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= this.#o.most) break;
      this.#remove(oldest, entry);
    }
  }

  /** Removes an entry only if it is still cached: two visitors may find it outdated at the same time. */
  #remove(key: string, entry: Entry<S> | undefined): void {
    if (!entry || this.#entries.get(key) !== entry) return;
    this.#entries.delete(key);
    this.#bytes -= entry.size;
  }
}
