import { newOffering } from '../../../../test/schedule-world.ts';
import { seed } from '../../../../test/seeds.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { Calls } from '../../../../test/matrix/calls.ts';
import type { Queries } from '../../../../test/matrix/cases.ts';
import type { World } from '../../../../test/world.ts';

const morning = [{ start: '09:00', end: '12:00' }];

const typeOf = async (world: World, schedule: number): Promise<number> => {
  const found = await world.work(world.harbour, ({ tx }) =>
    tx.one<{ type: number }>(
      sql`SELECT offering_type_id AS type FROM availability_schedule_offering_type
        WHERE provider_id = ${world.harbour} AND availability_schedule_id = ${schedule}`,
    ),
  );
  return found!.type;
};

export const CALLS: Calls = {
  'POST /availability_schedules': async (world) => ({
    body: { instructor: await seed(world, 'instructor'), default_monday: morning },
  }),
  'PUT /availability_schedules/{id}': async (world) => ({
    id: await seed(world, 'availability_schedule'),
    body: { name: 'Mornings', default_monday: morning },
  }),
  'PATCH /availability_schedules/{id}': async (world) => ({
    id: await seed(world, 'availability_schedule'),
    body: { default_monday: morning },
  }),
  'DELETE /availability_schedules/{id}/offering_types/{offering_type_id}': async (world) => {
    const id = await seed(world, 'availability_schedule');
    return { id, params: { offering_type_id: String(await typeOf(world, id)) }, body: {} };
  },
  'POST /availability_schedule_offering_types/bulk_update': async (world) => ({
    body: {
      items: [
        {
          availability_schedule: await seed(world, 'availability_schedule'),
          offering_type: await newOffering(world, { schedule_type: 'appointment' }),
          venue_rooms: [],
        },
      ],
    },
  }),
  'PATCH /availability_schedules/{id}/overrides': async (world) => ({
    id: await seed(world, 'availability_schedule'),
    body: { overrides: [{ date: '2030-02-01', end_date: '2030-02-03', availability: morning }] },
  }),
  'PATCH /instructors/{id}/blocked_times': async (world) => ({
    id: await seed(world, 'instructor'),
    body: { data: [{ date: '2030-02-01', blocked_times: morning }] },
  }),
  'PATCH /venues/{id}/blocked_times': async (world) => ({
    id: await seed(world, 'venue'),
    body: { data: [{ date: '2030-02-01', blocked_times: morning }] },
  }),
};

export const QUERIES: Queries = {
  'GET /availability_schedules/{id}/explain': async () => ({ from: '2030-01-01', to: '2030-01-04' }),
};
