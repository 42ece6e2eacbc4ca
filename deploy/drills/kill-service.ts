import { until } from './wait.ts';
import { bookingsGoOn } from './outage.ts';
import { signal } from './machine.ts';
import type { Drill } from './drill.ts';

const RETRY_MS = 60_000;

export const killServer: Drill = {
  name: 'kill-server',
  does: 'one of the two servers is killed (`kill -9`) while it answers',
  raises: ['ServerDown'],
  async run({ cell, load }) {
    const [machine] = cell.databases;
    machine.unit('rollcall-server').kill('SIGKILL');
    await until('the proxy has one server', async () => (await cell.serversUp()) === 1, RETRY_MS);
    await bookingsGoOn(load);
    return [];
  },
};

export const killWorker: Drill = {
  name: 'kill-worker',
  does: 'a worker is killed (`kill -9`) while it sends confirmations, three times',
  raises: ['WorkerDown'],
  async run({ cell, load }) {
    for (const round of [0, 1, 0]) {
      const sent = cell.mail.total;
      await until('mail is sent', async () => cell.mail.total > sent + 5, RETRY_MS);
      cell.databases[round].unit('rollcall-worker').kill('SIGKILL');
      await bookingsGoOn(load);
    }
    return [];
  },
};

export const killProxy: Drill = {
  name: 'kill-proxy',
  does: 'the proxy is killed (`kill -9`, all its processes) and started again by systemd',
  raises: [],
  async run({ cell, load }) {
    const killed = performance.now();
    for (const pid of cell.proxy.find(/haproxy -Ws/)) signal(pid, 'SIGKILL');
    await until('a booking through the new proxy', async () => load.firstAfter(killed + 100), RETRY_MS);
    await bookingsGoOn(load);
    return [];
  },
};
