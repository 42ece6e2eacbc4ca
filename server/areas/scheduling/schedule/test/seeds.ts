import { createEvent } from '../index.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { iso, newVenue, row } from '../../../../test/schedule-world.ts';
import { name, seed, type Seeds } from '../../../../test/seeds.ts';

const DAY = 86_400_000;

export const SEEDS: Seeds = {
  event_series: async (world, providerId) =>
    row(
      world,
      'event_series',
      {
        rrule: 'FREQ=WEEKLY;BYDAY=MO',
        timezone: 'America/Toronto',
        first_local_starts_at: '2030-01-07T18:00:00',
        duration_minutes: 60,
        template: { venue: await seed(world, 'venue', providerId) },
        exceptions: ['2030-01-14'],
      },
      providerId,
    ),
  event: async (world, providerId) => {
    const room = await seed(world, 'venue_room', providerId);
    const series = await seed(world, 'event_series', providerId);
    const online = await newVenue(world, { venue_type: 'online' }, providerId);
    const [offering_type, category] = [
      await seed(world, 'offering_type', providerId),
      await seed(world, 'offering_type_category', providerId),
    ];
    const [instructor, timeline] = [
      await seed(world, 'instructor', providerId),
      await seed(world, 'registration_timeline', providerId),
    ];
    return world.work(providerId, async (work) => {
      const { venue_id: venue } = (await work.tx.one(
        sql`SELECT venue_id FROM venue_room WHERE provider_id = ${providerId} AND id = ${room}`,
      ))!;
      const event = await createEvent(work, {
        name: name('Sculling'),
        venue,
        venue_room: room,
        offering_type,
        category,
        instructors: [instructor],
        registration_timelines: [timeline],
        starts_at: iso(world.now + 2 * DAY),
        ends_at: iso(world.now + 2 * DAY + 3_600_000),
        max_occupancy: 4,
        online_venue: online,
        online_max_occupancy: 2,
      });
      await work.tx.run(
        sql`UPDATE event SET series_id = ${series}, series_local_starts_at = local_starts_at
          WHERE provider_id = ${providerId} AND id = ${event}`,
      );
      return event;
    });
  },
  attendance: async (world, providerId) => {
    const [event, customer] = [await seed(world, 'event', providerId), await seed(world, 'customer', providerId)];
    const attendance = await row(
      world,
      'attendance',
      { event_id: event, customer_id: customer, status: 'registered', registered_at: iso(world.now) },
      providerId,
    );
    await row(
      world,
      'waitlist_spot',
      { event_id: event, customer_id: customer, status: 'expired', ended_at: iso(world.now), end_reason: 'expired' },
      providerId,
    );
    const use = {
      customer_membership_id: await seed(world, 'customermembership', providerId),
      attendance_id: attendance,
      customer_id: customer,
      event_starts_on: iso(world.now).slice(0, 10),
    };
    await row(
      world,
      'entitlement_entry',
      { ...use, amount: -1, reason: 'registered', open: true, at: iso(world.now) },
      providerId,
    );
    return attendance;
  },
  waitlist_spot: async (world, providerId) => {
    const who = {
      event_id: await seed(world, 'event', providerId),
      customer_id: await seed(world, 'customer', providerId),
    };
    await row(world, 'attendance', { ...who, status: 'not_registered' }, providerId);
    return row(world, 'waitlist_spot', who, providerId);
  },
  checkin: async (world, providerId) => {
    const customer = await seed(world, 'customer', providerId);
    const event = await seed(world, 'event', providerId);
    const came = { event_id: event, customer_id: customer, status: 'attended', attended_at: iso(world.now) };
    await row(world, 'attendance', came, providerId);
    return row(
      world,
      'checkin',
      {
        customer_membership_id: await seed(world, 'customermembership', providerId),
        customer_id: customer,
        venue_id: await seed(world, 'venue', providerId),
        checkin_date: iso(world.now).slice(0, 10),
      },
      providerId,
    );
  },
};
