/**
 * Computes what an installation can serve from the cost of each operation. The assumptions are those of
 * docs/capacity.md, which a test reads. Pure.
 */

/** The cost of one operation. */
export interface Cost {
  /** processor time of all processes, in milliseconds */
  readonly processor: number;
  /** PostgreSQL's part of it, in milliseconds */
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

/** The usable share of a processor's time: requests that arrive together must not wait long. */
const USABLE = 0.6;
const WEEKS_A_YEAR = 52;

export interface Assumed {
  readonly members: number;
  /** of each member per week */
  readonly bookings: number;
  /** views before each booking */
  readonly looks: number;
  /** share of bookings */
  readonly cancelled: number;
  /** lists that staff read per week */
  readonly lists: number;
  /** share of a week's work that falls into its busiest hour */
  readonly busiest: number;
}

/** Returns how often each operation happens in a week of one business. */
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
  /** number of businesses at which the busiest hour of a week leaves 40 % of the processors idle */
  readonly businesses: number;
  /** bookings per second, if there were no other requests */
  readonly bookings: number;
  /** yearly growth of the database, in GB */
  readonly disk: number;
  /** write-ahead log per day, in GB */
  readonly log: number;
}

/** Returns what a number of processors can serve, with the service and PostgreSQL on the same machine. */
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
