export { importSchedule, openSchedule, type ScheduleImport, type ScheduleSummary } from './import-schedule.ts';
export { readMapping } from './mapping.ts';
export type { CompiledMapping } from './mapping.ts';
export { noPlaces, placesFor, type Places } from './places.ts';
export { readSession, type Session } from './read-session.ts';
export { readTime as readTimeOfDay } from './rules/times.ts';
export { takeBackBookings, takeBackEvents } from './take-back.ts';
export { writeEvents } from './write-events.ts';
