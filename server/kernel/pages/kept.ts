/**
 * Public pages that are kept in memory, for visitors without a session. What somebody is shown was true a second ago: a page
 * is sent again while nothing has happened at its business since it was made, which is looked at once a second, for all of its
 * pages together.
 */
import type { Document } from '../api/document.ts';
import type { Site } from './visit.ts';

export interface Kept {
  readonly document: Document;
  readonly etag: string;
}

interface Entry<S extends Site> extends Kept {
  readonly site: S;
  /** what had happened before the page was made */
  readonly version: string;
  /** as the service counts, epoch ms */
  readonly madeAt: number;
  readonly size: number;
}

export interface KeptPagesOptions<S extends Site> {
  /** changes with everything that pages of the business show; null: nothing of it is kept */
  readonly version: (site: S) => Promise<string | null>;
  readonly now: () => number;
  /** how long a version is believed, ms */
  readonly lookEveryMs?: number;
  /** bytes of all pages together */
  readonly most?: number;
}

const LOOK_EVERY_MS = 1000;
/** Time passes without anything that happens: what began is shown as begun soon after. */
const MOST_AGE_MS = 15_000;
const MOST_BYTES = 32 * 1024 * 1024;
/** A page is one of many: no single one takes the room of all others. */
const MOST_OF_ONE = MOST_BYTES / 16;
const MOST_BUSINESSES = 5000;
/** A text, and what it is compressed to. */
const BYTES_PER_CHARACTER = 3;

export class KeptPages<S extends Site> {
  readonly #o: Required<KeptPagesOptions<S>>;
  /** the least used first */
  readonly #entries = new Map<string, Entry<S>>();
  readonly #versions = new Map<string, { readonly at: number; readonly version: Promise<string | null> }>();
  #bytes = 0;

  constructor(options: KeptPagesOptions<S>) {
    this.#o = { lookEveryMs: LOOK_EVERY_MS, most: MOST_BYTES, ...options };
  }

  /** What all kept pages take, as far as can be said. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The page that was kept under this key, if it is still true. */
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

  /** What has happened at the business, as it was a moment ago; ask before a page is made, and keep it under this. */
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

  /** Only what is still there: two visitors may find at the same time that a page is no longer true. */
  #remove(key: string, entry: Entry<S> | undefined): void {
    if (!entry || this.#entries.get(key) !== entry) return;
    this.#entries.delete(key);
    this.#bytes -= entry.size;
  }
}
