/**
 * One server that reads are asked of: how far it has replayed what the primary wrote, and whether it is worth waiting for.
 * What it was last heard to have replayed it keeps, so often nobody has to ask it.
 */
import { setTimeout as after } from 'node:timers/promises';
import { inTime } from './in-time.ts';
import { Place } from './place.ts';
import { replayedBy, type Position, type Replayed } from './position.ts';
import { sharesSessions } from './pooler.ts';
import { SHARED, unfitOf, type Unfit } from './replica-requirements.ts';
import type { Inquiry } from './inquiry.ts';
import type { Lag } from './lag.ts';
import type { PoolOptions } from './connect.ts';
import type { Patience } from './patience.ts';
import type { ReplicaAddress } from './hosts.ts';

/** One that is further behind is not waited for, ms. */
const NEAR_MS = 1000;
/** After it was waited for in vain, it is left alone for a while, and for longer each time, ms. */
const REST_MS = 500;
const LONGEST_REST_MS = 8000;
/** Between two questions whether it has got there, ms. */
const PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 16;

export interface ReplicaOptions extends Omit<PoolOptions, 'url'> {
  readonly address: ReplicaAddress;
  readonly patience: Patience;
}

const troubleOf = ({ is, remedy }: Unfit): string => `it ${is}. ${remedy}`;

export class Replica {
  readonly name: string;
  readonly place: Place;
  readonly #url: string;
  readonly #inquiry: Inquiry<Replayed>;
  #replayed: Replayed | null = null;
  #trouble: string | null = null;
  #lagMs: number | null = null;
  #checked = false;
  #restsUntil = 0;
  #restMs = REST_MS;

  constructor({ address, ...pool }: ReplicaOptions) {
    this.name = address.name;
    this.#url = address.url;
    this.place = new Place({ ...pool, url: address.url });
    this.#inquiry = replayedBy(address.url, pool.patience);
  }

  /** How far it is behind, ms; null: it isn't known. */
  get lagMs(): number | null {
    return this.#lagMs;
  }

  /** Why nothing is read from it, for operators; null: nothing prevents it. */
  get trouble(): string | null {
    return this.#trouble;
  }

  /** Whether it is worth asking it for something. */
  usable(now: number): boolean {
    return this.#lagMs !== null && this.#lagMs <= NEAR_MS && now >= this.#restsUntil;
  }

  /** It is known to have everything up to there. */
  has({ database, timeline, at }: Position): boolean {
    const known = this.#replayed;
    return known?.database === database && known.timeline === timeline && known.at !== null && known.at >= at;
  }

  /** Waits until it has everything up to there. False: not before the deadline, ms of the clock of this process. */
  async reach(position: Position, deadline: number): Promise<boolean> {
    for (let pause = PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      const replayed = await inTime(this.#ask(), deadline);
      if (replayed !== null && this.has(position)) {
        this.#restMs = REST_MS;
        return true;
      }
      if (replayed?.timeline !== position.timeline || deadline - performance.now() <= pause) break;
      await after(pause);
    }
    this.rest();
    return false;
  }

  /** Nothing is asked of it for a while. */
  rest(): void {
    const now = performance.now();
    // Several reads may have waited in vain at the same time: that counts once.
    if (now < this.#restsUntil) return;
    this.#restsUntil = now + this.#restMs;
    this.#restMs = Math.min(2 * this.#restMs, LONGEST_REST_MS);
  }

  /** Looks where it is; `primary`: where that was just before, null: it can't be said. */
  async look(primary: Position | null, lag: Lag): Promise<void> {
    try {
      await this.#checkSessions();
      const replayed = await this.#ask();
      const unfit = unfitOf(replayed, primary);
      this.#trouble = unfit && troubleOf(unfit);
      // Where the primary isn't known, nobody can be served, and nothing is wrong with this one.
      this.#lagMs = unfit || primary === null ? null : lag.of(replayed.at!, performance.now());
    } catch (error) {
      this.#trouble = (error as Error).message || 'it does not answer';
      this.#lagMs = null;
      this.#replayed = null;
      // A server that is frozen would keep those who wait for its answer waiting for long.
      if ((error as { code?: string }).code === 'ETIMEDOUT') this.place.pool.abandon();
    }
  }

  /** What it has replayed, where that is known. */
  get at(): number {
    return this.#replayed?.at ?? 0;
  }

  async close(): Promise<void> {
    this.#inquiry.close();
    await this.place.close();
  }

  async #ask(): Promise<Replayed> {
    return (this.#replayed = await this.#inquiry.fresh());
  }

  async #checkSessions(): Promise<void> {
    if (this.#checked) return;
    if (await sharesSessions(this.#url)) throw new Error(troubleOf(SHARED));
    this.#checked = true;
  }
}
