/** The most dangerous pairs of requests, in chosen orders of their exchanges with the database. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { brokenIn, refreshStatistics } from './history.ts';
import { chance } from '../storm.ts';
import { everySwitch, Interleaver, switching, type Order } from './interleaver.ts';
import { PAIRS, type Pair } from './pairs.ts';
import { everything, inTurns, turn } from '../rare.ts';
import { Stage } from './scene.ts';
import { startWorld, type World } from '../world.ts';

/** `npm test` tries one of the orders with one switch for each request, among its first exchanges. */
const SOON = 8;
/** `npm run test:all` tries as many, spread over all exchanges of a request. */
const MOST = 12;

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
    if (everything) await refreshStatistics(world);
    if (everything) await everySwitch((choose) => meet(pair, choose), MOST, turn);
    else for (const first of [0, 1] as const) await meet(pair, switching(first, 1 + chance(turn).below(SOON)));
    // Orders with many switches.
    const dice = chance(turn);
    await meet(pair, () => (dice.below(2) === 0 ? 0 : 1));
  });
