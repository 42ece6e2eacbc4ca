import { addDays } from '../../../../kernel/base/values/zone.ts';
import { iso } from '../../../../test/schedule-world.ts';
import { openPay, RATE, taught } from './seeds.ts';
import { seed } from '../../../../test/seeds.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { Calls } from '../../../../test/matrix/calls.ts';

export const CALLS: Calls = {
  'POST /instructor_pay_rates': async () => ({ body: RATE }),
  'PUT /instructor_pay_rates/{id}': async (world) => ({
    id: await seed(world, 'instructor_pay_rate'),
    body: { ...RATE, base: '35.00' },
  }),
  // A session that is not calculated yet.
  'POST /instructor_pay_items/recalculate': async (world) => {
    await openPay(world, world.harbour);
    const { instructor } = await taught(world, world.harbour, await seed(world, 'instructor'));
    const today = iso(world.now).slice(0, 10);
    return { body: { starts_on: addDays(today, -2), ends_on: today, instructors: [instructor] } };
  },
  'POST /instructor_pay_periods': async (world) => {
    const item = await openPay(world, world.harbour);
    const through = addDays(iso(world.now).slice(0, 10), -9);
    await world.work(world.harbour, ({ tx }) =>
      tx.run(sql`UPDATE event e SET local_starts_at = ${through}::date + time '10:00',
        local_ends_at = ${through}::date + time '11:00'
        FROM instructor_pay_item i WHERE i.provider_id = ${world.harbour} AND i.id = ${item}
          AND e.provider_id = i.provider_id AND e.id = i.event_id`),
    );
    return { body: { through } };
  },
};
