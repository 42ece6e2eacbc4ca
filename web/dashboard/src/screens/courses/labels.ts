/** What people read of dates and sessions. */
import { dayOf, timesOf } from '../../words/times.ts';
import { nameOf } from '../../app/customers.ts';
import { words } from './words.ts';
import type { Run, Session } from './read.ts';

export const nameOfRun = ({ courseName, name }: Pick<Run, 'courseName' | 'name'>): string => `${courseName}: ${name}`;

/** Somebody whose name the person may not see, or who was erased, has none. */
export const whoseOf = (customer: Parameters<typeof nameOf>[0] | null): string =>
  nameOf(customer) || words.say('somebody');

export const whenOf = ({ starts_at, ends_at, zone }: Pick<Session, 'starts_at' | 'ends_at' | 'zone'>): string =>
  `${dayOf(starts_at, zone)}, ${timesOf(starts_at, ends_at, zone)}`;

/** `18:00`, as a field for a time takes it. */
export const clockAt = (moment: string, zone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(
    new Date(moment),
  );

/** How many are enrolled, and of how many. */
export const enrolledOf = ({
  enrolled_count,
  max_occupancy,
}: {
  readonly enrolled_count: number;
  readonly max_occupancy: number | null;
}): string =>
  max_occupancy === null
    ? words.say('enrolled.n', { n: enrolled_count })
    : words.say('enrolled.of', { n: enrolled_count, all: max_occupancy });

/** The same of the bookings of a session. */
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
