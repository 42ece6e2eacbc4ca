/**
 * The engine that runs report schedules. A run is one transaction: it requests the files and moves the schedule to its
 * next time. So each time runs once, even if the process is killed; of several missed times, only one runs.
 */
import { instant, sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import { Loops } from '../../../../kernel/work/worker/loops.ts';
import { nextRun, type Plan } from '../rules/next-run.ts';
import { businessTime, type Tenant, type Work } from '../../../../kernel/work/unit/work.ts';
import { backgroundWork } from '../../../../kernel/work/unit/background-work.ts';
import { Problem } from '../../../../kernel/base/problem.ts';
import { readAsked, reportNamed, type Form } from './writes.ts';
import { readersOf, type Reader } from './readers.ts';
import { requestExport } from '../exports/request.ts';
import { reportScheduleFeed } from './feed.ts';
import { notifyPaused, reasonText, type Why } from './notices.ts';
import type { Engine, EngineContext, RunningEngine } from '../../../../kernel/work/unit/engine.ts';
import type { Format } from '../exports/formats.ts';
import type { Report } from '../report.ts';

const WHY = 'report schedules of every business are run by one engine';
const ACTOR = 'report_schedules';
const IDLE_MS = 5000;
const RETRY_MS = 10 * 60_000;

type Own = Pick<EngineContext, 'db' | 'registry' | 'tenants' | 'installation' | 'now' | 'log'>;

export const scheduleEngine: Engine = {
  name: 'report_schedules',
  start: async (context) => new ScheduleEngine(context),
  ofTestBusiness: {
    due: (provider) => [
      sql`(SELECT min(s.next_run_at) FROM report_schedule s
        WHERE s.provider_id = ${provider} AND s.next_run_at IS NOT NULL)`,
    ],
    act: async (context, tenant) => {
      const due = await context.db.looking(tenant.providerId, (tx) =>
        tx.rows<{ id: number }>(
          sql`SELECT s.id FROM report_schedule s WHERE s.provider_id = ${tenant.providerId}
            AND ${isDue(businessTime(tenant, context.now()))} ORDER BY s.next_run_at, s.id`,
        ),
      );
      for (const { id } of due) await runOne(context, tenant.providerId, id);
      return due.length > 0;
    },
  },
};

class ScheduleEngine implements RunningEngine {
  readonly #loops: Loops;

  constructor(context: EngineContext) {
    this.#loops = new Loops(context.log);
    this.#loops.repeat('report schedules', IDLE_MS, () => runNext(context));
  }

  stop(): Promise<void> {
    return this.#loops.stop();
  }
}

const isDue = (now: number): Sql => sql`s.next_run_at <= ${instant(now)}::timestamptz`;

/** Runs the schedule that has waited longest. Returns whether there was one that no other worker has locked. */
export async function runNext(own: Own): Promise<boolean> {
  const [due] = await own.db.acrossTenants(WHY, (tx) =>
    tx.rows<{ provider: number; id: number }>(
      // Schedules of test businesses use the clock of their business.
      sql`SELECT s.provider_id AS provider, s.id FROM report_schedule s WHERE ${isDue(own.now())}
        AND NOT EXISTS (SELECT FROM test_clock c WHERE c.provider_id = s.provider_id) ORDER BY s.next_run_at LIMIT 1`,
    ),
  );
  return due !== undefined && (await runOne(own, due.provider, due.id));
}

async function runOne(own: Own, provider: number, id: number): Promise<boolean> {
  try {
    return (await backgroundWork(own, provider, ACTOR, (work) => runDue(work, id))) ?? false;
  } catch (err) {
    own.log.warn({ err, provider, schedule: id }, 'a report schedule was not run; will try again');
    // Other schedules don't wait for this one.
    await backgroundWork(own, provider, ACTOR, (work) =>
      work.tx.run(sql`UPDATE report_schedule SET next_run_at = ${instant(work.now + RETRY_MS)}
        WHERE provider_id = ${provider} AND id = ${id} AND next_run_at IS NOT NULL`),
    );
    return true;
  }
}

type Row = Plan & {
  readonly id: number;
  readonly owner_id: number | null;
  readonly report: string;
  readonly form: Form;
  readonly format: Format;
  readonly asked: Record<string, unknown>;
  readonly recipient_ids: readonly number[];
};

/** Thrown with a reason for the owner if the schedule can't run any more. */
class Stopped extends Error {
  readonly why: Why;

  constructor(why: Why) {
    super(reasonText(why));
    this.why = why;
  }
}

/** Returns false if another worker runs it, or has just done so. */
async function runDue(work: Work, id: number): Promise<boolean> {
  const { tx, providerId, now, tenant } = work;
  const row = await tx.one<Row & Record<string, unknown>>(sql`SELECT s.* FROM report_schedule s
    WHERE s.provider_id = ${providerId} AND s.id = ${id} AND ${isDue(now)} FOR UPDATE SKIP LOCKED`);
  if (!row) return false;
  work.touch('report_schedule', id, row);
  try {
    const report = reportNamed(row.report);
    if (!report) throw new Stopped('gone');
    const asked = askedBy(row, report, tenant);
    for (const reader of await recipientsOf(work, row, report))
      await requestExport(work, {
        report: report.name,
        form: row.form,
        format: row.format,
        asked,
        reader,
        schedule: id,
      });
    await tx.run(sql`UPDATE report_schedule SET last_run_at = ${instant(now)},
      next_run_at = ${instant(nextRun(row, now, tenant.zone))}
      WHERE provider_id = ${providerId} AND id = ${id}`);
    work.record(reportScheduleFeed.ran, id, { report_schedule: id });
  } catch (stopped) {
    if (!(stopped instanceof Stopped)) throw stopped;
    const { why, message } = stopped;
    await tx.run(sql`UPDATE report_schedule SET status = 'paused', status_reason = ${message}, next_run_at = NULL,
      updated_at = ${instant(now)}
      WHERE provider_id = ${providerId} AND id = ${id}`);
    work.record(reportScheduleFeed.paused, id, { report_schedule: id });
    await notifyPaused(work, { id, owner: row.owner_id, report: row.report, why });
  }
  return true;
}

/** Parses the stored query again: it was valid when it was scheduled, but may be invalid now. */
function askedBy({ form, asked }: Row, report: Report, { zone }: Tenant): Record<string, any> {
  try {
    return readAsked(report, form, asked, zone);
  } catch (err) {
    if (err instanceof Problem) throw new Stopped('asked');
    throw err;
  }
}

async function recipientsOf(
  work: Work,
  { owner_id: owner, recipient_ids: recipients }: Row,
  report: Report,
): Promise<readonly Reader[]> {
  const readers = await readersOf(work, report, [...recipients, ...(owner === null ? [] : [owner])]);
  if (owner !== null && !readers.some(({ id }) => id === owner)) throw new Stopped('owner');
  const found = readers.filter(({ id }) => recipients.includes(id));
  if (found.length === 0) throw new Stopped('recipients');
  return found;
}
