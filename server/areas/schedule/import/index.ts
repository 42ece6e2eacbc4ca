export { importSchedule, openSchedule, type ScheduleFile, type ScheduleSummary } from './import-schedule.ts';
export { readMapping, type ScheduleMapping } from './mapping.ts';
