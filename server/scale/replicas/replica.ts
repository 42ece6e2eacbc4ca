/**
 * A replica: how far it has replayed the primary's log, and whether it is worth waiting for. Its last known position
 * stays valid, so often no query is needed.
 */
import { setTimeout as after } from 'node:timers/promises';
import { inTime } from '../../kernel/base/db/connections/in-time.ts';
import { Place } from '../../kernel/base/db/sharing/place.ts';
import { replayedBy, type Position, type Replayed } from './position.ts';
import { sharesSessions } from '../../kernel/base/db/connections/pooler.ts';
import { SHARED, findUnmetRequirements, type Unfit } from './replica-requirements.ts';
import type { Inquiry } from '../../kernel/base/db/connections/inquiry.ts';
import type { Lag } from './lag.ts';
import type { PoolOptions } from '../../kernel/base/db/connections/connect.ts';
import type { Patience } from '../../kernel/base/db/connections/patience.ts';
import type { ReplicaAddress } from './addresses.ts';

/** A replica that is further behind than this is not waited for, in milliseconds. */
const NEAR_MS = 1000;
/** Pause after a wait that failed, in milliseconds; longer each time. */
const REST_MS = 500;
const LONGEST_REST_MS = 8000;
/** Interval between checks of whether it has reached the position, in milliseconds. */
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

  /** Lag in milliseconds; null: unknown. */
  get lagMs(): number | null {
    return this.#lagMs;
  }

  /** Reason why nothing is read from it, for operators; null: nothing prevents it. */
  get trouble(): string | null {
    return this.#trouble;
  }

  /** Returns true if it is worth asking for something. */
  usable(now: number): boolean {
    return this.#lagMs !== null && this.#lagMs <= NEAR_MS && now >= this.#restsUntil;
  }

  /** Returns true if it is known to have everything up to the position. */
  has({ database, timeline, at }: Position): boolean {
    const known = this.#replayed;
    return known?.database === database && known.timeline === timeline && known.at !== null && known.at >= at;
  }

  /**
   * Waits until it has everything up to the position. Returns false if it is not there by the deadline, milliseconds on
   * this process's clock.
   */
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

  /** Pauses queries to it for a while. */
  rest(): void {
    const now = performance.now();
    // Several reads may have waited in vain at the same time: that counts once.
    if (now < this.#restsUntil) return;
    this.#restsUntil = now + this.#restMs;
    this.#restMs = Math.min(2 * this.#restMs, LONGEST_REST_MS);
  }

  /** Checks its position; `primary`: the primary's position just before, null: unknown. */
  async look(primary: Position | null, lag: Lag): Promise<void> {
    try {
      await this.#checkSessions();
      const replayed = await this.#ask();
      const unfit = findUnmetRequirements(replayed, primary);
      this.#trouble = unfit && troubleOf(unfit);
      // Without the primary's position, no read can be served, but that is no fault of this replica.
      this.#lagMs = unfit || primary === null ? null : lag.of(replayed.at!, performance.now());
    } catch (error) {
      this.#trouble = (error as Error).message || 'it does not answer';
      this.#lagMs = null;
      this.#replayed = null;
      // A frozen server would make everyone who waits for its response wait for long.
      if ((error as { code?: string }).code === 'ETIMEDOUT') this.place.pool.abandon();
    }
  }

  /** Replayed position, if it is known. */
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
