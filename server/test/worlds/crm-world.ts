/**
 * A world with a worker, for tests of customer relations: acts, waits until all consequences have happened, and returns
 * them.
 */
import assert from 'node:assert/strict';
import type pg from 'pg';
import { beside, until } from '../storm.ts';
import { crm } from '../../areas/communication/crm/index.ts';
import { sql } from '../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../world.ts';

export interface Recorded {
  readonly kind: string;
  readonly payload: Record<string, unknown>;
}

const QUIET = `
  SELECT (SELECT count(*) FROM feed_item WHERE seq IS NULL)
    + (SELECT count(*) FROM graphile_worker._private_jobs WHERE run_at <= now())
    + (SELECT count(*) FROM feed_reader r CROSS JOIN feed_position p LEFT
      JOIN feed_reader_position x ON x.provider_id = p.provider_id AND x.reader = r.name
       WHERE coalesce(x.last_seq, 0) < p.last_seq) AS n`;

export class CrmWorld {
  readonly world: World;
  readonly owner: pg.Client;

  private constructor(world: World, owner: pg.Client) {
    this.world = world;
    this.owner = owner;
  }

  static async start(env: Record<string, string> = {}): Promise<CrmWorld> {
    const world = await startWorld({ worker: true, env });
    return new CrmWorld(world, await beside(world.databaseUrl));
  }

  async close(): Promise<void> {
    await this.owner.end();
    await this.world.close();
  }

  /** Waits until all feed items are numbered and read by every reader, and no job is due. */
  async quiet(): Promise<void> {
    await until('all is read and done', async () => Number((await this.owner.query(QUIET)).rows[0].n) === 0);
  }

  /** Advances time to this moment and waits for everything due until then. */
  async passTo(epochMs: number): Promise<void> {
    this.world.setNow(epochMs);
    await this.owner.query(
      `UPDATE graphile_worker._private_jobs SET run_at = now() WHERE run_at > now() AND run_at <= $1`,
      [new Date(epochMs)],
    );
    await this.quiet();
  }

  /** Starts a new day and runs the daily checks. */
  async newDay(): Promise<void> {
    await this.world.app.db.acrossTenants('a test begins a day', (tx) =>
      crm.sweep!(tx, this.world.now, this.world.app.installation),
    );
    await this.owner.query(
      `UPDATE graphile_worker._private_jobs SET run_at = now() WHERE run_at > now() AND run_at <= $1`,
      [new Date(this.world.now)],
    );
    await this.quiet();
  }

  /** Acts, waits for all consequences, and returns the new feed items of Harbour, in order. */
  async recordsOf(act: () => Promise<unknown>): Promise<Recorded[]> {
    await this.quiet();
    const {
      rows: [{ last }],
    } = await this.owner.query(`SELECT coalesce(max(id), 0)::bigint AS last FROM feed_item`);
    await act();
    await this.quiet();
    const { rows } = await this.owner.query(
      `SELECT kind, payload FROM feed_item WHERE provider_id = $1 AND id > $2 ORDER BY seq`,
      [this.world.harbour, last],
    );
    return rows;
  }

  async post(path: string, body: unknown = {}, as = this.world.machine): Promise<any> {
    const answer = await this.world.post(path, { as, body });
    assert.ok(answer.status < 300, `${path}: ${answer.text}`);
    return answer.body;
  }

  status = (name: string, more: object = {}): Promise<any> => this.post('/customer_statuses', { name, ...more });
  label = (name: string): Promise<any> => this.post('/customer_labels', { name });
  workflow = (trigger: string, more: object = {}): Promise<any> =>
    this.post('/crm/workflows', { name: trigger, trigger, ...more });
  action = (workflow: number, action_type: string, more: object = {}): Promise<any> =>
    this.post('/crm/workflow_actions', { workflow, action_type, conditions: [], scheduled_delay: null, ...more });

  async runs(query: string): Promise<any[]> {
    const answer = await this.world.get(`/crm/workflow_runs?sort=id&${query}`, { as: this.world.machine });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.results;
  }

  /** Returns the labels of a customer by slug. */
  async labelsOf(customer: number): Promise<string[]> {
    const answer = await this.world.get(`/customers/${customer}?fields=labels.slug`, { as: this.world.machine });
    return answer.body.labels.map((l: { slug: string }) => l.slug).toSorted();
  }

  async statusOf(customer: number): Promise<string | null> {
    const answer = await this.world.get(`/customers/${customer}?fields=status.slug`, { as: this.world.machine });
    return answer.body.status?.slug ?? null;
  }

  /** Records a visit of the customer on a day, as `YYYY-MM-DD`. */
  async came(customer: number, day: string, venue: number): Promise<void> {
    await this.world.work(this.world.harbour, ({ tx, providerId }) =>
      tx.run(
        sql`INSERT INTO checkin (provider_id, customer_id, venue_id, checkin_date)
          VALUES (${providerId}, ${customer}, ${venue}, ${day})`,
      ),
    );
  }
}
