import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { StatementCount } from '../../../test/statement-count.ts';
import { newCustomers } from '../../../test/schedule-world.ts';
import { newPractice } from '../../../test/worlds/slot-world.ts';
import { startWorld, type World } from '../../../test/world.ts';

const count = new StatementCount();
let world: World;
before(async () => {
  world = await startWorld();
});
after(async () => {
  count.stop();
  await world.close();
});

test('each further date costs only its event and its booking: free times are read together for all', async () => {
  const [customer] = await newCustomers(world, 1);
  const { offering, venue, date } = await newPractice(world);
  const costs = (times: number) =>
    count.fewest(async () => {
      const answer = await world.post('/recurring_reservations/preview', {
        as: world.machine,
        body: { customer, offering_type: offering, venue, local_time: '10:00', start_date: date, times },
      });
      assert.equal(answer.body.dates.length, times, answer.text);
    }, 3);
  const [few, many] = [await costs(2), await costs(52)];
  const each = (many - few) / 50;
  assert.ok(each <= 20, `each further date costs ${each} statements`);
});
