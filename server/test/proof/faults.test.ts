/**
 * Histories while connections to the database break, and processes are killed: a repetition with the same key returns
 * what became of a request.
 */
import assert from 'node:assert/strict';
import { everything, inTurn, rare } from '../rare.ts';
import { startFaulty, type Fault } from './faults.ts';
import { planOf, runPlan } from './history.ts';
import { Stage } from './scene.ts';

async function proved(fault: Fault, histories: number): Promise<void> {
  const faulty = await startFaulty(fault, 1);
  const { world, servers, counts } = faulty;
  try {
    const stage = await Stage.of(world, servers, () => faulty.settled());
    for (let seed = 1; seed <= histories; seed++) {
      const result = await runPlan(stage, planOf(seed));
      assert.equal(
        result.is,
        'right',
        `npm run prove -- --histories 1 --seed ${seed} --faults ${fault}\n${'why' in result ? result.why : ''}`,
      );
    }
    const { repeated, ...faults } = counts;
    for (const [what, n] of Object.entries(faults)) assert.ok(n > 0, what);
    assert.ok(repeated > histories, `${repeated} requests were repeated`);
  } finally {
    await world.close();
  }
}

const CONNECTIONS = ['commits', 'connections'] as const;
for (const [n, fault] of CONNECTIONS.entries())
  // Guards against: Doing something twice by repeating it
  inTurn(n, CONNECTIONS.length)(
    `while ${fault} are lost, callers who repeat their requests see everything done exactly once`,
    () => proved(fault, everything ? 30 : 3),
  );

// Guards against: Doing something twice by repeating it
rare('while servers and the worker are killed and stopped, callers see everything done exactly once', () =>
  proved('processes', 5),
);
