/**
 * Histories while connections to the database break: a repetition with the same key returns what became of a request.
 */
import assert from 'node:assert/strict';
import { everything, inTurn } from '../rare.ts';
import { FAULTS, FaultyServers } from './faults.ts';
import { planOf, runPlan } from './history.ts';
import { Stage } from './scenes.ts';
import { startWorld } from '../world.ts';

const HISTORIES = everything ? 30 : 3;

for (const [n, fault] of FAULTS.entries())
  // Guards against: Doing something twice by repeating it
  inTurn(n, FAULTS.length)(
    `while ${fault} are lost, callers who repeat their requests see everything done exactly once`,
    async () => {
      const world = await startWorld({ own: true });
      try {
        const faulty = await FaultyServers.of(world, fault, 1);
        const stage = await Stage.of(world, faulty.servers);
        for (let seed = 1; seed <= HISTORIES; seed++) {
          const result = await runPlan(stage, planOf(seed));
          assert.equal(
            result.is,
            'right',
            `npm run prove -- --histories 1 --seed ${seed} --faults ${fault}\n${'why' in result ? result.why : ''}`,
          );
        }
        assert.ok(faulty.counts.broken > HISTORIES, `${faulty.counts.broken} connections broke`);
        assert.ok(faulty.counts.repeated >= faulty.counts.broken);
      } finally {
        await world.close();
      }
    },
  );
