/**
 * From what each operation costs to what an installation serves. The assumptions are those of docs/capacity.md, which a
 * test reads. Pure.
 */

/** What one operation costs. */
export interface Cost {
  /** processor time of all processes, ms */
  readonly processor: number;
  /** of it PostgreSQL, ms */
  readonly postgres: number;
  /** write-ahead log and growth of the database, KB */
  readonly log: number;
  readonly disk: number;
}

export const OPERATIONS = [
  'look at the timetable',
  'list of 50 bookings',
  'booking with a membership',
  'cancellation',
  'check-in',
  'reminder by mail',
] as const;
export type Operation = (typeof OPERATIONS)[number];

/** Of 60 minutes in which a processor could work, so many: what comes at the same time must not wait long. */
const USABLE = 0.6;
const WEEKS_A_YEAR = 52;

export interface Assumed {
  readonly members: number;
  /** of each member in a week */
  readonly bookings: number;
  /** before each booking */
  readonly looks: number;
  /** of bookings */
  readonly cancelled: number;
  /** lists that staff read in a week */
  readonly lists: number;
  /** part of a week's work that falls into its busiest hour */
  readonly busiest: number;
}

/** How often each happens in a week of one business. */
export function week({ members, bookings, looks, cancelled, lists }: Assumed): Record<Operation, number> {
  const booked = members * bookings;
  const kept = booked * (1 - cancelled);
  return {
    'look at the timetable': booked * looks,
    'list of 50 bookings': lists,
    'booking with a membership': booked,
    cancellation: booked * cancelled,
    'check-in': kept,
    'reminder by mail': kept,
  };
}

export interface Serves {
  /** businesses, so that the busiest hour of a week leaves 40 % of the processors idle */
  readonly businesses: number;
  /** bookings a second, if nothing else were asked */
  readonly bookings: number;
  /** the database grows in a year by, GB */
  readonly disk: number;
  /** write-ahead log of a day, GB */
  readonly log: number;
}

/** What so many processors serve, service and PostgreSQL on the same machine. */
export function serves(costs: Record<Operation, Cost>, assumed: Assumed, processors: number): Serves {
  const often = week(assumed);
  const ofWeek = (what: keyof Cost) => OPERATIONS.reduce((sum, name) => sum + often[name] * costs[name][what], 0);
  const perSecond = (ofWeek('processor') * assumed.busiest) / 3600;
  const businesses = Math.floor((processors * 1000 * USABLE) / perSecond);
  const GB = 2 ** 20;
  return {
    businesses,
    bookings: (processors * 1000 * USABLE) / costs['booking with a membership'].processor,
    disk: (businesses * ofWeek('disk') * WEEKS_A_YEAR) / GB,
    log: (businesses * ofWeek('log')) / 7 / GB,
  };
}
