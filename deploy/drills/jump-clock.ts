import { until } from './wait.ts';
import { answers } from './cell.ts';
import { bookingsGoOn } from './outage.ts';
import { FAKETIME } from './packages.ts';
import type { Drill } from './drill.ts';

const CLOCK = '/run/rollcall-clock';
const UNITS = ['rollcall-server', 'rollcall-worker'];
const HOUR_MS = 3_600_000;
const READY_MS = 120_000;

/** A process whose clock is wrong must not write anything that keeps the others from working. */
export const jumpClock: Drill = {
  name: 'jump-clock',
  does: 'the clock of a server and its worker jumps an hour ahead, then to an hour behind the right time, then to the right time',
  raises: [],
  async run({ cell, load }) {
    const [machine] = cell.databases;
    const base = `http://${machine.address}:8080`;
    const restart = async (env?: Record<string, string>) => {
      for (const name of UNITS) {
        await machine.unit(name).stop();
        await machine.start(name, env);
      }
      await until('the server is ready', () => answers(`${base}/readyz`), READY_MS);
      await until('the proxy sees both servers', async () => (await cell.serversUp()) === 2, READY_MS);
    };
    const hoursAhead = async () => {
      const date = (await fetch(`${base}/healthz`)).headers.get('date');
      return (Date.parse(date!) - Date.now()) / HOUR_MS;
    };
    const set = (hours: number) => machine.write(CLOCK, `${hours < 0 ? '-' : '+'}${Math.abs(hours)}h\n`);
    set(0);
    await restart({
      LD_PRELOAD: FAKETIME,
      FAKETIME_TIMESTAMP_FILE: CLOCK,
      // rereads the file once a second
      FAKETIME_CACHE_DURATION: '1',
      // Monotonic clocks, which measure durations, don't jump.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    });
    try {
      for (const hours of [1, -1, 0]) {
        set(hours);
        // The `Date` header has whole seconds, and is refreshed once a second.
        const arrived = async () => Math.abs((await hoursAhead()) - hours) < 0.01;
        await until(`the clock is ${hours} h ahead`, arrived, READY_MS);
        await bookingsGoOn(load);
      }
    } finally {
      await restart();
    }
    return [];
  },
};
