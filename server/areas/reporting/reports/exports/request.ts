/** Asking for a file: for the caller, or for somebody whom a schedule names. */
import { exportRequested } from './feed.ts';
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

/** Of a business, at a time. */
const WAITING_AT_MOST = 20;

/** One is written after the other, for all businesses. @throws Problem conflict */
export async function checkWaiting({ tx, providerId }: Work): Promise<void> {
  const { n } = (await tx.one<{ n: number }>(
    // One that was cancelled waits only to be cleared away.
    sql`SELECT count(*) AS n FROM report_export x JOIN job j ON j.provider_id = x.provider_id AND j.id = x.job_id
      WHERE x.provider_id = ${providerId} AND x.state = 'pending' AND j.state IN ('pending', 'running')`,
  ))!;
  if (n >= WAITING_AT_MOST)
    throw new Problem(
      'conflict',
      `${n} exports are waiting already. Wait until one is complete, or cancel one with POST /jobs/{id}/cancel.`,
    );
}

export interface Wanted {
  readonly report: string;
  readonly form: 'rows' | 'groups';
  readonly format: Format;
  /** as it was read */
  readonly asked: Record<string, any>;
  /** who may download it, and what they may see; no id: whoever has the credential of the work */
  readonly reader: {
    readonly id: number | null;
    readonly permissions: Iterable<Permission>;
    readonly venues: readonly number[] | null;
  };
  readonly schedule?: number;
}

/** Returns the id of its job. */
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
    // The engine goes by the real time, also of test businesses.
    next_at: instant(realNowOf(tenant, now)),
  });
  work.record(exportRequested, made, { report_export: made, job, report: wanted.report });
  return job;
}
