/** The businesses of this installation, as far as the kernel must know them, remembered for a moment. */
import type { Database, Reads } from '../../base/db/database.ts';
import type { Tenant } from './work.ts';

const REMEMBERED_MS = 2000;
const KEPT = 10_000;

/** Reads a business; null: there is none. The area that owns businesses has it. */
export type FindTenant = (tx: Reads, providerId: number) => Promise<Tenant | null>;

export class Tenants {
  readonly #db: Database;
  readonly #find: FindTenant;
  readonly #known = new Map<number, { until: number; tenant: Promise<Tenant | null> }>();
  /** a business becomes one never, and goes live once */
  readonly #tests = new Set<number>();

  constructor(db: Database, find: FindTenant) {
    this.#db = db;
    this.#find = find;
  }

  /**
   * The business of this id, or null where there is none. A change of its settings shows within two seconds, and
   * immediately where it was made: see `forget`. A test business is read each time: whatever process moved its clock, the next request everywhere has its new time.
   */
  of(providerId: number): Promise<Tenant | null> {
    if (this.#tests.has(providerId)) return this.#readTest(providerId);
    const now = performance.now();
    const known = this.#known.get(providerId);
    if (known && known.until > now) return known.tenant;
    if (this.#known.size >= KEPT) this.#known.clear();
    const tenant = this.#read(providerId);
    this.#known.set(providerId, { until: now + REMEMBERED_MS, tenant });
    tenant.then(
      (found) => {
        if (!found?.testClock) return;
        if (this.#tests.size >= KEPT) this.#tests.clear();
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

  /** A setting of the business was changed here: the next request reads it again. */
  forget(providerId: number): void {
    this.#known.delete(providerId);
  }
}
