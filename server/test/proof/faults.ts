/** Servers whose connections to the database break, and callers who don't give up: they repeat with the same key. */
import { randomUUID } from 'node:crypto';
import { chance } from '../storm.ts';
import { Gate, type Break } from './gate.ts';
import { serveHere, type ServedHere } from '../processes/serve-here.ts';
import type { ApiAnswer, World } from '../world.ts';

/**
 * `commits`: the response to a COMMIT is lost, so that nobody knows whether it was done. `connections`: a connection
 * breaks at any exchange of a transaction, before or after it was done.
 */
export const FAULTS = ['commits', 'connections'] as const;
export type Fault = (typeof FAULTS)[number];

/** One in this many exchanges breaks. */
const ONE_IN = { commits: 3, connections: 30 } as const;
/** A repetition fails only if its connection breaks too. */
const MAX_TRIES = 200;

export class FaultyServers {
  readonly servers: readonly { ask: World['ask'] }[];
  /** connections that broke, and requests that were repeated */
  readonly counts = { broken: 0, repeated: 0 };
  readonly #gates: readonly Gate[];
  readonly #served: readonly ServedHere[];

  private constructor(world: World, gates: readonly Gate[], served: readonly ServedHere[]) {
    this.#gates = gates;
    this.#served = served;
    this.servers = served.map(({ url }) => ({ ask: (...request) => this.#insist(url, world, request) }));
  }

  /** Starts two servers on the database of a world. */
  static async of(world: World, fault: Fault, seed: number): Promise<FaultyServers> {
    const gates = [await Gate.to(world.databaseUrl), await Gate.to(world.databaseUrl)];
    const served: ServedHere[] = [];
    for (const { url } of gates)
      served.push(await serveHere(url, { DATABASE_URL: '', DATA_DIR: world.dataDir }, { now: () => world.now }));
    const all = world.closing(new FaultyServers(world, gates, served));
    const dice = chance(seed);
    for (const gate of gates)
      gate.breaks = (isCommit): Break => {
        if ((fault === 'commits' && !isCommit) || dice.below(ONE_IN[fault]) > 0) return null;
        all.counts.broken++;
        return fault === 'commits' || dice.below(2) === 0 ? 'after' : 'before';
      };
    return all;
  }

  async close(): Promise<void> {
    for (const gate of this.#gates) gate.breaks = () => null;
    await Promise.all(this.#served.map((one) => one.close()));
    await Promise.all(this.#gates.map((gate) => gate.end()));
  }

  /** Repeats a request with its key until an answer says what became of it. */
  async #insist(
    url: string,
    world: World,
    [method, path, { body } = {}]: Parameters<World['ask']>,
  ): Promise<ApiAnswer> {
    const key = randomUUID();
    let last = '';
    for (let n = 0; n < MAX_TRIES; n++) {
      if (n > 0) this.counts.repeated++;
      const answer = await fetch(`${url}/api/v2${path}`, {
        method,
        headers: {
          authorization: `Bearer ${world.machine}`,
          'content-type': 'application/json',
          ...(method !== 'GET' && { 'idempotency-key': key }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      last = text;
      const read = text ? JSON.parse(text) : null;
      if (answer.status < 500 && read?.code !== 'idempotency_key_in_use')
        return { status: answer.status, headers: answer.headers, text, body: read };
    }
    throw new Error(`${method} ${path} was not answered after ${MAX_TRIES} tries: ${last}`);
  }
}
