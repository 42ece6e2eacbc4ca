/** All time functions in one place: dates, wall times of a zone, instants (epoch milliseconds) and their text. */
export {
  addDays,
  ageOn,
  dateOfDayNumber,
  dayNumberOf,
  daysBetween,
  daysInMonth,
  parseDate,
  partsOfDate,
  weekdayOf,
} from './date.ts';
export { formatInstant, parseInstant, parsePgInstant, wallOfText } from './instant.ts';
export { isZone, offsetAt } from './offset.ts';
export { formatWall, instantOfWall, isShownTwice, parseWall, startOfDay, wallAt, wallKind } from './wall.ts';
export type { Wall, WallKind } from './wall.ts';
