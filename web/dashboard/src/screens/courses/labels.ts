/** The display texts of dates and sessions. */
import { dayOf, timesOf } from '../../words/times.ts';
import { nameOf } from '../../app/customers.ts';
import { words } from './words.ts';
import type { Run, Session } from './read.ts';

export const nameOfRun = ({ courseName, name }: Pick<Run, 'courseName' | 'name'>): string => `${courseName}: ${name}`;

/** Customers who were erased, or whose name the person may not see, have no name. */
export const whoseOf = (customer: Parameters<typeof nameOf>[0] | null): string =>
  nameOf(customer) || words.say('somebody');

export const whenOf = ({ starts_at, ends_at, zone }: Pick<Session, 'starts_at' | 'ends_at' | 'zone'>): string =>
  `${dayOf(starts_at, zone)}, ${timesOf(starts_at, ends_at, zone)}`;

/** Returns `18:00`, the format of a time field. */
export const clockAt = (moment: string, zone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(
    new Date(moment),
  );

/** Returns the number of enrolments and the capacity. */
export const formatEnrolment = ({
  enrolled_count,
  max_occupancy,
}: {
  readonly enrolled_count: number;
  readonly max_occupancy: number | null;
}): string =>
  max_occupancy === null
    ? words.say('enrolled.n', { n: enrolled_count })
    : words.say('enrolled.of', { n: enrolled_count, all: max_occupancy });

/** Returns the number of bookings of a session and its capacity. */
export const bookedOf = ({
  attending_count,
  max_occupancy,
}: {
  readonly attending_count: number;
  readonly max_occupancy: number | null;
}): string =>
  max_occupancy === null
    ? words.say('booked.n', { n: attending_count })
    : words.say('booked.of', { n: attending_count, all: max_occupancy });
