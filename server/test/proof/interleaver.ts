/** Runs two requests in a chosen order of their exchanges with the database. */
import type pg from 'pg';
import { beside, until } from '../storm.ts';
import { Gate } from './gate.ts';
import { serveHere, type ServedHere } from '../processes/serve-here.ts';
import type { World } from '../world.ts';

/** A server: its requests, and its service for jobs. */
export interface Party {
  readonly ask: World['ask'];
  readonly app: World['app'];
}

/** The order of a run: at each moment when both may go on, which of them did. */
export type Order = readonly (0 | 1)[];

export class Interleaver {
  readonly servers: readonly Party[];
  readonly #owner: pg.Client;
  readonly #gates: readonly Gate[];
  readonly #served: readonly ServedHere[];

  private constructor(parts: {
    owner: pg.Client;
    gates: readonly Gate[];
    served: readonly ServedHere[];
    world: World;
  }) {
    this.#owner = parts.owner;
    this.#gates = parts.gates;
    this.#served = parts.served;
    this.servers = parts.served.map(({ url, app }) => ({ app, ask: askingAt(url, parts.world) }));
  }

  /** Starts two servers, each behind a gate of its own. The world has a database of its own. */
  static async of(world: World): Promise<Interleaver> {
    const owner = await beside(world.databaseUrl);
    // Deadlocks are part of the test, and each would take a second.
    const { rows } = await owner.query('SELECT current_database() AS name');
    await owner.query(`ALTER DATABASE ${rows[0].name} SET deadlock_timeout = '20ms'`);
    const gates = [await Gate.to(world.databaseUrl), await Gate.to(world.databaseUrl)];
    const served: ServedHere[] = [];
    for (const { url } of gates)
      served.push(await serveHere(url, { DATABASE_URL: '', DATA_DIR: world.dataDir }, { now: () => world.now }));
    return world.closing(new Interleaver({ owner, gates, served, world }));
  }

  async close(): Promise<void> {
    for (const gate of this.#gates) gate.open();
    await Promise.all(this.#served.map((one) => one.close()));
    await Promise.all(this.#gates.map((gate) => gate.end()));
    await this.#owner.end();
  }

  /**
   * Runs an action at each server. `choose` decides who goes on when both may, by the number of decisions before.
   * Returns the decisions.
   */
  async run(acts: readonly (() => Promise<unknown>)[], choose: (n: number) => 0 | 1): Promise<Order> {
    const order: (0 | 1)[] = [];
    const done = [false, false];
    for (const gate of this.#gates) gate.close();
    const running = Promise.all(acts.map((act, n) => act().finally(() => (done[n] = true))));
    running.catch(() => {});
    try {
      while (!done.every(Boolean)) {
        const ready = await until('an exchange is held, or both are done', () => this.#ready(done), undefined, 1);
        if (ready.length === 0) continue;
        const next = ready.length === 2 ? choose(order.length) : ready[0];
        if (ready.length === 2) order.push(next);
        this.#gates[next].release();
      }
    } finally {
      for (const gate of this.#gates) gate.open();
    }
    await running;
    return order;
  }

  /**
   * Returns who may go on once both stand still: they hold an exchange, wait for a lock of the other one, or are done.
   * Null: not yet.
   */
  async #ready(done: readonly boolean[]): Promise<(0 | 1)[] | null> {
    const held = ([0, 1] as const).filter((n) => this.#gates[n].holds);
    const others = ([0, 1] as const).filter((n) => !done[n] && !this.#gates[n].holds);
    if (others.length === 0) return held;
    const asking = others.map((n) => this.#gates[n].asking);
    if (held.length === 0 || asking.some((pids) => pids.length === 0)) return null;
    const { rows } = await this.#owner.query(
      `SELECT pid FROM pg_stat_activity WHERE pid = ANY($1) AND wait_event_type = 'Lock'`,
      [asking.flat()],
    );
    const waiting = new Set(rows.map(({ pid }) => pid));
    return asking.every((pids) => pids.some((pid) => waiting.has(pid))) ? held : null;
  }
}

const askingAt =
  (url: string, world: World): World['ask'] =>
  async (method, path, { body } = {}) => {
    const answer = await fetch(`${url}/api/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${world.machine}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, body: text ? JSON.parse(text) : null };
  };

/** Decides that one goes on for a number of exchanges, and then the other one as long as it can. */
export const switching =
  (first: 0 | 1, after: number) =>
  (n: number): 0 | 1 =>
    n < after === (first === 0) ? 0 : 1;

/**
 * Runs the orders with one switch, those without one included: all, or for each of the two requests at most `most`,
 * spread over its exchanges and in turns.
 */
export async function everySwitch(
  run: (choose: (n: number) => 0 | 1) => Promise<Order>,
  most: number,
  turn: number,
): Promise<number> {
  let runs = 0;
  for (const first of [0, 1] as const) {
    // Until the other one is done or waits, each exchange of the first is a decision.
    const { length } = await run(switching(first, Infinity));
    const apart = Math.max(1, Math.ceil(length / most));
    for (let after = 1 + (turn % apart); after < length; after += apart, runs++) await run(switching(first, after));
    runs++;
  }
  return runs;
}
