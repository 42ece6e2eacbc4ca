/**
 * Two server processes and a worker that are killed, or stopped for a while, at random moments, and started again.
 * Callers give up a try that takes long and repeat the request at the other server, with the same key.
 */
import type pg from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import { beside, chance, idle } from '../storm.ts';
import { insisting } from './insisting.ts';
import { serve, type Served } from '../processes/durable.ts';
import type { Faulty } from './faults.ts';
import type { World } from '../world.ts';

/** A process is struck at one in this many requests that are sent while another one is in progress. */
const ONE_IN = 6;
/** A strike comes within this time after its request was sent, in milliseconds. */
const SOON_MS = 10;
/** A caller waits this long for an answer, in milliseconds. */
const PATIENCE_MS = 800;
/** Pause of a caller before a repetition, in milliseconds. */
const PAUSE_MS = 30;
/** A process is stopped for at most this long, in milliseconds: some callers wait, and some give up. */
const MAX_STOPPED_MS = 2 * PATIENCE_MS;

interface Struck {
  readonly role: 'server' | 'worker';
  /** the process; while it starts again, the next one */
  up: Promise<Served>;
  isUp: boolean;
  /** the strike in progress */
  strike: Promise<void> | null;
}

export class KilledServers implements Faulty {
  readonly world: World;
  readonly servers: Faulty['servers'];
  readonly counts = { 'processes killed': 0, 'processes stopped': 0, repeated: 0 };
  readonly #all: readonly Struck[];
  readonly #dice: ReturnType<typeof chance>;
  readonly #owner: pg.Client;
  /** number of requests in progress */
  #inProgress = 0;

  private constructor(world: World, owner: pg.Client, seed: number) {
    this.world = world;
    this.#owner = owner;
    this.#dice = chance(seed);
    this.#all = (['server', 'server', 'worker'] as const).map((role) => ({
      role,
      up: this.#start(role),
      isUp: true,
      strike: null,
    }));
    this.servers = [0, 1].map((first) => {
      const ask = insisting({
        next: (n) => this.#next(first + n),
        token: world.machine,
        patienceMs: PATIENCE_MS,
        pauseMs: PAUSE_MS,
        onRepeat: () => void this.counts.repeated++,
      });
      return {
        ask: async (...request) => {
          this.#inProgress++;
          return ask(...request).finally(() => this.#inProgress--);
        },
      };
    });
  }

  static async of(world: World, seed: number): Promise<KilledServers> {
    const all = world.closing(new KilledServers(world, await beside(world.databaseUrl), seed));
    await Promise.all(all.#all.map(({ up }) => up));
    return all;
  }

  #start(role: Struck['role']): Promise<Served> {
    return serve(this.world.databaseUrl, { ROLE: role, DATA_DIR: this.world.dataDir });
  }

  /** Returns the address of a server, this one if it is up, and plans a strike at some of the requests. */
  async #next(n: number): Promise<string> {
    const [one, other] = [this.#all[n % 2], this.#all[(n + 1) % 2]];
    const server = one.isUp || !other.isUp ? one : other;
    const { url } = await server.up;
    if (this.#inProgress > 1 && this.#dice.below(ONE_IN) === 0) {
      const struck = this.#dice.below(4) === 0 ? this.#all[2] : server;
      struck.strike ??= this.#strike(struck).finally(() => (struck.strike = null));
    }
    return url;
  }

  async #strike(one: Struck): Promise<void> {
    const [isKilled, soon, long] = [
      this.#dice.below(2) === 0,
      this.#dice.below(SOON_MS),
      this.#dice.below(MAX_STOPPED_MS),
    ];
    const served = await one.up;
    await pause(soon);
    if (isKilled) {
      this.counts['processes killed']++;
      const ended = served.end('SIGKILL');
      one.isUp = false;
      one.up = ended.then(() => this.#start(one.role));
      await one.up;
      one.isUp = true;
      return;
    }
    this.counts['processes stopped']++;
    served.process.kill('SIGSTOP');
    await pause(long);
    served.process.kill('SIGCONT');
  }

  async settled(): Promise<void> {
    await Promise.all(this.#all.map(({ strike }) => strike));
    await idle(this.#owner);
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map(({ strike }) => strike));
    for (const { up } of this.#all) await (await up).end('SIGKILL');
    await this.#owner.end();
  }
}
