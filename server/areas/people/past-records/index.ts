import { findPastRecords } from './find-past-records.ts';
import { pastVisit } from './past-visit.ts';
import { TABLES } from './tables.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { importVisits, takeBackVisits, visitKey, type ImportedVisit } from './import-visits.ts';
export type { VisitStatus } from './past-visit.ts';

export const pastRecords: Area = {
  name: 'past_records',
  description: 'What customers did at the business before it used this program.',
  tables: TABLES,
  resources: [pastVisit],
  endpoints: findPastRecords,
};
