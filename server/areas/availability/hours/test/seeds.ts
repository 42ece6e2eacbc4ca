import { block, newSchedule } from '../../../../test/worlds/hours-world.ts';
import { name, seed, type Seeds } from '../../../../test/seeds.ts';
import { newOffering, row } from '../../../../test/schedule-world.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { World } from '../../../../test/world.ts';

/**
 * A schedule of an instructor at a venue, for an offering type that uses a room there; with an override and a blocked
 * time.
 */
async function schedule(world: World, providerId: number): Promise<{ schedule: number; link: number }> {
  const instructor = await seed(world, 'instructor', providerId);
  const venue = await seed(world, 'venue', providerId);
  const room = await row(world, 'venue_room', { venue_id: venue, name: name('Hall') }, providerId);
  const type = await newOffering(world, { name: name('Massage'), schedule_type: 'appointment' }, providerId);
  const membership = await seed(world, 'membership', providerId);
  await world.work(providerId, ({ tx }) =>
    tx.run(sql`INSERT INTO membership_registration_grant (provider_id, membership_id, offering_type_id, on_allotment_price_minor)
      VALUES (${providerId}, ${membership}, ${type}, 0)`),
  );
  const id = await newSchedule(
    world,
    {
      instructor,
      venue,
      daily: '09:00-12:00,13:00-17:00',
      offeringTypes: { [type]: [room] },
      overrides: { '2030-01-01': '', '2030-01-02': '22:00-02:00' },
    },
    providerId,
  );
  await block(world, { instructor }, '2030-01-03', '09:00-10:00', 'IU', providerId);
  await block(world, { venue }, '2030-01-03', '00:00-00:00', null, providerId);
  const link = await world.work(providerId, ({ tx }) =>
    tx.one<{ id: number }>(
      sql`SELECT id FROM availability_schedule_offering_type WHERE provider_id = ${providerId} AND availability_schedule_id = ${id}`,
    ),
  );
  return { schedule: id, link: link!.id };
}

export const SEEDS: Seeds = {
  availability_schedule: async (world, providerId) => (await schedule(world, providerId)).schedule,
  availability_schedule_offering_type: async (world, providerId) => (await schedule(world, providerId)).link,
};
