/** Emails to staff about their schedules. */
import { Catalog, type Say } from '../../../../kernel/base/languages/catalog.ts';
import { dashboardUrl, type StaffNotice, type StaffNoticeType } from '../../../../kernel/work/unit/notices.ts';
import { DEFAULT_WORDS } from '../../../../kernel/base/values/words.ts';
import { ENGLISH, type Reader } from '../../../../kernel/base/languages/languages.ts';
import { labelIn } from '../labels.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { reportFilePath } from '../exports/report-export.ts';
import type { TextKey } from '../../../../kernel/base/languages/texts.ts';
import type { Report } from '../report.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

const READY: StaffNoticeType = { type: 'scheduled_report' };
const FAILED: StaffNoticeType = { type: 'scheduled_report_failed' };
const PAUSED: StaffNoticeType = { type: 'report_schedule_paused' };

export const SCHEDULE_NOTICES = [READY, FAILED, PAUSED];

const TEXTS = Catalog.read('messages', 'report-schedules');

export type Why = 'gone' | 'asked' | 'owner' | 'recipients';

/** Returns the reason why a schedule was paused, as the interface shows it. */
export const reasonText = (why: Why): string => TEXTS.for(ENGLISH, DEFAULT_WORDS)(`why.${why}`);

interface Written {
  readonly id: number;
  readonly report: Report;
  readonly staff: number;
  readonly baseUrl: string;
}

/** Writes a notice about a report, with the report's name in the language of the reader. */
const writing =
  (
    { tenant: { words } }: Work,
    report: string,
    write: (
      say: Say<TextKey<'messages', 'report-schedules'>>,
      holes: { report: string },
    ) => ReturnType<StaffNotice['write']>,
  ): StaffNotice['write'] =>
  (reader: Reader) =>
    write(TEXTS.for(reader, words), { report: labelIn(reader.language, report) });

/** Sends a link, never the file: it works only for this person, and only while they may read the report. */
export const notifyReady = (work: Work, { id, report, staff, baseUrl }: Written): Promise<void> =>
  work.registry.notifier.notifyStaff(work, [staff], {
    type: READY,
    key: String(id),
    write: writing(work, report.name, (say, holes) => ({
      subject: say('ready.subject', holes),
      text: `${say('ready', holes)}\n\n${baseUrl}${reportFilePath(work.providerId, id)}`,
      button: say('ready.see'),
    })),
  });

export const notifyFailed = (work: Work, { id, report, staff }: Omit<Written, 'baseUrl'>): Promise<void> =>
  work.registry.notifier.notifyStaff(work, [staff], {
    type: FAILED,
    key: String(id),
    write: writing(work, report.name, (say, holes) => ({
      subject: say('failed.subject', holes),
      text: `${say('failed', holes)}\n${dashboardUrl(work, `reports/${report.name}`)}`,
      button: say('failed.see'),
    })),
  });

/** Notifies the owner while they work here, otherwise the super admins. */
export async function notifyPaused(
  work: Work,
  of: { id: number; owner: number | null; report: string; why: Why },
): Promise<void> {
  const { notifier } = work.registry;
  const notice: StaffNotice = {
    type: PAUSED,
    key: `${of.id}:${work.now}`,
    write: writing(work, of.report, (say, holes) => ({
      subject: say('paused.subject', holes),
      text: [
        say('paused', { ...holes, why: say(`why.${of.why}`) }),
        say('paused.next'),
        dashboardUrl(work, 'reports?tab=schedules'),
      ].join('\n\n'),
      button: say('paused.see'),
    })),
  };
  const owner = await work.tx.one<{ id: number }>(
    sql`SELECT id FROM staff WHERE provider_id = ${work.providerId} AND id = ${of.owner}::bigint AND NOT archived`,
  );
  await (owner ? notifier.notifyStaff(work, [owner.id], notice) : notifier.notifySuperAdmins(work, notice));
}
