/**
 * The engine that sends webhooks, in the worker. It leases destinations that have something to send, each to one engine
 * at a time, and releases those that don't. No request is made while a transaction is open.
 */
import { Lane, type LaneOptions } from './lane.ts';
import { LEASE_SECONDS, release, renew, takeOn, type Key } from './due.ts';
import { Loops } from '../../../../kernel/work/worker/loops.ts';
import { randomUUID } from 'node:crypto';
import { Recorder } from './recorder.ts';
import { Permits } from './permits.ts';
import type { Engine, EngineContext, RunningEngine } from '../../../../kernel/work/unit/engine.ts';

/** Maximum number of destinations at a time; slow and failing ones use no more than half. */
const LANES = 256;
const QUICK_SLOTS = 128;
const SLOW_SLOTS = 64;
const BUSY_MS = 50;
const QUIET_MS = 200;
const RENEW_MS = 2000;
const IDLE_MS = 2000;
const LOADS_AT_ONCE = 2;
/** Shorter than the lease that the database grants, because its response took a while. */
const HELD_MS = (LEASE_SECONDS - 2) * 1000;

const nameOf = ({ provider, destination }: Key): string => `${provider}:${destination}`;

class WebhookEngine implements RunningEngine {
  readonly #context: EngineContext;
  readonly #me = randomUUID();
  readonly #lanes = new Map<string, Lane>();
  readonly #recorder: Recorder;
  readonly #options: LaneOptions;
  readonly #loops: Loops;
  #renewedAt = performance.now();

  constructor(context: EngineContext) {
    this.#context = context;
    this.#recorder = new Recorder(context);
    this.#options = {
      context,
      recorder: this.#recorder,
      permits: new Permits(QUICK_SLOTS, SLOW_SLOTS),
      loading: atMost(LOADS_AT_ONCE),
    };
    this.#loops = new Loops(context.log);
    this.#loops.run(() => this.#run());
  }

  stop(): Promise<void> {
    return this.#loops.stop();
  }

  async #run(): Promise<void> {
    while (!this.#loops.stopped) {
      const found = await this.#turn().catch((err) => {
        if (!this.#loops.stopped) this.#context.log.warn({ err }, 'the engine of webhooks will try again');
        return false;
      });
      await this.#loops.pause(found ? BUSY_MS : QUIET_MS);
    }
    for (const lane of this.#lanes.values()) lane.close();
    // Requests end within their timeout; their results are recorded, unless the database is gone.
    while ([...this.#lanes.values()].some((lane) => !lane.done)) {
      const healthy = await this.#letGo().then(
        () => true,
        () => false,
      );
      if (!healthy) break;
      await new Promise((resolve) => setTimeout(resolve, BUSY_MS));
    }
    await this.#recorder.settled({ abandon: true });
    await this.#letGo().catch(() => {});
  }

  /** Returns whether there was something to do. */
  async #turn(): Promise<boolean> {
    const { db, now, installation } = this.#context;
    await this.#keep();
    await this.#letGo();
    const lanes = [...this.#lanes.values()];
    const troubled = lanes.filter((lane) => lane.troubled).length;
    const idle = lanes.filter((lane) => lane.idle);
    const free = LANES - lanes.length;
    const asked = performance.now();
    const found = await takeOn(db, {
      installation,
      me: this.#me,
      now: now(),
      // Half of the capacity is reserved for healthy destinations.
      well: Math.max(free, 0),
      troubled: Math.max(Math.min(free, LANES / 2 - troubled), 0),
      idle: idle.map((lane) => lane.key),
    });
    for (const { provider, destination, ...state } of found.taken) {
      const lane = new Lane({ provider, destination }, state, asked + HELD_MS, this.#options);
      this.#lanes.set(nameOf(lane.key), lane);
      lane.wake();
    }
    for (const key of found.idle) this.#lanes.get(nameOf(key))?.wake();
    return found.taken.length > 0 || lanes.length > idle.length;
  }

  /** Renews the leases; a destination that another engine took over is dropped. */
  async #keep(): Promise<void> {
    const asked = performance.now();
    if (asked - this.#renewedAt < RENEW_MS) return;
    const held = [...this.#lanes.values()];
    const still = new Set(
      (held.length === 0
        ? []
        : await renew(
            this.#context.db,
            this.#me,
            held.map((lane) => lane.key),
          )
      ).map(nameOf),
    );
    for (const lane of held) {
      if (still.has(nameOf(lane.key))) lane.hold(asked + HELD_MS);
      else lane.close();
    }
    this.#renewedAt = asked;
  }

  async #letGo(): Promise<void> {
    const lanes = [...this.#lanes.values()];
    const crowded = lanes.length >= LANES;
    for (const lane of lanes) if (lane.idleFor() > (crowded ? 0 : IDLE_MS)) lane.close();
    const done = lanes.filter((lane) => lane.done);
    if (done.length === 0) return;
    await release(
      this.#context.db,
      this.#me,
      done.map((lane) => ({ ...lane.key, ...lane.state })),
    );
    for (const lane of done) this.#lanes.delete(nameOf(lane.key));
  }
}

/** Limits how many run at a time; the others wait in their order. */
function atMost(n: number): LaneOptions['loading'] {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (act) => {
    if (running >= n) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await act();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

export const webhookEngine: Engine = {
  name: 'webhooks',
  start: async (context) => new WebhookEngine(context),
};
