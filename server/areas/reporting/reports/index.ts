import { dataEndpoints } from './endpoints.ts';
import { exportEndpoints, findExports } from './exports/endpoints.ts';
import { exportEngine } from './exports/engine.ts';
import { exportFailed, exportFinished, exportRequested } from './exports/feed.ts';
import { reportExport } from './exports/report-export.ts';
import { REPORTS } from './catalogue/index.ts';
import { sweepExports } from './exports/sweep.ts';
import { TABLES } from './tables.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { withdrawExports } from './exports/withdraw.ts';

export const reports: Area = {
  name: 'reports',
  description: 'Numbers about customers, classes and money: as rows, in groups, and as files.',
  tables: TABLES,
  resources: [reportExport],
  endpoints: findExports,
  topics: REPORTS.map((report) => ({
    name: `report_${report.name}`,
    description: report.description,
    endpoints: [...dataEndpoints(report), ...exportEndpoints(report)],
  })),
  feed: [exportRequested, exportFinished, exportFailed],
  engines: [exportEngine],
  sweep: sweepExports,
};
