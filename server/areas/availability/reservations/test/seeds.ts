import { dayIn } from './world.ts';
import { row } from '../../../../test/schedule-world.ts';
import { seed, type Seeds } from '../../../../test/seeds.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { World } from '../../../../test/world.ts';

/** A reservation of free times in one room. */
async function inRoom(world: World, providerId: number, of: { customer: number; type: number }): Promise<void> {
  const room = await seed(world, 'venue_room', providerId);
  const venue = await world.work(providerId, ({ tx }) =>
    tx.one<{ id: number }>(
      sql`SELECT venue_id AS id FROM venue_room WHERE provider_id = ${providerId} AND id = ${room}`,
    ),
  );
  const reservation = {
    customer_id: of.customer,
    by_customer: false,
    follows_series: false,
    by_slot: true,
    offering_type_id: of.type,
    venue_id: venue!.id,
    venue_room_id: room,
    weekday: 3,
    local_time: '19:00',
    start_date: dayIn(world, 0),
    end_date: dayIn(world, 7),
    times: 1,
    on_conflict: 'skip',
  };
  await row(world, 'recurring_reservation', reservation, providerId);
}

export const SEEDS: Seeds = {
  recurring_reservation: async (world, providerId) => {
    const event = await seed(world, 'event', providerId);
    const [customer, owned] = [
      await seed(world, 'customer', providerId),
      await seed(world, 'customermembership', providerId),
    ];
    const of = await world.work(
      providerId,
      async ({ tx }) =>
        (await tx.one<{ type: number; venue: number; series: number; instructor: number }>(
          sql`SELECT offering_type_id AS type, venue_id AS venue, series_id AS series,
                (SELECT instructor_id FROM event_instructor i
                  WHERE i.provider_id = e.provider_id AND i.event_id = e.id) AS instructor
              FROM event e WHERE provider_id = ${providerId} AND id = ${event}`,
        ))!,
    );
    await inRoom(world, providerId, { customer, type: of.type });
    const id = await row(
      world,
      'recurring_reservation',
      {
        customer_id: customer,
        by_customer: true,
        follows_series: true,
        offering_type_id: of.type,
        venue_id: of.venue,
        instructor_id: of.instructor,
        weekday: 2,
        local_time: '19:00',
        start_date: dayIn(world, 0),
        end_date: dayIn(world, 70),
        times: 10,
        skipped_dates: [dayIn(world, 14)],
        customer_membership_id: owned,
        on_conflict: 'waitlist',
      },
      providerId,
    );
    await world.work(providerId, ({ tx }) =>
      tx.run(
        sql`INSERT INTO recurring_reservation_series (provider_id, recurring_reservation_id, event_series_id)
          VALUES (${providerId}, ${id}, ${of.series})`,
      ),
    );
    await row(world, 'attendance', { event_id: event, customer_id: customer, status: 'not_registered' }, providerId);
    await row(
      world,
      'recurring_reservation_date',
      {
        recurring_reservation_id: id,
        local_date: dayIn(world, 2),
        event_id: event,
        outcome: 'waitlisted',
        reasons: JSON.stringify([{ code: 'event_full', staff: 'The event is full.', customer: 'This event is full.' }]),
      },
      providerId,
    );
    return id;
  },
  recurring_reservation_date: async (world, providerId) => {
    const reservation = await seed(world, 'recurring_reservation', providerId);
    return world.work(
      providerId,
      async ({ tx }) =>
        (await tx.one<{ id: number }>(
          sql`SELECT id FROM recurring_reservation_date
            WHERE provider_id = ${providerId} AND recurring_reservation_id = ${reservation}`,
        ))!.id,
    );
  },
};
