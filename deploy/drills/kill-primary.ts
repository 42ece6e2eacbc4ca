import { signalPostgres } from './database-machine.ts';
import { failover } from './outage.ts';
import type { Drill } from './drill.ts';

/** Patroni survives and detects it: the standby is promoted without waiting for the lock to expire. */
export const killPrimary: Drill = {
  name: 'kill-primary',
  does: 'PostgreSQL on the primary is killed (`kill -9`, all its processes)',
  // The outage ends sooner than any other alert could detect it.
  raises: ['PrimaryChanged'],
  async run({ cell, load }) {
    const [primary, standby] = [await cell.primary(), await cell.standby()];
    const killed = performance.now();
    signalPostgres(primary, 'SIGKILL');
    return failover(load, standby, killed);
  },
};
