/** Reports as files: requesting one, and its progress. */
import {
  action,
  file,
  namedAnswer,
  outside,
  STAFF,
  type FileToSend,
  type Call,
  type Endpoint,
  listAndGet,
} from '../../../../kernel/api/endpoint.ts';
import { WRITTEN, type Format } from './formats.ts';
import { exportAsked } from '../ask.ts';
import { id } from '../../../../kernel/base/fields/kinds.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { notFound } from '../../../../kernel/base/problem.ts';
import { pathOf, whoReads } from '../endpoints.ts';
import { isOfViewer, reportExport } from './report-export.ts';
import { checkWaiting, FORMAT, requestExport } from './request.ts';
import { exportResults } from './bulk-results.ts';
import { writtenAs } from './written.ts';
import { may, type Viewer } from '../../../../kernel/work/access/viewer.ts';
import type { Report } from '../report.ts';

/** Returns the endpoints that export a report. */
export const exportEndpoints = (report: Report): Endpoint[] => [
  exportOf(report, 'rows'),
  ...(report.grouped ? [exportOf(report, 'groups')] : []),
];

const EXPORT = namedAnswer('report_export_job', {
  job: id().describe(
    'The id of a job. When `GET /jobs/{id}` says that it is complete, its `result_url` is the file. Only you can see the job and download the file, for seven days.',
  ),
});

const exportOf = (report: Report, form: 'rows' | 'groups'): Endpoint =>
  action({
    path: `${pathOf(report, form)}/export`,
    summary: `Export the report${form === 'groups' ? ' in groups' : ''}: ${report.title}`,
    who: whoReads(report),
    body: exportAsked(report, form, FORMAT),
    returns: EXPORT,
    problems: ['conflict'],
    run: (call) => request(call, report, form),
  });

async function request({ work, body: { format, ...asked } }: Call, { name: report }: Report, form: 'rows' | 'groups') {
  const { staffId: id, permissions, venues } = work.viewer;
  await checkWaiting(work);
  return { job: await requestExport(work, { report, form, format, asked, reader: { id, permissions, venues } }) };
}

/** `name`: the exported report; a report that no longer exists can't be read by anybody. */
function mayRead(name: string, viewer: Viewer): boolean {
  const report = writtenAs(name);
  return report !== undefined && (report.who.length === 0 || may(viewer, ...report.who));
}

const download = outside({
  method: 'GET',
  path: '/report_exports/{id}/file',
  summary: 'Download an exported report',
  description: 'The file, for the person who asked for it.',
  who: STAFF,
  returns: file(...Object.values(WRITTEN).map(({ type }) => type)),
  run: async ({ db, viewer, params, standing, installation }): Promise<FileToSend> => {
    const found = await db.looking(
      viewer.providerId,
      (tx) =>
        tx.one<{ file: string; report: string; format: Format; form: string }>(sql`
          SELECT file, report, format, form FROM report_export x
          WHERE provider_id = ${viewer.providerId} AND id = ${params.id}::bigint AND ${isOfViewer('x', viewer)}
            AND state = 'complete'`),
      standing,
    );
    // Callers can't download a report that they may no longer read.
    const allowed = found && mayRead(found.report, viewer);
    const parts = allowed ? await installation.files.read(found.file) : null;
    if (!found || !parts) throw notFound();
    const { report, form, format } = found;
    return {
      name: `${report}${form === 'groups' ? '-grouped' : ''}-${params.id}.${format}`,
      type: WRITTEN[format].type,
      parts,
    };
  },
});

export const findExports: Endpoint[] = [
  ...listAndGet(reportExport, {
    path: '/report_exports',
    summary: 'List your exported reports',
    get: 'Get an exported report',
    who: STAFF,
  }),
  download,
  exportResults,
];
