/** The connections to one server, and the queue for them. */
import { Gate } from './gate.ts';
import { openPool, type Pool, type PoolOptions } from '../connections/connect.ts';
import { PATIENCE } from '../connections/patience.ts';

/** Work that is still in progress after this is cut off on close. */
const CLOSE_MS = 3000;

export class Place {
  readonly pool: Pool;
  readonly gate: Gate;

  constructor(options: PoolOptions) {
    this.pool = openPool(options);
    this.gate = new Gate(options.size, (options.patience ?? PATIENCE).acquireMs);
  }

  /** Connections in use, and callers waiting for one. */
  get load(): { total: number; idle: number; waiting: number } {
    const { totalCount: total, idleCount: idle, waitingCount } = this.pool;
    return { total, idle, waiting: this.gate.waiting + waitingCount };
  }

  /** Waits briefly for work in progress and then ends it. */
  async close(): Promise<void> {
    const cut = setTimeout(() => this.pool.abandon(), CLOSE_MS);
    await this.pool.end().finally(() => clearTimeout(cut));
  }
}
