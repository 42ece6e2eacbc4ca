import { groupedColumns } from '../ask.ts';
import { pathOf } from '../endpoints.ts';
import { REPORTS, TOTALS } from '../catalogue/index.ts';
import { sql } from '../../../../kernel/db/sql.ts';
import type { Call, Calls } from '../../../../test/matrix/calls.ts';
import type { Report } from '../report.ts';
import type { World } from '../../../../test/world.ts';

/** Nothing writes exports here, and a business may have so many waiting: those before this one are given up. */
async function exported(world: World, body: Record<string, unknown>): Promise<Call> {
  await world.work(world.harbour, ({ tx }) =>
    tx.run(sql`UPDATE job SET state = 'cancelled' FROM report_export x WHERE job.provider_id = ${world.harbour}
      AND x.provider_id = job.provider_id AND x.job_id = job.id AND job.state = 'pending'`),
  );
  return { body };
}

const exportsOf = (report: Report): [string, Calls[string]][] => {
  const rows: [string, Calls[string]] = [`POST ${pathOf(report, 'rows')}/export`, (world) => exported(world, {})];
  if (!report.grouped || TOTALS.includes(report)) return [rows];
  const [column] = Object.keys(groupedColumns(report));
  return [rows, [`POST ${pathOf(report, 'groups')}/export`, (world) => exported(world, { columns: [column] })]];
};

export const CALLS: Calls = {
  'POST /jobs/{id}/cancel': async (world) => {
    const asked = await world.post('/reports/customers/export', { as: world.machine, body: {} });
    if (asked.status !== 200) throw new Error(asked.text);
    return { id: asked.body.job, body: {} };
  },
  ...Object.fromEntries(REPORTS.flatMap(exportsOf)),
};
