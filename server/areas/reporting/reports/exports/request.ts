/** Requests for a file: for the caller, or for a recipient of a schedule. */
import { reportExportFeed } from './feed.ts';
import { insertRow } from '../../../../kernel/work/unit/row.ts';
import { FORMATS, type Format } from './formats.ts';
import { instant, json, sql } from '../../../../kernel/base/db/sql.ts';
import { oneOf } from '../../../../kernel/base/fields/kinds.ts';
import { Problem } from '../../../../kernel/base/problem.ts';
import { realNowOf, type Work } from '../../../../kernel/work/unit/work.ts';
import { startJob } from '../../../platform/bulk/index.ts';
import type { Permission } from '../../../../kernel/work/access/permission.ts';

export const FORMAT = {
  format: oneOf(FORMATS)
    .default('csv')
    .describe('`jsonl`: one JSON object in each line. `xlsx`: a workbook for spreadsheets.'),
};

/** For one business at a time. */
const MAX_WAITING = 20;

/**
 * Refuses if too many exports are waiting: they are written one after the other, for all businesses. @throws Problem
 * conflict
 */
export async function checkWaiting({ tx, providerId }: Work): Promise<void> {
  const { n } = (await tx.one<{ n: number }>(
    // A cancelled export isn't counted: it only has to be cleaned up.
    sql`SELECT count(*) AS n FROM report_export x JOIN job j ON j.provider_id = x.provider_id AND j.id = x.job_id
      WHERE x.provider_id = ${providerId} AND x.state = 'pending' AND j.state IN ('pending', 'running')`,
  ))!;
  if (n >= MAX_WAITING)
    throw new Problem(
      'conflict',
      `${n} exports are waiting already. Wait until one is complete, or cancel one with POST /jobs/{id}/cancel.`,
    );
}

export interface Wanted {
  readonly report: string;
  readonly form: 'rows' | 'groups';
  readonly format: Format;
  /** the query as it was parsed */
  readonly asked: Record<string, any>;
  /** person who may download it, and what they may see; without an id: the holder of the request's credential */
  readonly reader: {
    readonly id: number | null;
    readonly permissions: Iterable<Permission>;
    readonly venues: readonly number[] | null;
  };
  readonly schedule?: number;
}

/** Requests an export and returns the id of its job. */
export async function requestExport(work: Work, { reader, asked, schedule, ...wanted }: Wanted): Promise<number> {
  const { viewer, tenant, now } = work;
  const job = await startJob(work);
  const made = await insertRow(work, 'report_export', {
    ...wanted,
    job_id: job,
    asked: json(asked),
    asked_by: viewer.actor,
    staff_id: reader.id,
    permissions: [...reader.permissions],
    venues: reader.venues,
    schedule_id: schedule ?? null,
    // The engine uses the real time, also for test businesses.
    next_at: instant(realNowOf(tenant, now)),
  });
  work.record(reportExportFeed.requested, made, { report_export: made, job, report: wanted.report });
  return job;
}
