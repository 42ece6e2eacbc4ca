/**
 * A payment processor whose answers are lost, late, or those of the second of two identical requests. It replaces the
 * calls of the sandbox in this process, whose own book stays right.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { chance } from '../storm.ts';
import { sandbox } from '../../areas/money/payments/sandbox/sandbox.ts';
import { startBeside, startWorld, type World } from '../world.ts';
import type { Faulty } from './faults.ts';

const CALLS = ['begin', 'look', 'cancel', 'refund', 'lookRefund'] as const;
/** A late answer arrives after at most this time, in milliseconds. */
const MAX_LATE_MS = 40;

export class FaultyProcessor implements Faulty {
  readonly world: World;
  readonly servers: readonly World[];
  readonly counts = {
    'requests that never arrived': 0,
    'answers that were lost': 0,
    'answers that were late': 0,
    'requests that arrived twice': 0,
    repeated: 0,
  };
  readonly #calls = Object.fromEntries(CALLS.map((name) => [name, sandbox[name]]));

  private constructor(world: World, servers: readonly World[], seed: number) {
    this.world = world;
    this.servers = servers;
    const dice = chance(seed);
    for (const name of CALLS) {
      const call = sandbox[name] as (...request: unknown[]) => Promise<unknown>;
      Object.assign(sandbox, { [name]: (...request: unknown[]) => this.#fail(dice, () => call(...request)) });
    }
  }

  static async of(seed: number): Promise<FaultyProcessor> {
    const world = await startWorld({ own: true });
    return world.closing(new FaultyProcessor(world, [world, await startBeside(world)], seed));
  }

  async #fail(dice: ReturnType<typeof chance>, call: () => Promise<unknown>): Promise<unknown> {
    const roll = dice.below(10);
    if (roll < 2) {
      this.counts['requests that never arrived']++;
      throw new Error('the processor did not answer');
    }
    if (roll < 4) {
      this.counts['answers that were lost']++;
      await call();
      throw new Error('the answer of the processor was lost');
    }
    if (roll < 6) {
      this.counts['answers that were late']++;
      const answer = await call();
      await pause(dice.below(MAX_LATE_MS));
      return answer;
    }
    if (roll < 8) {
      this.counts['requests that arrived twice']++;
      const [, second] = await Promise.all([call(), call()]);
      return second;
    }
    return call();
  }

  async settled(): Promise<void> {}

  async close(): Promise<void> {
    Object.assign(sandbox, this.#calls);
  }
}
