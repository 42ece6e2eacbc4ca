import { signalPostgres } from './database-machine.ts';
import { failover } from './outage.ts';
import type { Drill } from './drill.ts';

/**
 * Like a paused machine: it closes no connection and sends no response, and later it resumes as if nothing had
 * happened.
 */
export const freezePrimary: Drill = {
  name: 'freeze-primary',
  does: 'PostgreSQL and Patroni on the primary stand still (`SIGSTOP`), and go on after the standby was promoted',
  raises: ['NoPrimary'],
  async run({ cell, load }) {
    const [primary, standby] = [await cell.primary(), await cell.standby()];
    const frozen = performance.now();
    primary.unit('patroni').kill('SIGSTOP');
    signalPostgres(primary, 'SIGSTOP');
    try {
      return await failover(load, standby, frozen);
    } finally {
      // PostgreSQL resumes first: for a moment, two databases believe that they are the primary.
      signalPostgres(primary, 'SIGCONT');
      primary.unit('patroni').kill('SIGCONT');
    }
  },
};
