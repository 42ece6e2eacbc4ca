/**
 * The engine that writes exports, one after the other. A row says when it is due; the process that takes it moves that
 * time, so no other process writes it at the same time, and another takes over if the process is killed. A file exists
 * completely or not at all.
 */
import { allGroups, allRows, type Rows } from './portions.ts';
import { askedOf, type Reading } from '../read-report.ts';
import { reportExportFeed } from './feed.ts';
import { fileOf } from './report-export.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { Loops } from '../../../../kernel/work/worker/loops.ts';
import { businessTime, type Tenant, type Work } from '../../../../kernel/work/unit/work.ts';
import { backgroundWork } from '../../../../kernel/work/unit/background-work.ts';
import { progressJob, type Progress } from '../../../platform/bulk/index.ts';
import { randomBytes } from 'node:crypto';
import { refreshStored } from '../stored/refresh.ts';
import { writtenAs } from './written.ts';
import { notifyFailed, notifyReady } from '../schedules/notices.ts';
import { viewer } from '../../../../kernel/work/access/viewer.ts';
import { WRITTEN, type Format, type Table } from './formats.ts';
import type { Engine, EngineContext, RunningEngine } from '../../../../kernel/work/unit/engine.ts';
import type { Report } from '../report.ts';
import type { Permission } from '../../../../kernel/work/access/permission.ts';

const WHY = 'exports of every business are written by one engine';
const ACTOR = 'exports';
const IDLE_MS = 500;
/** a process without progress for this long no longer writes */
const LEASE_MS = 60_000;
const PROGRESS_MS = 1000;
const ATTEMPTS = 3;
const RETRY_MS = 5000;
const RETENTION_DAYS = 7;

export const exportEngine: Engine = {
  name: 'exports',
  start: async (context) => new ExportEngine(context),
};

class ExportEngine implements RunningEngine {
  readonly #loops: Loops;

  constructor(context: EngineContext) {
    this.#loops = new Loops(context.log);
    this.#loops.repeat('exports', IDLE_MS, () => writeNext({ ...context, isEnding: () => this.#loops.stopped }));
  }

  stop(): Promise<void> {
    return this.#loops.stop();
  }
}

interface ExportRow {
  readonly provider_id: number;
  readonly id: number;
  readonly job_id: number;
  readonly report: string;
  readonly form: 'rows' | 'groups';
  readonly format: Format;
  readonly asked: Record<string, any>;
  readonly asked_by: string;
  readonly permissions: readonly Permission[];
  readonly venues: readonly number[] | null;
  /** its owner */
  readonly staff_id: number | null;
  /** the schedule that requested it */
  readonly schedule_id: number | null;
  readonly attempts: number;
}

interface Own extends Pick<EngineContext, 'db' | 'registry' | 'tenants' | 'installation' | 'now' | 'log'> {
  /** returns whether this process is about to end */
  readonly isEnding?: () => boolean;
}

/** Writes the export that has waited longest. Returns whether there was one. */
export async function writeNext(own: Own): Promise<boolean> {
  const [taken] = await own.db.acrossTenants(WHY, (tx) =>
    tx.rows<ExportRow & Record<string, unknown>>(sql`
      UPDATE report_export x SET next_at = ${instant(own.now() + LEASE_MS)}, attempts = attempts + 1
      FROM (SELECT provider_id, id FROM report_export WHERE next_at <= ${instant(own.now())}::timestamptz
            ORDER BY next_at LIMIT 1 FOR UPDATE SKIP LOCKED) due
      WHERE x.provider_id = due.provider_id AND x.id = due.id RETURNING x.*`),
  );
  if (!taken) return false;
  const tenant = await own.tenants.of(taken.provider_id);
  if (tenant) await write(own, taken, tenant);
  return true;
}

/** Thrown if the export was cancelled in the meantime. */
class Cancelled extends Error {}

/** Thrown if the process ends: another one writes the export. */
class HandedOver extends Error {}

async function write(own: Own, row: ExportRow, tenant: Tenant): Promise<void> {
  const file = `exports/${row.provider_id}/${row.id}_${randomBytes(16).toString('base64url')}`;
  const { files } = own.installation;
  try {
    const rows = await rowsOf(own, row, tenant);
    const table: Table = { ...rows, portions: counted(own, row, rows) };
    const bytes = await files.putParts(file, WRITTEN[row.format].write(table));
    const kept = await settle(own, row, async (work, complete) => {
      if (!(await complete({ state: 'complete', resultPath: fileOf(row.id) }))) return false;
      await work.tx
        .run(sql`UPDATE report_export SET state = 'complete', next_at = NULL, file = ${file}, byte_count = ${bytes},
          row_count = (SELECT complete_items FROM job WHERE provider_id = ${row.provider_id} AND id = ${row.job_id}),
          finished_at = ${instant(work.now)}, expires_at = ${instant(work.now + RETENTION_DAYS * 86_400_000)}
        WHERE provider_id = ${row.provider_id} AND id = ${row.id}`);
      work.record(reportExportFeed.finished, row.id, { report_export: row.id, job: row.job_id, report: row.report });
      await tellOf(row, (of) => notifyReady(work, { ...of, baseUrl: own.installation.baseUrl }));
      return true;
    });
    if (!kept) throw new Cancelled();
  } catch (err) {
    await files.remove(file);
    await giveUp(own, row, err);
  }
}

async function rowsOf(own: Own, row: ExportRow, tenant: Tenant): Promise<Rows> {
  const report = writtenAs(row.report);
  if (!report) throw new Error(`there is no report ${row.report}`);
  const now = businessTime(tenant, own.now());
  const { baseUrl } = own.installation;
  const owner = viewer({
    mode: 'provider',
    providerId: row.provider_id,
    actor: row.asked_by,
    permissions: new Set(row.permissions),
    staffId: null,
    customerId: null,
    venues: row.venues,
  });
  const reading: Reading = {
    asked: askedOf(report, row.asked, { viewer: owner, around: { now, zone: tenant.zone } }),
    wire: { ...tenant, baseUrl, pagesUrl: baseUrl, now, secrets: own.installation.box },
    send: (commands) => own.db.readAnywhere(row.provider_id, commands),
    settled: (report.stored ?? report.sums) !== undefined && (await refreshStored(own.db, tenant)),
  };
  return row.form === 'rows'
    ? allRows(report, row.asked, reading)
    : allGroups(report, row.asked, reading, (work) => own.db.looking(row.provider_id, work));
}

/** Reports the progress every second, and stops if the export was cancelled. */
async function* counted(own: Own, row: ExportRow, { portions, total }: Rows): Table['portions'] {
  let complete = 0;
  await report(own, row, { state: 'running', total, complete });
  let said = performance.now();
  for await (const rows of portions) {
    yield rows;
    if (own.isEnding?.()) throw new HandedOver();
    complete += rows.length;
    if (performance.now() - said < PROGRESS_MS) continue;
    // Rows created in the meantime are written as well.
    await report(own, row, { state: 'running', complete, total: Math.max(total, complete) });
    said = performance.now();
  }
  await report(own, row, { state: 'running', complete, total: complete });
}

async function report(own: Own, row: ExportRow, progress: Progress): Promise<void> {
  const goesOn = await own.db.transaction(row.provider_id, async (tx) => {
    tx.later(sql`UPDATE report_export SET next_at = ${instant(own.now() + LEASE_MS)}
      WHERE provider_id = ${row.provider_id} AND id = ${row.id} AND state = 'pending'`);
    return progressJob({ tx, providerId: row.provider_id }, row.job_id, progress);
  });
  if (!goesOn) throw new Cancelled();
}

type Settle = (work: Work, complete: (progress: Progress) => Promise<boolean>) => Promise<boolean>;

const settle = async (own: Own, row: ExportRow, act: Settle): Promise<boolean> =>
  (await backgroundWork(own, row.provider_id, ACTOR, (work) =>
    act(work, (progress) => progressJob(work, row.job_id, progress)),
  )) ?? false;

/** Schedules a retry, or fails the export. */
async function giveUp(own: Own, row: ExportRow, err: unknown): Promise<void> {
  const { provider_id: provider, id } = row;
  if (err instanceof HandedOver) {
    // Due immediately, and without counting this attempt.
    await own.db.transaction(provider, (tx) =>
      tx.run(sql`UPDATE report_export SET next_at = ${instant(own.now())}, attempts = attempts - 1
        WHERE provider_id = ${provider} AND id = ${id} AND state = 'pending'`),
    );
    return;
  }
  const ends = err instanceof Cancelled ? 'cancelled' : row.attempts >= ATTEMPTS ? 'failed' : null;
  if (!(err instanceof Cancelled)) own.log.warn({ err, provider, export: id }, 'an export could not be written');
  await settle(own, row, async (work, complete) => {
    await work.tx.run(
      ends === null
        ? sql`UPDATE report_export SET next_at = ${instant(own.now() + RETRY_MS)}
          WHERE provider_id = ${provider} AND id = ${id} AND state = 'pending'`
        : sql`UPDATE report_export SET state = ${ends}, next_at = NULL, finished_at = ${instant(work.now)}
            WHERE provider_id = ${provider} AND id = ${id} AND state = 'pending'`,
    );
    if (ends === 'failed' && (await complete({ state: 'failed' }))) {
      await tellOf(row, (of) => notifyFailed(work, of));
      work.record(reportExportFeed.failed, id, { report_export: id, job: row.job_id, report: row.report });
    }
    return true;
  });
}

interface OfSchedule {
  readonly id: number;
  readonly report: Report;
  readonly staff: number;
}

/** Notifies the recipient of a scheduled file by email; people who request a file watch its job. */
async function tellOf(row: ExportRow, tell: (of: OfSchedule) => Promise<void>): Promise<void> {
  const report = writtenAs(row.report);
  if (row.schedule_id !== null && row.staff_id !== null && report)
    await tell({ id: row.id, report, staff: row.staff_id });
}
