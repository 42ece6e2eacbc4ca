/** A scene of histories, and the stage that it is played on: how it begins, and how a step becomes a request. */
import assert from 'node:assert/strict';
import { backgroundWork } from '../../kernel/work/unit/background-work.ts';
import { MembershipWorld } from '../worlds/membership-world.ts';
import { newPlace, row, type Place } from '../schedule-world.ts';
import { ownContext } from '../own-context.ts';
import type { ApiAnswer, World } from '../world.ts';
import type { chance } from '../storm.ts';
import type { Classes } from './model/classes.ts';
import type { Model } from './model/model.ts';
import type { Work } from '../../kernel/work/unit/work.ts';

export type Dice = ReturnType<typeof chance>;

/** A scene with its first state and the steps of each caller. */
export interface Plan<State = any, Step = any> {
  readonly scene: string;
  readonly start: State;
  readonly callers: readonly (readonly Step[])[];
  /**
   * Steps that time makes: the callers do one step each at the same time, then one of these is done alone, and so on.
   * Absent: time stands still, and callers don't wait for each other.
   */
  readonly between?: readonly Step[];
}

/**
 * Does a step and returns the answer in the words of the model; null: it does not apply, and nothing was done. `ended`:
 * returns what is wrong once nothing is in progress any more. `start`: the first state, if it is only known now.
 */
export type Act<Step, State = any> = ((step: Step, caller: number) => Promise<string | null>) & {
  readonly start?: State;
  readonly ended?: () => Promise<readonly string[]>;
};

export interface Scene<State = any, Step = any> {
  readonly name: string;
  /** null: only the end is judged */
  readonly model: Model<State, Step> | null;
  start(dice: Dice): State;
  step(dice: Dice, start: State): Step;
  /** Returns a step that time makes while no caller asks. */
  between?(dice: Dice): Step;
  /** Creates everything that the first state has. */
  prepare(stage: Stage, start: State): Promise<Act<Step>>;
}

/** how long a reserved place can be claimed */
export const CLAIM_MS = 600 * 60_000;

/** A world with what all histories share. Callers ask its servers in turn. */
export class Stage {
  readonly world: World;
  readonly servers: readonly (Pick<World, 'ask'> & Partial<Pick<World, 'app'>>)[];
  /** Waits until nothing is in progress any more. */
  readonly settled: () => Promise<void>;
  /** an offering that costs nothing */
  readonly free: Place;
  readonly m: MembershipWorld;
  readonly terminal: number;
  readonly #packs = new Map<number, number>();
  #plan: ReturnType<MembershipWorld['recurring']> | undefined;
  #card: Promise<number> | undefined;
  #policy = '';

  private constructor(parts: Pick<Stage, 'world' | 'servers' | 'settled' | 'free' | 'm' | 'terminal'>) {
    this.world = parts.world;
    this.settled = parts.settled;
    this.servers = parts.servers;
    this.free = parts.free;
    this.m = parts.m;
    this.terminal = parts.terminal;
  }

  static async of(
    world: World,
    servers: Stage['servers'] = [world],
    settled: Stage['settled'] = async () => {},
  ): Promise<Stage> {
    const [free, m] = [await newPlace(world), await MembershipWorld.of(world)];
    const terminal = await row(world, 'payment_processor', { kind: 'offline', name: 'Terminal' });
    return new Stage({ world, servers, settled, free, m, terminal });
  }

  /** Sends a request of a caller, as the machine of the business. */
  ask(caller: number, method: string, path: string, body?: object): Promise<ApiAnswer> {
    const server = this.servers[caller % this.servers.length];
    return server.ask(method, path, { as: this.world.machine, body });
  }

  /** Runs work of the business at a server, as a job would. */
  background(caller: number, job: (work: Work) => Promise<unknown>): Promise<unknown> {
    const { world } = this;
    const app = this.servers[caller].app!;
    return backgroundWork(ownContext({ app, now: world.now }), world.harbour, 'test', job);
  }

  /** Sends a request that must succeed. */
  async made(method: string, path: string, body: object): Promise<any> {
    const answer = await this.ask(0, method, path, body);
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
    return answer.body;
  }

  /** Returns a membership with this number of uses. */
  async pack(uses: number): Promise<number> {
    const known = this.#packs.get(uses) ?? (await this.m.pack(uses));
    this.#packs.set(uses, known);
    return known;
  }

  /** Returns a membership that costs this much each month. */
  plan(price: number): ReturnType<MembershipWorld['recurring']> {
    return (this.#plan ??= this.m.recurring([], { price: decimal(price) }));
  }

  /** Returns the processor of cards, whose bank is played by the sandbox. */
  card(): Promise<number> {
    return (this.#card ??= this.made('POST', '/payment_processors', { kind: 'sandbox', name: 'Card' }).then(
      ({ id }) => id,
    ));
  }

  async setPolicy(policy: Classes['policy']): Promise<void> {
    if (this.#policy === policy) return;
    const action = policy === 'promote' ? 'auto_promote' : 'reserve';
    const waitlist_policy = [
      { until_minutes_before: null, action, ...(policy === 'reserve' && { claim_minutes: CLAIM_MS / 60_000 }) },
    ];
    await this.made('PATCH', `/providers/${this.world.harbour}`, { waitlist_settings: { waitlist_policy } });
    this.#policy = policy;
  }
}

/** Returns an amount of the interface as cents. */
export const cents = (amount: { string: string } | undefined): number => Math.round(Number(amount?.string) * 100);

/** Returns cents as an amount of the interface. */
export const decimal = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;

/** Returns the answer in the words of the model. A refusal that it doesn't know keeps its code, and is never right. */
export function inWords({ status, body }: ApiAnswer, done: string, refusals: Readonly<Record<string, string>>): string {
  if (status < 300) return done;
  const wrong = Object.keys(body?.field_errors ?? {}).map((name) => refusals[name]);
  return wrong[0] ?? refusals[body?.code] ?? `${status} ${body?.code}: ${body?.message}`;
}
