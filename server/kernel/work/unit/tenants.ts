/** Cache of the businesses of this installation, with the properties that the kernel needs. */
import type { Database, Reads } from '../../base/db/database.ts';
import type { Tenant } from './work.ts';

const REMEMBERED_MS = 2000;
const MAX_CACHED = 10_000;

/** A function that reads a business; null: there is none. Provided by the area that owns businesses. */
type FindTenant = (tx: Reads, providerId: number) => Promise<Tenant | null>;

export class Tenants {
  readonly #db: Database;
  readonly #find: FindTenant;
  readonly #known = new Map<number, { until: number; tenant: Promise<Tenant | null> }>();
  /** a business never becomes a test business, and goes live at most once */
  readonly #tests = new Set<number>();

  constructor(db: Database, find: FindTenant) {
    this.#db = db;
    this.#find = find;
  }

  /**
   * Returns the business with this id, or null. A change of its settings shows within two seconds, and immediately in
   * the process that made it: see `forget`. A test business is read each time: no matter which process moved its clock,
   * the next request everywhere has its new time.
   */
  of(providerId: number): Promise<Tenant | null> {
    if (this.#tests.has(providerId)) return this.#readTest(providerId);
    const now = performance.now();
    const known = this.#known.get(providerId);
    if (known && known.until > now) return known.tenant;
    if (this.#known.size >= MAX_CACHED) this.#known.clear();
    const tenant = this.#read(providerId);
    this.#known.set(providerId, { until: now + REMEMBERED_MS, tenant });
    tenant.then(
      (found) => {
        if (!found?.testClock) return;
        if (this.#tests.size >= MAX_CACHED) this.#tests.clear();
        this.#tests.add(providerId);
        this.#known.delete(providerId);
      },
      () => this.#known.delete(providerId),
    );
    return tenant;
  }

  #readTest(providerId: number): Promise<Tenant | null> {
    const tenant = this.#read(providerId);
    tenant.then(
      (found) => found?.testClock || this.#tests.delete(providerId),
      () => undefined,
    );
    return tenant;
  }

  #read(providerId: number): Promise<Tenant | null> {
    return this.#find(this.#db.reading(providerId), providerId);
  }

  /** Drops a business whose settings were changed here: the next request reads it again. */
  forget(providerId: number): void {
    this.#known.delete(providerId);
  }
}
