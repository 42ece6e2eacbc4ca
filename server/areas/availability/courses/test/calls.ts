import { done, enrollFree, newRun, weekly } from './world.ts';
import { iso, newOffering, newVenue } from '../../../../test/schedule-world.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { Call, Calls } from '../../../../test/matrix/calls.ts';
import type { World } from '../../../../test/world.ts';

const course = async (world: World, over: object = {}): Promise<Call['body']> => ({
  offering_type: await newOffering(world, { schedule_type: 'course' }),
  name: 'Pottery',
  ...over,
});

const moved = (world: World) => {
  const [{ starts_at, ends_at }] = weekly(world, 1, 30);
  return { starts_at, ends_at };
};

/** A customer who can join for free. */
async function joining(world: World): Promise<Call> {
  const { series } = await newRun(world, { price: '0.00', sessions: 2 });
  const customer = await world.newCustomer();
  return { id: series, customer, body: { customer } };
}

/** A series whose only place is taken. */
async function full(world: World): Promise<{ series: number; customer: number }> {
  const { series } = await newRun(world, { price: '0.00', sessions: 2, max_occupancy: 1 });
  await enrollFree(world, series, await world.newCustomer());
  return { series, customer: await world.newCustomer() };
}

/** An absence that can be made up for in another series. */
async function missed(world: World): Promise<Call> {
  const first = await newRun(world, { price: '0.00', sessions: 2, make_up_days: 60 });
  const other = await newRun(world, { price: '0.00', sessions: 2, inHours: 30, of: first });
  const customer = await world.newCustomer();
  await enrollFree(world, first.series, customer);
  await world.work(world.harbour, ({ tx }) =>
    tx.run(sql`UPDATE attendance SET status = 'not_registered', cancelled_at = ${iso(world.now)}
      WHERE provider_id = ${world.harbour} AND event_id = ${first.sessions[0]} AND customer_id = ${customer}`),
  );
  return { id: first.sessions[0], customer, body: { customer, course_session: other.sessions[0] } };
}

export const CALLS: Calls = {
  'POST /courses': async (world) => ({ body: await course(world) }),
  'PUT /courses/{id}': async (world) => {
    const body = await course(world);
    const { id } = await done(world, 'POST', '/courses', body);
    return { id, body: { ...body, published: true } };
  },
  'PATCH /courses/{id}': async (world) => {
    const { id } = await done(world, 'POST', '/courses', await course(world));
    return { id, body: { name: 'Ceramics' } };
  },
  'POST /courses/{id}/date_series': async (world) => {
    const { id } = await done(world, 'POST', '/courses', await course(world));
    const venue = await newVenue(world);
    return { id, body: { name: 'Autumn', venue, price: '80.00', dates: weekly(world, 2) } };
  },
  'PUT /course_date_series/{id}': async (world) => ({
    id: (await newRun(world, { sessions: 2 })).series,
    body: { name: 'Spring', price: '90.00', max_occupancy: 6 },
  }),
  'PATCH /course_date_series/{id}': async (world) => ({
    id: (await newRun(world, { sessions: 2 })).series,
    body: { name: 'Spring' },
  }),
  'POST /course_date_series/{id}/add_sessions': async (world) => {
    const { series } = await newRun(world, { sessions: 2 });
    await enrollFree(world, series, await world.newCustomer());
    return { id: series, body: { dates: weekly(world, 1, 24 * 30), cost: 'free' } };
  },
  'POST /course_date_series/{id}/cancel': async (world) => ({
    id: (await newRun(world, { sessions: 2 })).series,
    body: {},
  }),
  'PUT /course_sessions/{id}': async (world) => {
    const { sessions, venue } = await newRun(world, { sessions: 2 });
    return { id: sessions[0], body: { venue, name: 'Glazing', ...moved(world) } };
  },
  'PATCH /course_sessions/{id}': async (world) => ({
    id: (await newRun(world, { sessions: 2 })).sessions[0],
    body: { name: 'Glazing' },
  }),
  'POST /course_sessions/{id}/cancel': async (world) => ({
    id: (await newRun(world, { sessions: 2 })).sessions[0],
    body: {},
  }),
  'POST /course_sessions/{id}/make_up': missed,
  'POST /course_date_series/{id}/enroll': joining,
  'POST /course_enrollments/{id}/cancel': async (world) => {
    const { id: series, customer } = await joining(world);
    const { id } = await enrollFree(world, series!, customer!);
    return { id, customer, body: {} };
  },
  'POST /course_date_series/{id}/join_waitlist': async (world) => {
    const { series, customer } = await full(world);
    return { id: series, customer, body: { customer } };
  },
  'POST /course_date_series/{id}/leave_waitlist': async (world) => {
    const { series, customer } = await full(world);
    await done(world, 'POST', `/course_date_series/${series}/join_waitlist`, { customer });
    return { id: series, customer, body: { customer } };
  },
};
