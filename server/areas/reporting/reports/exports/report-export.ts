import { id, instant, integer, oneOf, ref, text, uri } from '../../../../kernel/base/fields/kinds.ts';
import { FORMATS } from './formats.ts';
import { param, raw, sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import { resource } from '../../../../kernel/api/resource.ts';
import type { Input, Viewer } from '../../../../kernel/work/access/viewer.ts';

const viewingActor = param<Input>((i) => i.viewer.actor);
const viewingStaff = param<Input>((i) => i.viewer.staffId);

/** Condition: the export belongs to the person, however they log in, or to the program that requested it. */
const isOf = (t: string, actor: unknown, staff: unknown): Sql =>
  sql`(${raw(t)}.asked_by = ${actor} OR ${raw(t)}.staff_id = ${staff}::bigint)`;

export const isOfViewer = (t: string, { actor, staffId }: Viewer): Sql => isOf(t, actor, staffId);

export const fileOf = (export_: number): string => `/report_exports/${export_}/file`;

/** Returns the path at which logged-in people get the file; emails link to it. */
export const reportFilePath = (providerId: number, export_: number): string =>
  `/account/${providerId}/report-files/${export_}`;

export const reportExport = resource('report_export', {
  description: 'A report as a file. Only the person who asked for it sees it.',
  fields: {
    id: id(),
    job: ref('job'),
    schedule: ref('report_schedule', 'schedule_id').nullable().describe('The schedule that it was written for.'),
    report: text({ max: 60 }).describe('Name of the report, as it is in the path.'),
    form: oneOf(['rows', 'groups']),
    format: oneOf(FORMATS),
    status: oneOf(['pending', 'complete', 'failed', 'cancelled', 'expired']).from((t) => raw(`${t}.state`)),
    row_count: integer({ min: 0 }).nullable().describe('Null until it is complete.'),
    byte_count: integer({ min: 0 }).nullable().describe('Null until it is complete.'),
    file_url: uri()
      .nullable()
      .computed(
        (t) => [raw(`CASE WHEN ${t}.state = 'complete' THEN ${t}.id END`)],
        ([found], wire) => found && `${wire.baseUrl}/api/v2${fileOf(Number(found))}`,
      )
      .describe('URL of the file, for the same person. Null if there is none yet, or it was deleted.'),
    created_at: instant(),
    finished_at: instant().nullable(),
    expires_at: instant().nullable().describe('When the file is deleted.'),
  },
  visible: {
    provider: (t) => isOf(t, viewingActor, viewingStaff),
    customer: false,
    unregistered: false,
  },
  secret: ['file'],
});
