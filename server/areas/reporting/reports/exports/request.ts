/** Asking for a file: for the caller, or for somebody whom a schedule names. */
import { exportRequested } from './feed.ts';
import { insertRow } from '../../../../kernel/db/row.ts';
import { instant, json } from '../../../../kernel/db/sql.ts';
import { realNowOf, type Work } from '../../../../kernel/work.ts';
import { startJob } from '../../../platform/bulk/index.ts';
import type { Format } from './formats.ts';
import type { Permission } from '../../../../kernel/access/permission.ts';

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
