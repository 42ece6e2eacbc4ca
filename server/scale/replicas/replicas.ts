/**
 * Reads on replicas. A read goes to a replica that has everything the primary had when the read was requested,
 * otherwise to the primary. So it is as fresh as one at the primary, for every caller and through every process, and
 * nobody has to track what they have seen before. See docs/adr/0021-reads-on-replicas.md.
 */
import { setTimeout as after } from 'node:timers/promises';
import pg from 'pg';
import { inTime } from '../../kernel/base/db/connections/in-time.ts';
import { isConnectionLoss } from '../../kernel/base/db/connections/loss.ts';
import { Lag } from './lag.ts';
import { PrimaryPosition, type Position } from './position.ts';
import { Replica, type ReplicaOptions } from './replica.ts';
import {
  Behind,
  type ReadCounts,
  type ReadServers,
  type ReplicaState,
  type Spot,
} from '../../kernel/base/db/sharing/spot.ts';
import type { ReplicaAddress } from './addresses.ts';

/** Maximum wait of a read for the primary's position and for a replica to reach it, in milliseconds. */
const WAIT_MS = 100;
/** Interval between checks of all replicas, in milliseconds. */
const LOOK_MS = 250;
const STATEMENT_TIMEOUT = '57014';
const CONFLICT = '40001';

interface ReplicasOptions extends Omit<ReplicaOptions, 'address'> {
  readonly addresses: readonly ReplicaAddress[];
  /** the connection string of the primary */
  readonly primary: string;
  readonly waitMs?: number;
}

export class Replicas implements ReadServers {
  readonly counts: ReadCounts = { replica: 0, away: 0, behind: 0, failed: 0 };
  readonly #all: readonly Replica[];
  readonly #primary: PrimaryPosition;
  readonly #lag = new Lag();
  readonly #waitMs: number;
  readonly #tellMs: number;
  readonly #soundAt = new Map<Replica, number>();
  readonly #closing = new AbortController();
  #turn = 0;

  constructor({ addresses, primary, waitMs = WAIT_MS, ...pool }: ReplicasOptions) {
    this.#all = addresses.map((address) => new Replica({ ...pool, address }));
    this.#primary = new PrimaryPosition(primary, pool.patience);
    this.#waitMs = waitMs;
    this.#tellMs = pool.patience.tellMs;
    // Each independently: one that does not respond delays no other.
    for (const replica of this.#all) void this.#watch(replica);
  }

  /** Runs `read` at a replica, or else at the primary, also if a replica fails. */
  async read<T>(read: (at: Spot) => Promise<T>, primary: Spot): Promise<T> {
    const found = await this.#find();
    if (found === null) return read(primary);
    const { replica, position } = found;
    try {
      const value = await read({ place: replica.place, least: position.at });
      this.counts.replica++;
      return value;
    } catch (error) {
      if (!isOfServer(error)) throw error;
      // A replica that cancelled the read because it had to remove rows that it was reading is as good as before for
      // the next one.
      if ((error as { code?: string }).code !== CONFLICT) replica.rest();
      this.counts[error instanceof Behind ? 'behind' : 'failed']++;
      return read(primary);
    }
  }

  get states(): ReplicaState[] {
    const now = performance.now();
    return this.#all.map((replica) => {
      const { name, lagMs, trouble } = replica;
      const lost = now - this.#soundAt.get(replica)! > this.#tellMs;
      const late = lagMs !== null && lagMs > this.#tellMs ? `it is ${Math.round(lagMs / 1000)} s behind` : null;
      return { name, lagMs, trouble: late ?? (lost ? trouble : null) };
    });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#primary.close();
    await Promise.all(this.#all.map((replica) => replica.close()));
  }

  async #find(): Promise<{ replica: Replica; position: Position } | null> {
    const deadline = performance.now() + this.#waitMs;
    const usable = this.#all.filter((replica) => replica.usable(performance.now()));
    const position = usable.length === 0 ? null : await inTime(this.#primary.now(), deadline);
    if (position === null) {
      this.counts.away++;
      return null;
    }
    const there = usable.filter((replica) => replica.has(position));
    const replica = there.length > 0 ? this.#leastBusy(there) : await firstToReach(usable, position, deadline);
    if (replica !== null) return { replica, position };
    this.counts.behind++;
    return null;
  }

  #leastBusy(of: readonly Replica[]): Replica {
    const first = this.#turn++ % of.length;
    return [...of.slice(first), ...of.slice(0, first)].reduce((least, one) => (busy(one) < busy(least) ? one : least));
  }

  async #watch(replica: Replica): Promise<void> {
    const { signal } = this.#closing;
    this.#soundAt.set(replica, performance.now());
    while (!signal.aborted) {
      await this.#look(replica);
      await after(LOOK_MS, undefined, { ref: false, signal }).catch(() => {});
    }
  }

  async #look(replica: Replica): Promise<void> {
    const primary = await this.#primary.now().catch(() => null);
    if (primary) this.#lag.note(primary.timeline, primary.at, performance.now());
    await replica.look(primary, this.#lag);
    this.#lag.forget(Math.min(...this.#all.map(({ at }) => at)));
    if (replica.trouble === null) this.#soundAt.set(replica, performance.now());
  }
}

const busy = ({ place: { load } }: Replica): number => load.total - load.idle + load.waiting;

async function firstToReach(of: readonly Replica[], position: Position, deadline: number): Promise<Replica | null> {
  const reached = of.map(async (replica) => {
    if (await replica.reach(position, deadline)) return replica;
    throw new Error('the replica did not respond in time');
  });
  return Promise.any(reached).catch(() => null);
}

/**
 * Returns true if the primary can serve a read that this server failed: the connection was lost, the server is behind,
 * or it refused the commands.
 */
const isOfServer = (error: unknown): boolean =>
  error instanceof Behind ||
  isConnectionLoss(error) ||
  (error instanceof pg.DatabaseError && error.code !== STATEMENT_TIMEOUT);
