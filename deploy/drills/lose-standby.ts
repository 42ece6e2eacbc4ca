import { signalPostgres } from './database-machine.ts';
import { bookingsGoOn, seconds } from './outage.ts';
import { until } from './wait.ts';
import type { Drill } from './drill.ts';

const RETRY_MS = 60_000;

/** Nothing is acknowledged until Patroni lets the primary continue without a standby. */
export const loseStandby: Drill = {
  name: 'lose-standby',
  does: 'the synchronous standby is killed with its Patroni (`kill -9`), and comes back later',
  raises: ['NoStandby'],
  async run({ cell, load }) {
    const standby = await cell.standby();
    const patroni = standby.unit('patroni');
    const killed = performance.now();
    patroni.leave();
    signalPostgres(standby, 'SIGKILL');
    try {
      await until('the primary works alone', async () => !(await cell.standbyConfirms().catch(() => true)), RETRY_MS);
      await bookingsGoOn(load);
    } finally {
      patroni.start();
    }
    return [`bookings waited ${seconds(load.longestPause(killed))}`];
  },
};
