/** A store, and the state of its stock in the database, for tests. */
import assert from 'node:assert/strict';
import { beside } from '../../../../test/storm.ts';
import { newProduct } from './seeds.ts';
import type { ApiAnswer, World } from '../../../../test/world.ts';
import type pg from 'pg';

type Body = Record<string, unknown>;

export class StoreWorld {
  readonly world: World;
  /** connection that sees every row */
  readonly owner: pg.Client;

  private constructor(world: World, owner: pg.Client) {
    this.world = world;
    this.owner = owner;
  }

  static async of(world: World): Promise<StoreWorld> {
    return new StoreWorld(world, await beside(world.databaseUrl));
  }

  async close(): Promise<void> {
    await this.owner.end();
    await this.world.close();
  }

  ask(method: string, path: string, body?: Body, as: string | undefined = this.world.machine): Promise<ApiAnswer> {
    return this.world.ask(method, path, { as, body });
  }

  async done(method: string, path: string, body?: Body, as?: string): Promise<any> {
    const answer = await this.ask(method, path, body, as);
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
    return answer.body;
  }

  /** Returns the message of a refused request. */
  async refused(method: string, path: string, body?: Body, as?: string): Promise<any> {
    const answer = await this.ask(method, path, body, as);
    assert.ok(answer.status >= 400, `${method} ${path} was not refused: ${answer.text}`);
    return { status: answer.status, ...answer.body };
  }

  product(over: Parameters<typeof newProduct>[1] = {}): Promise<{ product: number; variant: number }> {
    return newProduct(this.world, over);
  }

  /** Returns the stock of a variant from the database. */
  async stock(variant: number): Promise<{ stock: number; held: number }> {
    const { rows } = await this.owner.query(
      'SELECT stock_count AS stock, held_count AS held FROM store_product_variant WHERE provider_id = $1 AND id = $2',
      [this.world.harbour, variant],
    );
    return rows[0];
  }

  /** Returns the number of deadlocks in this database. */
  async deadlocks(): Promise<number> {
    await this.owner.query('SELECT pg_stat_clear_snapshot()');
    const { rows } = await this.owner.query(
      'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
    );
    return Number(rows[0].deadlocks);
  }

  /** Asserts that every counter is the sum of its rows, and nothing is sold or reserved twice. */
  async counted(): Promise<void> {
    const { rows } = await this.owner.query(
      `SELECT * FROM (SELECT v.id, v.track_stock, v.stock_count, v.held_count,
          (SELECT coalesce(sum(a.quantity), 0) FROM store_inventory_adjustment a
            WHERE a.provider_id = v.provider_id AND a.store_product_variant_id = v.id)::int AS adjusted,
          (SELECT coalesce(sum(h.quantity), 0) FROM stock_hold h
            WHERE h.provider_id = v.provider_id AND h.store_product_variant_id = v.id)::int AS held
        FROM store_product_variant v WHERE v.provider_id = $1) v
       WHERE stock_count <> adjusted OR held_count <> held OR stock_count < 0
         OR (track_stock AND held_count > stock_count)`,
      [this.world.harbour],
    );
    assert.deepEqual(rows, []);
  }
}
