import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newOffering, newVenue, iso } from '../../../test/schedule-world.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

/** Plans an event at the venue and changes the venue at the same time; returns both responses. */
async function atOnce(venue: number, offering: number, change: object) {
  const body = {
    name: 'Rowing',
    venue,
    offering_type: offering,
    starts_at: iso(world.now + 86_400_000),
    ends_at: iso(world.now + 90_000_000),
  };
  const [planned, changed] = await Promise.all([
    world.post('/events?expand=timezone', { as: world.machine, body }),
    world.patch(`/venues/${venue}`, { as: world.machine, body: change }),
  ]);
  return { planned, changed };
}

test('an event planned while its venue is archived is refused, or keeps the venue open', async () => {
  const offering = await newOffering(world);
  for (let round = 0; round < 25; round++) {
    const { planned, changed } = await atOnce(await newVenue(world), offering, { archived: true });
    assert.deepEqual(
      [planned.status, changed.status].toSorted(),
      planned.status === 201 ? [201, 409] : [200, 400],
      `${planned.text} ${changed.text}`,
    );
  }
});

test('an event planned while its venue changes its zone is planned in the venue’s resulting zone', async () => {
  const offering = await newOffering(world);
  for (let round = 0; round < 25; round++) {
    const venue = await newVenue(world);
    const { planned } = await atOnce(venue, offering, { timezone: 'Asia/Tokyo' });
    assert.equal(planned.status, 201, planned.text);
    assert.equal(planned.body.timezone, (await world.get(`/venues/${venue}`)).body.timezone);
  }
});
