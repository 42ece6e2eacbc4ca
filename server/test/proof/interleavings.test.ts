/** The most dangerous pairs of requests, in chosen orders of their exchanges with the database. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { brokenIn } from './history.ts';
import { chance } from '../storm.ts';
import { everyOrder, Interleaver, type Order } from './interleaver.ts';
import { PAIRS, type Pair } from './pairs.ts';
import { everything, inTurns } from '../rare.ts';
import { Stage } from './scenes.ts';
import { startWorld, type World } from '../world.ts';

/** More orders of a pair are sampled. */
const MAX_ORDERS = 20;
const SAMPLES = 2;

let world: World;
let interleaver: Interleaver;
let stage: Stage;
before(async () => {
  world = await startWorld({ own: true });
  interleaver = await Interleaver.of(world);
  stage = await Stage.of(world, interleaver.servers);
});
after(() => world.close());

async function meet(pair: Pair, choose: (n: number) => 0 | 1): Promise<Order> {
  const { acts, check } = await pair.prepare(stage);
  const order = await interleaver.run(acts, choose);
  try {
    await check();
    assert.deepEqual(await brokenIn(world), []);
  } catch (error) {
    throw new Error(`in the order ${order.join('')}: ${(error as Error).message}`, { cause: error });
  }
  return order;
}

for (const pair of inTurns(PAIRS, 2))
  test(`${pair.name}: in every tried order, both end well and nothing is wrong`, async () => {
    const found = everything ? await everyOrder(MAX_ORDERS, (choose) => meet(pair, choose)) : { runs: 0, all: false };
    if (found.all) return;
    for (let seed = 1; seed <= SAMPLES; seed++) {
      const dice = chance(seed * 7919);
      await meet(pair, () => (dice.below(2) === 0 ? 0 : 1));
    }
  });
