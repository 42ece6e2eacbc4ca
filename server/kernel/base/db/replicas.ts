/**
 * Reads on replicas. A read goes to one that has everything that the primary had when the read was asked for, and else to the
 * primary: so it is as new as one at the primary, for every caller and through every process, and nobody has to say what
 * they have seen before. See docs/adr/0021-reads-on-replicas.md.
 */
import { setTimeout as after } from 'node:timers/promises';
import pg from 'pg';
import { Behind } from './spot.ts';
import { inTime } from './in-time.ts';
import { isConnectionLoss } from './loss.ts';
import { Lag } from './lag.ts';
import { PrimaryPosition, type Position } from './position.ts';
import { Replica, type ReplicaOptions } from './replica.ts';
import type { Spot } from './spot.ts';
import type { ReplicaAddress } from './hosts.ts';

/** A read waits so long for the primary's position and for a replica to get there, ms. */
const WAIT_MS = 100;
/** Between two looks at all of them. */
const LOOK_MS = 250;
const STATEMENT_TIMEOUT = '57014';
const CONFLICT = '40001';

export interface ReplicasOptions extends Omit<ReplicaOptions, 'address'> {
  readonly addresses: readonly ReplicaAddress[];
  /** the connection string of the primary */
  readonly primary: string;
  readonly waitMs?: number;
}

export interface ReplicaState {
  readonly name: string;
  /** null: it isn't known */
  readonly lagMs: number | null;
  /** what is wrong with it for some seconds already, for people */
  readonly trouble: string | null;
}

/** Where reads were answered that a replica may answer, and why the primary did. */
export interface ReadCounts {
  replica: number;
  /** no replica can be used now */
  away: number;
  /** none had got there in time */
  behind: number;
  /** one ended the read, which the primary then answered */
  failed: number;
}

export class Replicas {
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
    // Each by itself: one that does not answer delays no other.
    for (const replica of this.#all) void this.#watch(replica);
  }

  /** Runs `read` at a replica, or else at the primary; there also when a replica fails with it. */
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
      // One that had to remove what the read still looked at is as good as before for the next.
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
    throw new Error('not in time');
  });
  return Promise.any(reached).catch(() => null);
}

/** Whether the primary may answer what this server did not: it was lost, is behind, or refused what it was sent. */
const isOfServer = (error: unknown): boolean =>
  error instanceof Behind ||
  isConnectionLoss(error) ||
  (error instanceof pg.DatabaseError && error.code !== STATEMENT_TIMEOUT);
