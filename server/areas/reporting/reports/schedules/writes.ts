/** Report schedules: what can be scheduled, and the next run. */
import { exportAsked } from '../ask.ts';
import { insertRow, updateRow, deleteRow } from '../../../../kernel/work/unit/row.ts';
import { instant, json, sql } from '../../../../kernel/base/db/sql.ts';
import { invalid, Issues, Problem } from '../../../../kernel/base/problem.ts';
import { may } from '../../../../kernel/work/access/viewer.ts';
import { nextRun, type Plan } from '../rules/next-run.ts';
import { readersOf } from './readers.ts';
import { readShape } from '../../../../kernel/base/fields/field.ts';
import { REPORTS, TOTALS } from '../catalogue/index.ts';
import { reportScheduleFeed } from './feed.ts';
import type { Report } from '../report.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

export type Form = 'rows' | 'groups';

/** A schedule in the form of a body. */
export interface Planned {
  readonly report: string;
  readonly form: Form;
  readonly format: string;
  readonly asked: Record<string, unknown>;
  readonly frequency: Plan['frequency'];
  readonly day_of_week: string | null;
  readonly day_of_month: number | null;
  readonly time: string;
  readonly recipients: readonly number[];
  readonly status: 'active' | 'paused';
}

/** Maximum for one business: each schedule writes its own files. */
const MAX_SCHEDULES = 100;

export const reportNamed = (name: string): Report | undefined => REPORTS.find((one) => one.name === name);

/** Parses the query in the form that exports store. Errors are reported under the name `asked`. */
export function readAsked(report: Report, form: Form, asked: unknown, zone: string): Record<string, any> {
  const issues = new Issues();
  const read = readShape(exportAsked(report, form), asked, 'asked', { issues, text: false, zone });
  issues.throwIfAny();
  return read as Record<string, any>;
}

function checkDay({ frequency, day_of_week: week, day_of_month: month }: Planned): void {
  const needed = frequency === 'weekly' ? 'day_of_week' : 'day_of_month';
  if ((frequency === 'weekly' ? week : month) === null)
    throw invalid(needed, `This field is required if frequency is ${frequency}.`);
  if ((frequency === 'weekly' ? month : week) !== null)
    throw invalid(
      frequency === 'weekly' ? 'day_of_month' : 'day_of_week',
      `Leave it out, or send null, if frequency is ${frequency}.`,
    );
}

async function checkPlanned(work: Work, planned: Planned): Promise<void> {
  const { viewer, tenant } = work;
  const report = reportNamed(planned.report)!;
  if (!may(viewer, ...report.who))
    throw new Problem(
      'permission_denied',
      `In provider mode, the report ${report.name} needs the permission ${['super_admin', ...report.who].join(' or ')}.`,
    );
  if (planned.form === 'groups' && !report.grouped)
    throw invalid('form', `The report ${report.name} has no groups. Use rows.`);
  if (planned.form === 'rows' && TOTALS.includes(report))
    throw invalid('form', `The report ${report.name} is in groups already. Use groups.`);
  readAsked(report, planned.form, planned.asked, tenant.zone);
  checkDay(planned);
  const readers = new Set((await readersOf(work, report, planned.recipients)).map(({ id }) => id));
  const others = planned.recipients.filter((id) => !readers.has(id));
  if (others.length > 0)
    throw invalid(
      'recipients',
      `These staff members can’t read the report: ${others.join(', ')}. Leave them out, or change their permissions first.`,
    );
}

const columnsOf = (work: Work, planned: Planned) => ({
  report: planned.report,
  form: planned.form,
  format: planned.format,
  asked: json(planned.asked),
  frequency: planned.frequency,
  day_of_week: planned.day_of_week,
  day_of_month: planned.day_of_month,
  time: planned.time,
  recipient_ids: [...new Set(planned.recipients)].toSorted((a, b) => a - b),
  status: planned.status,
  status_reason: null,
  next_run_at: planned.status === 'active' ? instant(nextRun(planned as Plan, work.now, work.tenant.zone)) : null,
});

export async function createSchedule(work: Work, planned: Planned): Promise<number> {
  await checkPlanned(work, planned);
  const { n } = (await work.tx.one<{ n: number }>(
    sql`SELECT count(*) AS n FROM report_schedule WHERE provider_id = ${work.providerId}`,
  ))!;
  if (n >= MAX_SCHEDULES)
    throw new Problem('conflict', `There are ${n} report schedules already. Delete one that is no longer needed.`);
  const id = await insertRow(work, 'report_schedule', {
    ...columnsOf(work, planned),
    owner_id: work.viewer.staffId,
  });
  work.record(reportScheduleFeed.created, id, { report_schedule: id });
  return id;
}

/** The properties that determine when it runs. */
const PLAN = ['frequency', 'day_of_week', 'day_of_month', 'time', 'status'] as const;

/** `before`: the current row. */
export async function changeSchedule(work: Work, before: Record<string, any>, planned: Planned): Promise<void> {
  const { id } = before;
  await checkPlanned(work, planned);
  const { next_run_at, ...columns } = columnsOf(work, planned);
  // A postponed run still happens, whatever else is changed meanwhile.
  const sent: Record<string, unknown> = { ...planned, time: planned.time.padEnd('00:00:00'.length, ':00') };
  const moved = PLAN.some((name) => before[name] !== sent[name]);
  await updateRow(work, 'report_schedule', id, moved ? { ...columns, next_run_at } : columns);
  work.record(reportScheduleFeed.updated, id, { report_schedule: id });
}

export async function deleteSchedule(work: Work, id: number): Promise<void> {
  // Files that it requested are still written, and stay until they expire.
  await work.tx.run(
    sql`UPDATE report_export SET schedule_id = NULL WHERE provider_id = ${work.providerId} AND schedule_id = ${id}`,
  );
  await deleteRow(work, 'report_schedule', id);
  work.record(reportScheduleFeed.deleted, id, { report_schedule: id });
}

/** Recalculates the next runs after a change of the business's time zone: local times now correspond to other times. */
export async function followZone(work: Work, zone: unknown): Promise<void> {
  if (typeof zone !== 'string') return;
  const rows = await work.tx.rows<Plan & { id: number }>(
    sql`SELECT id, frequency, day_of_week, day_of_month, to_char(time, 'HH24:MI:SS') AS time FROM report_schedule
      WHERE provider_id = ${work.providerId} AND status = 'active' ORDER BY id FOR UPDATE`,
  );
  const times = rows.map((plan) => instant(nextRun(plan, work.now, zone)));
  await work.tx.run(sql`UPDATE report_schedule s SET next_run_at = n.at
    FROM unnest(${rows.map(({ id }) => id)}::bigint[], ${times}::timestamptz[]) AS n (id, at)
    WHERE s.provider_id = ${work.providerId} AND s.id = n.id`);
}
