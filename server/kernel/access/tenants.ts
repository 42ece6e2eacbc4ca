/** The businesses of this installation, as far as the kernel must know them, remembered for a moment. */
import { sql } from '../db/sql.ts';
import type { Database } from '../db/database.ts';
import type { Tenant } from '../work.ts';

const REMEMBERED_MS = 2000;
const KEPT = 10_000;

export class Tenants {
  readonly #db: Database;
  readonly #known = new Map<number, { until: number; tenant: Promise<Tenant | null> }>();

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * The business of this id, or null where there is none. A change of its zone or currency shows within two seconds.
   */
  of(providerId: number): Promise<Tenant | null> {
    const now = performance.now();
    const known = this.#known.get(providerId);
    if (known && known.until > now) return known.tenant;
    if (this.#known.size >= KEPT) this.#known.clear();
    const tenant = this.#load(providerId);
    this.#known.set(providerId, { until: now + REMEMBERED_MS, tenant });
    tenant.catch(() => this.#known.delete(providerId));
    return tenant;
  }

  forget(providerId: number): void {
    this.#known.delete(providerId);
  }

  async #load(providerId: number): Promise<Tenant | null> {
    const row = await this.#db.looking(providerId, (tx) =>
      tx.one<{ timezone: string; currency: string }>(
        sql`SELECT timezone, currency FROM provider WHERE provider_id = ${providerId}`,
      ),
    );
    return row ? { providerId, zone: row.timezone, currency: row.currency } : null;
  }
}
