/** The businesses of this installation, as far as the kernel must know them, remembered for a moment. */
import type { Database, Transaction } from '../db/database.ts';
import type { Tenant } from '../work.ts';

const REMEMBERED_MS = 2000;
const KEPT = 10_000;

/** Reads a business; null: there is none. The area that owns businesses has it. */
export type FindTenant = (tx: Transaction, providerId: number) => Promise<Tenant | null>;

export class Tenants {
  readonly #db: Database;
  readonly #find: FindTenant;
  readonly #known = new Map<number, { until: number; tenant: Promise<Tenant | null> }>();

  constructor(db: Database, find: FindTenant) {
    this.#db = db;
    this.#find = find;
  }

  /**
   * The business of this id, or null where there is none. A change of its zone or currency shows within two seconds.
   */
  of(providerId: number): Promise<Tenant | null> {
    const now = performance.now();
    const known = this.#known.get(providerId);
    if (known && known.until > now) return known.tenant;
    if (this.#known.size >= KEPT) this.#known.clear();
    const tenant = this.#db.looking(providerId, (tx) => this.#find(tx, providerId));
    this.#known.set(providerId, { until: now + REMEMBERED_MS, tenant });
    tenant.catch(() => this.#known.delete(providerId));
    return tenant;
  }

  forget(providerId: number): void {
    this.#known.delete(providerId);
  }
}
