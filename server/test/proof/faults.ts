/** Servers whose connections to the database break, and callers who don't give up: they repeat with the same key. */
import { chance } from '../storm.ts';
import { FaultyProcessor } from './faulty-processor.ts';
import { Gate, type Break } from './gate.ts';
import { insisting } from './insisting.ts';
import { KilledServers } from './killed-servers.ts';
import { serveHere, type ServedHere } from '../processes/serve-here.ts';
import { startWorld, type World } from '../world.ts';
import type { Stage } from './scene.ts';
import { TestClock } from '../clock.ts';

/**
 * `commits`: the response to a COMMIT is lost, so that nobody knows whether it was done. `connections`: a connection
 * breaks at any exchange of a transaction, before or after it was done. `processes`: a server or the worker is killed,
 * or stopped for a while (killed-servers.ts). `payments`: requests to the payment processor and their answers get lost,
 * and its messages arrive in any order or never (faulty-processor.ts, till.ts).
 */
export const FAULTS = ['commits', 'connections', 'processes', 'payments'] as const;
export type Fault = (typeof FAULTS)[number];

/** Servers of histories that fail on purpose. They close with their world. */
export interface Faulty {
  readonly world: World;
  readonly servers: Stage['servers'];
  /** faults by their kind, and requests that were repeated */
  readonly counts: Readonly<Record<string, number>> & { readonly repeated: number };
  /** Waits until no fault is in progress, and what the service still has to do is done. */
  settled(): Promise<void>;
}

/** Starts a world with two servers that fail in this way. */
export async function startFaulty(fault: Fault, seed: number): Promise<Faulty> {
  if (fault === 'payments') return FaultyProcessor.of(seed);
  if (fault !== 'processes') return FaultyServers.of(await startWorld({ own: true }), fault, seed);
  // A job that failed is repeated after a while, so time must advance.
  return KilledServers.of(await startWorld({ own: true, clock: new TestClock({ goesOn: true }) }), seed);
}

/** One in this many exchanges breaks. */
const ONE_IN = { commits: 3, connections: 30 } as const;

class FaultyServers implements Faulty {
  readonly world: World;
  readonly servers: Faulty['servers'];
  readonly counts = { 'connections that broke': 0, repeated: 0 };
  readonly #gates: readonly Gate[];
  readonly #served: readonly ServedHere[];

  private constructor(world: World, gates: readonly Gate[], served: readonly ServedHere[]) {
    this.world = world;
    this.#gates = gates;
    this.#served = served;
    const onRepeat = () => void this.counts.repeated++;
    this.servers = served.map(({ url }) => ({
      ask: insisting({ next: async () => url, token: world.machine, onRepeat }),
    }));
  }

  static async of(world: World, fault: keyof typeof ONE_IN, seed: number): Promise<FaultyServers> {
    const gates = [await Gate.to(world.databaseUrl), await Gate.to(world.databaseUrl)];
    const served: ServedHere[] = [];
    for (const { url } of gates)
      served.push(await serveHere(url, { DATABASE_URL: '', DATA_DIR: world.dataDir }, { now: () => world.now }));
    const all = world.closing(new FaultyServers(world, gates, served));
    const dice = chance(seed);
    for (const gate of gates)
      gate.breaks = (isCommit): Break => {
        if ((fault === 'commits' && !isCommit) || dice.below(ONE_IN[fault]) > 0) return null;
        all.counts['connections that broke']++;
        return fault === 'commits' || dice.below(2) === 0 ? 'after' : 'before';
      };
    return all;
  }

  async settled(): Promise<void> {}

  async close(): Promise<void> {
    for (const gate of this.#gates) gate.breaks = () => null;
    await Promise.all(this.#served.map((one) => one.close()));
    await Promise.all(this.#gates.map((gate) => gate.end()));
  }
}
