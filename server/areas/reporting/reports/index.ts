import { dataEndpoints } from './endpoints.ts';
import { REPORTS } from './catalogue/index.ts';
import type { Area } from '../../../kernel/api/area.ts';

export const reports: Area = {
  name: 'reports',
  description: 'Numbers about customers, classes and money: as rows, in groups, and as files.',
  topics: REPORTS.map((report) => ({
    name: `report_${report.name}`,
    description: report.description,
    endpoints: dataEndpoints(report),
  })),
};
