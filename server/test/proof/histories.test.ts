/** Random histories of concurrent callers at two servers, judged by the models of docs/model and by the invariants. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { planOf, refreshStatistics, runPlan, TIMED_SCENES } from './history.ts';
import { rare } from '../rare.ts';
import { SCENES } from './scenes.ts';
import { Stage, type Scene } from './scene.ts';
import { startBeside, startWorld, type World } from '../world.ts';

let world: World;
let stage: Stage;
before(async () => {
  world = await startWorld();
  stage = await Stage.of(world, [world, await startBeside(world)]);
});
after(() => world.close());

async function proved(from: number, to: number, scenes: readonly Scene[] = SCENES): Promise<void> {
  const undecided: number[] = [];
  for (let seed = from; seed <= to; seed++) {
    if (seed % 25 === 10) await refreshStatistics(world);
    const result = await runPlan(stage, planOf(seed, scenes));
    assert.notEqual(
      result.is,
      'wrong',
      `npm run prove -- --histories 1 --seed ${seed}${scenes === SCENES ? '' : ' --time'}\n${'why' in result && result.why}`,
    );
    if (result.is === 'undecided') undecided.push(seed);
  }
  assert.deepEqual(undecided, [], 'undecided');
}

// Guards against: Overselling by booking at the same moment
test('50 histories of concurrent callers have an order that explains every answer, and break no invariant', () =>
  proved(1, 50));

rare('300 further histories have an order that explains every answer, and break no invariant', () => proved(51, 350));

// Guards against: Charging somebody twice, or keeping money for nothing
test('10 histories in which days pass have an order that explains every answer, and break no invariant', () =>
  proved(1, 10, TIMED_SCENES));

rare('50 further histories in which days pass have an order that explains every answer', () =>
  proved(11, 60, TIMED_SCENES),
);
