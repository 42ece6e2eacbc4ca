import { randomUUID } from 'node:crypto';
import { book, iso, newCustomers, newEvent, newPlace, newVenue } from '../../../../test/schedule-world.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { seed } from '../../../../test/seeds.ts';
import type { Call, Calls } from '../../../../test/matrix/calls.ts';
import type { World } from '../../../../test/world.ts';

const planned = (world: World) => ({ starts_at: iso(world.now + 9e7), ends_at: iso(world.now + 93_600_000) });

/** Creates an event with one place, which is taken by the caller or by somebody else. */
async function taken(world: World, byCaller: boolean): Promise<{ id: number; customer: number; attendance: number }> {
  const [customer, other] = await newCustomers(world, 2);
  const { id } = await newEvent(world, await newPlace(world), { max_occupancy: 1 });
  const { attendance } = (await book(world, id, byCaller ? customer : other)).body;
  return { id, customer, attendance };
}

async function waiting(world: World): Promise<Call> {
  const { id, customer } = await taken(world, false);
  await world.post(`/events/${id}/join_waitlist`, { as: world.machine, body: { customer } });
  return { id, customer, body: { customer } };
}

const booked = async (world: World): Promise<Call> => {
  const { id, customer } = await taken(world, true);
  return { id, customer, body: { customer } };
};

/** The offering type of an event with an external id, which cannot change. */
const offered = new WeakMap<World, Promise<number>>();

export const CALLS: Calls = {
  'POST /events/{id}/join_online': async (world) => {
    const customer = await world.newCustomer();
    const venue = await newVenue(world, { venue_type: 'online', video_url: 'https://meet.example.com/room' });
    const { id } = await newEvent(world, { ...(await newPlace(world)), venue });
    await book(world, id, customer);
    await world.work(world.harbour, ({ tx }) =>
      tx.run(sql`UPDATE event SET starts_at = ${iso(world.now)}, ends_at = ${iso(world.now + 3_600_000)}
        WHERE provider_id = ${world.harbour} AND id = ${id}`),
    );
    return { id, customer, body: { customer } };
  },
  'POST /events/{id}/generate_online_access_link': async (world) => {
    const customer = await world.newCustomer();
    const venue = await newVenue(world, { venue_type: 'online', video_url: 'https://meet.example.com/room' });
    const { id } = await newEvent(world, { ...(await newPlace(world)), venue });
    await book(world, id, customer);
    return { id, customer, body: { customer } };
  },
  'POST /events': async (world) => ({
    body: {
      name: 'Rowing',
      venue: await seed(world, 'venue'),
      offering_type: await seed(world, 'offering_type'),
      ...planned(world),
    },
  }),
  'PUT /events/{id}': async (world) => ({
    id: await seed(world, 'event'),
    body: { name: 'Eights', venue: await seed(world, 'venue'), ...planned(world) },
  }),
  'PUT /events/external_id:{external_id}': async (world) => {
    const offering = offered.get(world) ?? seed(world, 'offering_type');
    offered.set(world, offering);
    const [venue, offering_type] = [await seed(world, 'venue'), await offering];
    return { body: { name: randomUUID(), venue, offering_type, ...planned(world) } };
  },
  'POST /registration_eligibility/check': async (world) => {
    const [customer] = await newCustomers(world, 1);
    return { customer, body: { customer, event: (await newEvent(world, await newPlace(world))).id } };
  },
  'POST /events/bulk_cancel': async (world) => ({ body: { events: { ids: [await seed(world, 'event')] } } }),
  'POST /events/{id}/reopen': async (world) => {
    const { id } = await newEvent(world, await newPlace(world));
    await world.post(`/events/${id}/cancel`, { as: world.machine, body: {} });
    return { id, body: {} };
  },
  'POST /events/{id}/unregister': booked,
  'POST /attendances/{id}/move': async (world) => ({
    id: (await taken(world, true)).attendance,
    body: { event: (await newEvent(world, await newPlace(world))).id },
  }),
  'POST /attendances/{id}/switch_place': async (world) => {
    const online_venue = await newVenue(world, { venue_type: 'online' });
    const { id } = await newEvent(world, await newPlace(world), { online_venue, online_max_occupancy: 3 });
    const [customer] = await newCustomers(world, 1);
    return { id: (await book(world, id, customer)).body.attendance, customer, body: { place: 'online' } };
  },
  'POST /events/{id}/confirm_attendance': booked,
  'POST /events/{id}/join_waitlist': async (world) => {
    const { id, customer } = await taken(world, false);
    return { id, customer, body: { customer } };
  },
  'POST /events/{id}/leave_waitlist': waiting,
  'PATCH /events/{id}': async (world) => ({ id: await seed(world, 'event'), body: { name: 'Another' } }),
  'POST /checkins': async (world) => ({
    body: { date: '2026-05-01', venue: await seed(world, 'venue'), customer: await seed(world, 'customer') },
  }),
  'PUT /checkins/settings': async () => ({ body: { granularity: 'business' } }),
  'PATCH /checkins/settings': async () => ({ body: { granularity: 'venue' } }),
  'PATCH /attendances/{id}': async (world) => ({
    id: (await taken(world, true)).attendance,
    body: { status: 'attended' },
  }),
};

export const CHANGES_NOTHING: Readonly<Record<string, string>> = {
  'POST /registration_eligibility/check': 'it says who could book, and books nothing',
  'POST /events/{id}/generate_online_access_link': 'a link is signed, and nothing is stored',
  'POST /events/{id}/join_online': 'nobody is marked as attended unless the business wants it',
};
