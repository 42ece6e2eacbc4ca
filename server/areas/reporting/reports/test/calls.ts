import { groupedColumns } from '../ask.ts';
import { pathOf } from '../endpoints.ts';
import { reader } from './seeds.ts';
import { REPORTS, TOTALS } from '../catalogue/index.ts';
import { seed } from '../../../../test/seeds.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { Calls } from '../../../../test/matrix/calls.ts';
import type { Report } from '../report.ts';
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

/**
 * Cancels the exports that other tests requested: nothing writes them here, and a business has a limit of waiting ones.
 */
const makeRoom = (world: World): Promise<unknown> =>
  world.work(world.harbour, ({ tx }) =>
    tx.run(sql`UPDATE job SET state = 'cancelled' FROM report_export x WHERE job.provider_id = ${world.harbour}
      AND x.provider_id = job.provider_id AND x.job_id = job.id AND job.state = 'pending'`),
  );

const asking =
  (body: Record<string, unknown>): Calls[string] =>
  async (world) => (await makeRoom(world), { body });

const exportsOf = (report: Report): [string, Calls[string]][] => {
  const rows: [string, Calls[string]] = [`POST ${pathOf(report, 'rows')}/export`, asking({})];
  if (!report.grouped || TOTALS.includes(report)) return [rows];
  const [column] = Object.keys(groupedColumns(report));
  return [rows, [`POST ${pathOf(report, 'groups')}/export`, asking({ columns: [column] })]];
};

export const CALLS: Calls = {
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
    // Not one of the jobs that other calls cancel.
    const { id: job } = await world.work(
      world.harbour,
      async ({ tx }) =>
        (await tx.one<{ id: number }>(sql`INSERT INTO job (provider_id, total_items, state, asked_by)
          SELECT ${world.harbour}, 0, 'pending', 'machine_token:' || min(id) FROM machine_token
          WHERE provider_id = ${world.harbour} RETURNING id`))!,
    );
    return { id: job, body: {} };
  },
  'POST /bulk_actions/{id}/export': async (world) => {
    await makeRoom(world);
    return { id: await seed(world, 'bulk_action'), body: {} };
  },
  ...Object.fromEntries(REPORTS.flatMap(exportsOf)),
};
