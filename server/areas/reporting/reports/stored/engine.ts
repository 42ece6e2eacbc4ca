/**
 * The engine that keeps stored rows up to date while nobody reads them, so that a request never has much to do, and
 * that calculates them again if a business came from elsewhere or changed its time zone.
 */
import { fold } from './fold.ts';
import { Loops } from '../../../../kernel/work/worker/loops.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { Engine, EngineContext, RunningEngine } from '../../../../kernel/work/unit/engine.ts';

const WHY = 'the stored rows of every business are kept up to date by one engine';
const IDLE_MS = 10_000;

export const storedEngine: Engine = {
  name: 'report_sums',
  start: async (context) => new StoredEngine(context),
};

class StoredEngine implements RunningEngine {
  readonly #loops: Loops;

  constructor(context: EngineContext) {
    this.#loops = new Loops(context.log);
    this.#loops.repeat('report sums', IDLE_MS, () => foldChanged(context, () => this.#loops.stopped));
  }

  stop(): Promise<void> {
    return this.#loops.stop();
  }
}

/** Brings the stored rows of each business up to date that has changes, one after the other. */
export async function foldChanged(own: Pick<EngineContext, 'db'>, isOver = (): boolean => false): Promise<void> {
  const businesses = await own.db.acrossTenants(WHY, (tx) =>
    tx.rows<{ provider: number; zone: string }>(sql`
      SELECT p.provider_id AS provider, p.timezone AS zone FROM provider p WHERE p.provider_id IN (
        SELECT provider_id FROM report_change UNION SELECT provider_id FROM report_state WHERE built_at IS NULL)
      ORDER BY 1`),
  );
  for (const { provider, zone } of businesses) {
    if (isOver()) return;
    await own.db.transaction(provider, (tx) => fold(tx, { provider, zone }));
  }
}
