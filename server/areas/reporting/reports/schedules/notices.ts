/** Emails to staff about their schedules. */
import { sql } from '../../../../kernel/base/db/sql.ts';
import { reportFilePath } from '../exports/report-export.ts';
import type { Report } from '../report.ts';
import type { StaffNoticeType } from '../../../../kernel/work/unit/notices.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

const READY: StaffNoticeType = { type: 'scheduled_report', subject: 'Your report is ready' };
const FAILED: StaffNoticeType = { type: 'scheduled_report_failed', subject: 'Your report could not be written' };
const PAUSED: StaffNoticeType = { type: 'report_schedule_paused', subject: 'A scheduled report was paused' };

export const SCHEDULE_NOTICES = [READY, FAILED, PAUSED];

interface Written {
  readonly id: number;
  readonly report: Report;
  readonly staff: number;
  readonly baseUrl: string;
}

/** Sends a link, never the file: it works only for this person, and only while they may read the report. */
export const notifyReady = (work: Work, { id, report, staff, baseUrl }: Written): Promise<void> =>
  work.registry.notifier.notifyStaff(work, [staff], {
    type: READY,
    key: String(id),
    text: `The report “${report.title}” has been written to a file. You can download it for seven days, after you log in:\n\n${baseUrl}${reportFilePath(work.providerId, id)}`,
  });

export const notifyFailed = (work: Work, { id, report, staff }: Omit<Written, 'baseUrl'>): Promise<void> =>
  work.registry.notifier.notifyStaff(work, [staff], {
    type: FAILED,
    key: String(id),
    text: `The report “${report.title}” could not be written to a file. The schedule tries again next time. You can also export the report yourself.`,
  });

/** Notifies the owner while they work here, otherwise the super admins. */
export async function notifyPaused(
  work: Work,
  of: { id: number; owner: number | null; report: string; why: string },
): Promise<void> {
  const { notifier } = work.registry;
  const notice = {
    type: PAUSED,
    key: `${of.id}:${work.now}`,
    text: `The schedule of the report “${of.report}” was paused: ${of.why}\n\nNo files are written until somebody changes the schedule and sets it to active again.`,
  };
  const owner = await work.tx.one<{ id: number }>(
    sql`SELECT id FROM staff WHERE provider_id = ${work.providerId} AND id = ${of.owner}::bigint AND NOT archived`,
  );
  await (owner ? notifier.notifyStaff(work, [owner.id], notice) : notifier.notifySuperAdmins(work, notice));
}
