import { pathOf } from '../endpoints.ts';
import { REPORTS, TOTALS } from '../catalogue/index.ts';
import { sql } from '../../../../kernel/db/sql.ts';
import { reader } from './seeds.ts';
import { seed } from '../../../../test/seeds.ts';
import type { Calls } from '../../../../test/matrix/calls.ts';
import type { World } from '../../../../test/world.ts';

const planned = async (world: World) => ({
  report: 'customers',
  form: 'groups',
  format: 'xlsx',
  asked: { columns: ['created_year', 'count'] },
  frequency: 'monthly',
  day_of_month: 31,
  time: '06:30',
  recipients: [await reader(world, world.harbour)],
});

/** A business has so many exports waiting at most: what other tests asked for is cancelled. */
const makeRoom = (world: World): Promise<unknown> =>
  world.work(world.harbour, ({ tx }) =>
    tx.run(
      sql`UPDATE job SET state = 'cancelled' WHERE provider_id = ${world.harbour} AND state = 'pending' AND asked_by IS NOT NULL`,
    ),
  );

const exportCalls: Calls = Object.fromEntries(
  REPORTS.flatMap((report): [string, Calls[string]][] => [
    [`POST ${pathOf(report, 'rows')}/export`, async (world) => (await makeRoom(world), { body: {} })],
    ...(report.grouped && !TOTALS.includes(report)
      ? ([
          [
            `POST ${pathOf(report, 'groups')}/export`,
            async (world) => (await makeRoom(world), { body: { columns: ['count'] } }),
          ],
        ] as [string, Calls[string]][])
      : []),
  ]),
);

export const CALLS: Calls = {
  ...exportCalls,
  'POST /report_schedules': async (world) => ({ body: await planned(world) }),
  'PUT /report_schedules/{id}': async (world) => ({
    id: await seed(world, 'report_schedule'),
    body: await planned(world),
  }),
  'PATCH /report_schedules/{id}': async (world) => ({
    id: await seed(world, 'report_schedule'),
    body: { status: 'paused' },
  }),
  'POST /jobs/{id}/cancel': async (world) => {
    await makeRoom(world);
    const asked = await world.post('/reports/customers/export', { as: world.machine, body: {} });
    if (asked.status !== 200) throw new Error(asked.text);
    return { id: asked.body.job, body: {} };
  },
};
