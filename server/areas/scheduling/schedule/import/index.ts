export {
  importSchedule,
  openSchedule,
  type ScheduleFile,
  type ScheduleImport,
  type ScheduleSummary,
} from './import-schedule.ts';
export { readMapping, type ScheduleMapping } from './mapping.ts';
