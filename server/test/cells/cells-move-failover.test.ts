/**
 * A business moves to a cell whose primary is killed during the move: the standby that takes over has the copied rows.
 */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { beside, until } from '../storm.ts';
import { moveBusiness } from '../../scale/cells/move/move.ts';
import { dropSlots, MovingWorld, statesOf } from '../worlds/moving-world.ts';
import { Pair } from '../processes/pair.ts';
import { everything, rare } from '../rare.ts';
import { whyUnreachable } from '../../commands/failures.ts';
import type { Step } from '../../scale/cells/move/context.ts';

/** primary and standby of the second and the third cell */
const pairs: Pair[] = [];
let moving: MovingWorld;
before(async () => {
  if (!everything) return;
  for (let n = 0; n < 2; n++) pairs.push(await Pair.start());
  moving = await MovingWorld.start({
    count: 3,
    database: (cell) => (cell === 1 ? undefined : { url: pairs[cell - 2].url, drop: () => pairs[cell - 2].remove() }),
  });
});
after(async () => {
  // Work started in `before` may have failed.
  if (!moving) return void (await Promise.all(pairs.map((pair) => pair.remove())));
  const eye = await beside(moving.home.databaseUrl);
  await dropSlots(eye);
  await eye.end();
  await moving.close();
});

/** Errors that the command turns into one message with a remedy. */
const isLost = (error: Error) => whyUnreachable(error) !== null;

/** Returns a hook that kills the primary of a cell when the move reaches a step. */
const losing = (cell: number, at: Step) => async (done: Step) => {
  if (done === at) await pairs[cell - 2].primary.end('SIGKILL');
};

const look = () => moving.home.get(`/events/${moving.events[0]}`, { as: moving.home.machine });

rare(
  'the other cell loses its primary while rows are copied: customers keep booking, and the move continues on the standby',
  async (t) => {
    const [pair] = pairs;
    const people = moving.bookings();
    await people.some(20);
    await assert.rejects(moveBusiness({ ...moving.around(1, 2), after: losing(2, 'copied') }), isLost);
    await people.some(20);
    const { code, err } = await moving.move(1, 2);
    assert.equal(code, 1, 'there is nobody to copy to');
    assert.match(err, /A database cannot be reached: .+ Remedy: check DATABASE_URL and MOVE_TO_DATABASE_URL, and run/);
    await people.some(5);
    await pair.promote();
    const again = await moving.move(1, 2);
    assert.deepEqual([again.code, again.err], [0, ''], again.out);
    await people.some(20);
    await people.stop();
    t.diagnostic(/It was closed for \d+ ms/.exec(again.out)![0]);
    const eye = await beside(pair.standbyUrl);
    await moving.checkWhole(eye);
    assert.deepEqual(await statesOf(eye), []);
    await eye.end();
  },
);

rare(
  'the other cell loses its primary between the two commits: the business is closed, and reopens on the standby',
  async (t) => {
    const [, pair] = pairs;
    const people = moving.bookings();
    await people.some(20);
    await assert.rejects(moveBusiness({ ...moving.around(2, 3), after: losing(3, 'left') }), isLost);
    const closed = await until('it is closed', async () => {
      const answer = await look();
      return answer.status === 503 ? answer : null;
    });
    assert.ok(Number(closed.headers.get('retry-after')) > 0);
    await pair.promote();
    const again = await moving.move(2, 3);
    assert.deepEqual([again.code, again.err], [0, ''], again.out);
    const finished = performance.now();
    await people.some(20);
    await people.stop();
    t.diagnostic(
      `bookings went on ${Math.round(people.at.find((at) => at > finished)! - finished)} ms after the command`,
    );
    const eye = await beside(pair.standbyUrl);
    await moving.checkWhole(eye);
    assert.deepEqual(await statesOf(eye), []);
    await eye.end();
  },
);
