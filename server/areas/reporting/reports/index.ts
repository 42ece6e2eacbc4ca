import { dataEndpoints } from './endpoints.ts';
import { describeReports } from './describe.ts';
import { exportEndpoints, findExports } from './exports/endpoints.ts';
import { exportEngine } from './exports/engine.ts';
import { reportExportFeed } from './exports/feed.ts';
import { reportExport } from './exports/report-export.ts';
import { REPORTS, TOTALS } from './catalogue/index.ts';
import { followZone } from './schedules/writes.ts';
import { reportSchedule } from './schedules/report-schedule.ts';
import { SCHEDULE_FEED } from './schedules/feed.ts';
import { SCHEDULE_NOTICES } from './schedules/notices.ts';
import { scheduleEndpoints } from './schedules/endpoints.ts';
import { scheduleEngine } from './schedules/engine.ts';
import { sweepExports } from './exports/sweep.ts';
import { storedEngine } from './stored/engine.ts';
import { TABLES } from './tables.ts';
import { totalsEndpoints } from './group-reports.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { withdrawExports } from './exports/withdraw.ts';
export { compareStored } from './stored/compare.ts';
export { fold, rebuildStored } from './stored/fold.ts';
export { commandOf } from './read-report.ts';
export { monthOf, totalsOf, type Total } from './totals.ts';

export const reports: Area = {
  name: 'reports',
  description: 'Numbers about customers, classes and money: as rows, in groups, and as files.',
  tables: TABLES,
  resources: [reportExport, reportSchedule],
  endpoints: [describeReports, ...findExports, ...scheduleEndpoints],
  topics: REPORTS.map((report) => ({
    name: `report_${report.name}`,
    description: report.description,
    endpoints: TOTALS.includes(report)
      ? totalsEndpoints(report)
      : [...dataEndpoints(report), ...exportEndpoints(report)],
  })),
  feed: [reportExportFeed, ...SCHEDULE_FEED],
  staffNotices: SCHEDULE_NOTICES,
  follows: { provider: (work, _id, { timezone }) => followZone(work, timezone) },
  engines: [exportEngine, scheduleEngine, storedEngine],
  sweep: sweepExports,
};
